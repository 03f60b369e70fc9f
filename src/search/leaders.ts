// The postings of a frequent term with the highest impacts, highest first. The best entries of one or two frequent words are
// nearly always among them, however many entries have the words.

const MOST = 1024
/** With so few left they are gathered anew. */
const FEWEST = MOST / 4
const IMPACTS = 256

export class Leaders {
  readonly slots = new Int32Array(MOST)
  readonly impacts = new Uint8Array(MOST)
  size = 0
  /** Every posting above this impact is here; of those with this very impact perhaps not all, below it none. */
  floor = 0

  /** `count` postings from `start` on. */
  constructor(slots: Uint32Array, impacts: Uint8Array, start: number, count: number) {
    const ends = new Int32Array(IMPACTS)
    for (let at = start; at < start + count; at++) ends[impacts[at]!]!++
    let before = 0
    for (let impact = IMPACTS - 1; impact >= 0; impact--) {
      const here = ends[impact]!
      ends[impact] = before
      before += here
      if (before > MOST && this.floor === 0) this.floor = impact
    }
    for (let at = start; at < start + count; at++) {
      const impact = impacts[at]!
      if (impact < this.floor || ends[impact]! >= MOST) continue
      this.slots[ends[impact]!] = slots[at]!
      this.impacts[ends[impact]!++] = impact
    }
    this.size = Math.min(count, MOST)
  }

  get isWorn(): boolean {
    return this.size < FEWEST && this.floor > 0
  }

  add(slot: number, impact: number): void {
    if (impact <= this.floor) return
    if (this.size === MOST) this.floor = this.impacts[--this.size]!
    let at = this.size
    while (at > 0 && this.impacts[at - 1]! < impact) at--
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
}
