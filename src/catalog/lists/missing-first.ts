// A descending order that, like the ascending one, ends with the entries without a key.
import type { SortedSlots } from '../../memory/sorted-slots.ts'

/** A sequence of slots with positions from 0 to `size - 1`. */
export type SlotSequence = Pick<SortedSlots, 'size' | 'scan' | 'countWhile'>

/** The slots of an order with those without a key first, for a scan from the end to the beginning. */
export class MissingFirst implements SlotSequence {
  readonly #slots: SortedSlots
  readonly #isMissing: (slot: number) => boolean
  /** The number of slots without a key, by which all other positions are shifted. */
  readonly missing: number

  /** @param slots an order in which slots without a key come last */
  constructor(slots: SortedSlots, isMissing: (slot: number) => boolean) {
    this.#slots = slots
    this.#isMissing = isMissing
    this.missing = slots.size - slots.countWhile(slot => !isMissing(slot))
  }

  get size(): number {
    return this.#slots.size
  }

  scan(from: number, step: 1 | -1, visit: (slot: number) => boolean): void {
    if (step === 1) throw new Error('Entries without a key come first only for a backward scan.')
    if (from < 0 || from >= this.size) return
    const present = this.size - this.missing
    if (from >= this.missing && !this.#scanBack(from - this.missing, 0, visit)) return
    this.#scanBack(Math.min(present + from, this.size - 1), present, visit)
  }

  countWhile(holds: (slot: number) => boolean): number {
    const isMissing = this.#isMissing
    const present = this.size - this.missing
    const missing = this.#slots.countWhile(slot => !isMissing(slot) || holds(slot)) - present
    return missing < this.missing
      ? missing
      : missing + this.#slots.countWhile(slot => !isMissing(slot) && holds(slot))
  }

  /** Visits the positions of the order from `from` down to `last`; returns whether the scan continues. */
  #scanBack(from: number, last: number, visit: (slot: number) => boolean): boolean {
    let continues = true
    let left = from - last + 1
    if (left > 0)
      this.#slots.scan(from, -1, slot => {
        continues = visit(slot)
        return continues && --left > 0
      })
    return continues
  }
}
