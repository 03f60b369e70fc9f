// The postings of many new entries, gathered so that they can go into the index term by term: that touches each list once
// instead of once an entry, and a list finds its room at once instead of moving again and again.

/** Large enough that most terms of a page of entries meet, small beside the index itself. */
const PLACES = 1 << 20

export type Run = {
  readonly slots: Uint32Array
  readonly impacts: Uint8Array
  readonly from: number
  readonly to: number
}

export class PostingBatch {
  #terms = new Uint32Array(0)
  #slots = new Uint32Array(0)
  #impacts = new Uint8Array(0)
  #count = 0
  #lastSlot = -1

  get isEmpty(): boolean {
    return this.#count === 0
  }

  get bytes(): number {
    return this.#terms.byteLength + this.#slots.byteLength + this.#impacts.byteLength
  }

  /** Whether so many postings of a slot can still be added: slots come in ascending order. */
  takes(slot: number, postings: number): boolean {
    return slot > this.#lastSlot && this.#count + postings <= PLACES
  }

  add(term: number, slot: number, impact: number): void {
    if (this.#terms.length === 0) this.#open()
    const at = this.#count++
    this.#terms[at] = term
    this.#slots[at] = slot
    this.#impacts[at] = impact
    this.#lastSlot = slot
  }

  /** Empties the batch: visits each term with its postings, by ascending slots. */
  drain(visit: (term: number, run: Run) => void): void {
    const count = this.#count
    let terms = 0
    for (let i = 0; i < count; i++) terms = Math.max(terms, this.#terms[i]! + 1)
    const ends = new Uint32Array(terms + 1)
    for (let i = 0; i < count; i++) ends[this.#terms[i]! + 1]!++
    for (let term = 0; term < terms; term++) ends[term + 1]! += ends[term]!
    const slots = new Uint32Array(count)
    const impacts = new Uint8Array(count)
    for (let i = 0; i < count; i++) {
      const at = ends[this.#terms[i]!]!++
      slots[at] = this.#slots[i]!
      impacts[at] = this.#impacts[i]!
    }
    for (let term = 0, from = 0; term < terms; term++) {
      const to = ends[term]!
      if (to > from) visit(term, { slots, impacts, from, to })
      from = to
    }
    this.#count = 0
    this.#lastSlot = -1
  }

  /** Gives its memory back, where it has any. */
  close(): void {
    if (this.#terms.length === 0) return
    this.#terms = new Uint32Array(0)
    this.#slots = new Uint32Array(0)
    this.#impacts = new Uint8Array(0)
  }

  #open(): void {
    this.#terms = new Uint32Array(PLACES)
    this.#slots = new Uint32Array(PLACES)
    this.#impacts = new Uint8Array(PLACES)
  }
}
