// Vectors that lie in many places, compared with a query in one go: whole, or first by the signs of their numbers, in which
// a vector takes an eighth of the memory, and only the best of those whole. The query's own numbers are added up as the
// signs say: that tells far more than how many signs differ, since most of what a query says lies in a few of its numbers.
import type { Image } from '../../memory/snapshot.ts'
import { LANES, type VectorMemory } from './vector-memory.ts'

/** The most vectors of one row. */
const ROW = 64
/** Four numbers: where a row's sketches, vectors and factors begin, and how many they are. */
const ROW_BYTES = 16
const LEAST_ROWS = 512
/** So many times as many as are wanted are tested first, then as many as should suffice and a fifth more, never beyond four times as many. */
const TESTED = 3
const SPARE = 1.2
const MOST_MORE = 4
/** For each vector of a row how near it seems, a place and a score. */
const VECTOR_BYTES = 1 + 4 + 4
/** How near a vector seems by its signs is told in a byte, a quarter of what the numbers of the query add up to. */
const NEARNESSES = 256
const MOST_TOGETHER = 4 * (NEARNESSES - 1)
/** What four numbers of a query add up to at most, so that the loops can add them as bytes: rounding adds no more than 2. */
const FOUR = 4
const MOST_OF_FOUR = 63 - 2

/** So many are looked up before any of them is tested. */
const STRETCH = 256
const testedSlots = new Int32Array(STRETCH)

/** What a query is kept as, for `compare` and for `judge`. */
export type QueryPlaces = { readonly levelsAt: number; readonly queryAt: number }

/** Which vectors are to be compared. */
export type Passing = {
  /** What stands for a vector, by the number of its row and its position in it. */
  readonly slotAt: (row: number, position: number) => number
  readonly accept: (slot: number) => boolean
}

export class VectorTable {
  readonly #memory: VectorMemory
  readonly #query: QueryPlaces
  readonly #dimensions: number
  readonly #sketchBytes: number
  readonly #sharesAt: number
  readonly #sumsAt: number
  readonly #countsAt: number
  readonly #passingAt: number
  readonly #takenAt: number
  #rows = 0
  /** Room for so many rows; found anew where more are compared at a time. */
  #room = 0
  #tableAt = 0

  constructor(memory: VectorMemory, dimensions: number, query: QueryPlaces) {
    this.#memory = memory
    this.#query = query
    this.#dimensions = dimensions
    this.#sketchBytes = dimensions / 8
    this.#sharesAt = memory.allocate(dimensions)
    this.#sumsAt = memory.allocate((dimensions / FOUR) * 2 ** FOUR)
    this.#countsAt = memory.allocate(NEARNESSES * 4)
    this.#passingAt = memory.allocate(NEARNESSES * 4)
    this.#takenAt = memory.allocate(4)
  }

  clear(): void {
    this.#rows = 0
  }

