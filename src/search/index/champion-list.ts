// The champion list of a frequent term: its postings with the highest impacts, highest first. The top entries of one or two
// frequent words are nearly always among them, however many entries have the words.

/**
 * The size of the list: this share of the postings, within bounds. The larger the catalog, the further down the top entries
 * of two words are.
 */
const SHARE = 16
const SIZE = { min: 1 << 10, max: 1 << 13 }
/** The list is rebuilt when less than this share of it is left. */
const WORN = 4
const IMPACTS = 256

/** The evaluation reads this many champions. What they do not decide is found faster by a scan of the bitmaps. */
export const MAX_CHAMPION_STEPS = 2048

export class ChampionList {
  readonly slots: Int32Array
  readonly impacts: Uint8Array
  size: number
  /** All postings above this impact are in the list, some of those with exactly this impact, and none below it. */
  floor = 0

  /** Built from the `count` postings that start at `start`. */
  constructor(slots: Uint32Array, impacts: Uint8Array, start: number, count: number) {
    const capacity = Math.min(SIZE.max, Math.max(SIZE.min, Math.ceil(count / SHARE)))
    this.slots = new Int32Array(capacity)
    this.impacts = new Uint8Array(capacity)
    this.size = Math.min(count, capacity)
    const ends = new Int32Array(IMPACTS)
    for (let at = start; at < start + count; at++) ends[impacts[at]!]!++
    let before = 0
    for (let impact = IMPACTS - 1; impact >= 0; impact--) {
      const here = ends[impact]!
      ends[impact] = before
      before += here
      if (before > capacity && this.floor === 0) this.floor = impact
    }
    for (let at = start; at < start + count; at++) {
      const impact = impacts[at]!
      if (impact < this.floor || ends[impact]! >= capacity) continue
      this.slots[ends[impact]!] = slots[at]!
      this.impacts[ends[impact]!++] = impact
    }
  }

  get isWorn(): boolean {
    return this.size < this.slots.length / WORN && this.floor > 0
  }

  add(slot: number, impact: number): void {
    if (impact <= this.floor) return
    if (this.size === this.slots.length) this.floor = this.impacts[--this.size]!
    const at = this.#behind(impact)
    this.slots.copyWithin(at + 1, at, this.size)
    this.impacts.copyWithin(at + 1, at, this.size)
    this.slots[at] = slot
    this.impacts[at] = impact
    this.size++
  }

  remove(slot: number): void {
    const at = this.slots.indexOf(slot)
    if (at < 0 || at >= this.size) return
    this.slots.copyWithin(at, at + 1, this.size)
    this.impacts.copyWithin(at, at + 1, this.size)
    this.size--
  }

  /** Returns the index after all postings with at least this impact. */
  #behind(impact: number): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.impacts[middle]! >= impact) low = middle + 1
      else high = middle
    }
    return low
  }
}
