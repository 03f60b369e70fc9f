// An order read backwards that ends in the entries without a key, as it does when it is read forwards.
import type { SortedSlots } from '../memory/sorted-slots.ts'

/** What a list reads: positions from 0 to before `size`. */
export type SlotSequence = Pick<SortedSlots, 'size' | 'scan' | 'countWhile'>

/** The slots of an order with those that have no key in front, for a scan from the end to the beginning. */
export class MissingFirst implements SlotSequence {
  readonly #slots: SortedSlots
  readonly #isMissing: (slot: number) => boolean
  /** How many have no key: what stands at a position in the order stands so much later here. */
  readonly missing: number

  /** @param slots in which they stand last */
  constructor(slots: SortedSlots, isMissing: (slot: number) => boolean) {
    this.#slots = slots
    this.#isMissing = isMissing
    this.missing = slots.size - slots.countWhile(slot => !isMissing(slot))
  }

  get size(): number {
    return this.#slots.size
  }

  scan(from: number, step: 1 | -1, visit: (slot: number) => boolean): void {
    if (step === 1) throw new Error('Entries without a key stand in front only for a scan backwards.')
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

  /** Visits the positions of the order from `from` down to `last`; returns whether the scan goes on. */
  #scanBack(from: number, last: number, visit: (slot: number) => boolean): boolean {
    let goesOn = true
    let left = from - last + 1
    if (left > 0)
      this.#slots.scan(from, -1, slot => {
        goesOn = visit(slot)
        return goesOn && --left > 0
      })
    return goesOn
  }
}