  /** Adds `count` (1 to 64) vectors of a run, from `position` on: 0 where they are to be compared by their signs. */
  add(factorsAt: number, vectorsAt: number, sketchesAt: number, position: number, count: number): void {
    if (this.#rows === this.#room) this.#enlarge()
    const { integers } = this.#memory
    const row = (this.#tableAt + this.#rows++ * ROW_BYTES) >> 2
    integers[row] = sketchesAt
    integers[row + 1] = vectorsAt + position * this.#dimensions
    integers[row + 2] = factorsAt + position * 4
    integers[row + 3] = count
  }

  /** Compares the first vector of every row; `scoreAt` then tells how near each is. */
  compareFirsts(): void {
    const { integers } = this.#memory
    const places = this.#placesAt >> 2
    for (let row = 0; row < this.#rows; row++) integers[places + row] = row * ROW
    this.#compare(this.#rows)
  }

  /**
   * Of all vectors, or of those that pass, compares whole those `wanted` (or more, where they tie) that seem nearest to the
   * query by their signs. Answers how many were; rowAt, positionAt and scoreAt then tell of each.
   */
  compareNearest(wanted: number, test?: Passing): number {
    if (this.#rows === 0) return 0
    const { loops } = this.#memory
    this.#clear(this.#countsAt)
    this.#share()
    loops.sumSigns(this.#sharesAt, this.#dimensions, this.#sumsAt)
    loops.judge(this.#sumsAt, this.#tableAt, this.#rows, this.#sketchBytes, this.#nearnessAt, this.#countsAt)
    const found = test
      ? this.#selectPassing(wanted, test)
      : this.#select(this.#leastOf(wanted, this.#countsAt), NEARNESSES, 0)
    this.#compare(found)
    return found
  }

  rowAt(found: number): number {
    return this.#memory.integers[(this.#placesAt >> 2) + found]! >>> 6
  }

  positionAt(found: number): number {
    return this.#memory.integers[(this.#placesAt >> 2) + found]! & (ROW - 1)
  }

  /** Still lacks the query's factor. */
  scoreAt(found: number): number {
    return this.#memory.floats[(this.#scoresAt >> 2) + found]!
  }

  /** Which of so many that were compared is the nearest, the first of equals; it is given once. -1 where none is left. */
  takeNearest(found: number): number {
    return found === 0 ? -1 : this.#memory.loops.takeHighest(this.#scoresAt, found, this.#takenAt)
  }

  /** The score of the one that was given last. */
  get taken(): number {
    return this.#memory.floats[this.#takenAt >> 2]!
  }

  carry(image: Image): void {
    this.#room = image.number(this.#room)
    this.#tableAt = image.number(this.#tableAt)
  }

  get #nearnessAt(): number {
    return this.#tableAt + this.#room * ROW_BYTES
  }

  get #placesAt(): number {
    return this.#nearnessAt + this.#room * ROW
  }

  get #scoresAt(): number {
    return this.#placesAt + this.#room * ROW * 4
  }

  #enlarge(): void {
    const room = Math.max(LEAST_ROWS, this.#room * 2)
    const at = this.#memory.allocate(room * (ROW_BYTES + ROW * VECTOR_BYTES) + LANES * 4)
    this.#memory.bytes.copyWithin(at, this.#tableAt, this.#tableAt + this.#room * ROW_BYTES)
    this.#tableAt = at
    this.#room = room
  }

  /** The query's numbers, smaller: as large as all of them together and any four of them may be. */
  #share(): void {
    const { bytes } = this.#memory
    const { levelsAt } = this.#query
    let together = 0
    let mostOfFour = 1
    for (let at = levelsAt; at < levelsAt + this.#dimensions; at += FOUR) {
      const four =
        Math.abs(bytes[at]!) + Math.abs(bytes[at + 1]!) + Math.abs(bytes[at + 2]!) + Math.abs(bytes[at + 3]!)
      together += four
      if (four > mostOfFour) mostOfFour = four
    }
    const scale = Math.min(MOST_OF_FOUR / mostOfFour, MOST_TOGETHER / Math.max(1, together))
    for (let d = 0; d < this.#dimensions; d++) {
      const share = bytes[levelsAt + d]! * scale
      bytes[this.#sharesAt + d] = share < 0 ? share - 0.5 : share + 0.5
    }
  }

  #clear(countsAt: number): void {
    this.#memory.integers.fill(0, countsAt >> 2, (countsAt >> 2) + NEARNESSES)
  }

  /** The highest nearness that `wanted` of the counted reach, or 0. */
  #leastOf(wanted: number, countsAt: number): number {
    const { integers } = this.#memory
    let nearness = NEARNESSES - 1
    for (let left = wanted; nearness > 0; nearness--) {
      left -= integers[(countsAt >> 2) + nearness]!
      if (left <= 0) break
    }
    return nearness
  }

  /** Finds the vectors that seem at least so near and less than `below`, behind so many others; answers how many. */
  #select(least: number, below: number, behind: number): number {
    const places = this.#placesAt + behind * 4
    const { loops } = this.#memory
    return loops.select(this.#tableAt, this.#rows, this.#nearnessAt, least, below - 1 - least, places)
  }

  /** A test costs more than a look at signs, so only the nearest are tested, and more of them while too few pass. */
  #selectPassing(wanted: number, test: Passing): number {
    this.#clear(this.#passingAt)
    let passing = 0
    let tested = 0
    let below = NEARNESSES
    for (let most = TESTED * wanted; below > 0 && passing < wanted; ) {
      const least = this.#leastOf(most, this.#countsAt)
      const found = this.#select(least, below, passing)
      passing = this.#keepPassing(passing, found, test)
      tested += found
      below = least
      most = tested * Math.min(MOST_MORE, (SPARE * wanted) / Math.max(1, passing))
    }
    return this.#keepNearest(passing, wanted)
  }

  /** Of what was found behind the first `passing` keeps what passes, and counts how near it seems; answers how many pass now. */
  #keepPassing(passing: number, found: number, { slotAt, accept }: Passing): number {
    const { integers, bytes } = this.#memory
    const places = this.#placesAt >> 2
    const counts = this.#passingAt >> 2
    let kept = passing
    for (let from = passing; from < passing + found; from += STRETCH) {
      const end = Math.min(passing + found, from + STRETCH)
      // All of these first: the processor waits for many at the same time, but not behind a test whose end it has to guess.
      for (let i = from; i < end; i++) {
        const place = integers[places + i]!
        testedSlots[i - from] = slotAt(place >>> 6, place & (ROW - 1))
      }
      for (let i = from; i < end; i++) {
        if (!accept(testedSlots[i - from]!)) continue
        const place = integers[places + i]!
        integers[places + kept++] = place
        integers[counts + (bytes[this.#nearnessAt + place]! & 0xff)]!++
      }
    }
    return kept
  }

  /** Of so many places that pass keeps those that seem nearest; answers how many. */
  #keepNearest(count: number, wanted: number): number {
    const { integers, bytes } = this.#memory
    const places = this.#placesAt >> 2
    const least = this.#leastOf(wanted, this.#passingAt)
    let kept = 0
    for (let i = 0; i < count; i++) {
      const place = integers[places + i]!
      if ((bytes[this.#nearnessAt + place]! & 0xff) >= least) integers[places + kept++] = place
    }
    return kept
  }

  #compare(count: number): void {
    if (count === 0) return
    const { queryAt } = this.#query
    const { loops, floats } = this.#memory
    loops.compare(queryAt, this.#tableAt, this.#placesAt, count, this.#dimensions, this.#scoresAt)
    const end = (this.#scoresAt >> 2) + count
    for (let i = 0; i < LANES; i++) floats[end + i] = Number.NEGATIVE_INFINITY
  }
}
