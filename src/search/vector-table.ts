// Vectors that lie in many places, compared with a query in one go: whole, or first by the signs of their numbers, in which
// a vector takes an eighth of the memory, and only the best of those whole.
import type { Image } from '../domain/image.ts'
import { LANES, type VectorMemory } from './vector-memory.ts'

/** The most vectors of one row. */
const ROW = 64
/** Four numbers: where a row's sketches, vectors and factors begin, and how many they are. */
const ROW_BYTES = 16
const LEAST_ROWS = 512
/** So many times as many as are wanted are tested first, and so many times more each time. */
const TESTED = 4
/** For each vector of a row a distance, a place and a score. */
const VECTOR_BYTES = 1 + 4 + 4

/** What a query is kept as, for `compare` and for `distances`. */
export type QueryPlaces = { readonly levelsAt: number; readonly queryAt: number }

/** Whether a vector is to be compared, told by the number of its row and its position in it. */
export type Passes = (row: number, position: number) => boolean

export class VectorTable {
  readonly #memory: VectorMemory
  readonly #query: QueryPlaces
  readonly #dimensions: number
  readonly #sketchBytes: number
  readonly #querySketchAt: number
  readonly #countsAt: number
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
    this.#querySketchAt = memory.allocate(this.#sketchBytes)
    this.#countsAt = memory.allocate((dimensions + 1) * 4)
    this.#takenAt = memory.allocate(4)
  }

  clear(): void {
    this.#rows = 0
  }

  /** Adds `count` (1 to 64) vectors of a run, from `position` on. */
  add(factorsAt: number, vectorsAt: number, sketchesAt: number, position: number, count: number): void {
    if (this.#rows === this.#room) this.#enlarge()
    const { integers } = this.#memory
    const row = (this.#tableAt + this.#rows++ * ROW_BYTES) >> 2
    integers[row] = sketchesAt + position * this.#sketchBytes
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
   * Of all vectors, or of those that pass, compares whole those `wanted` (or more, where they tie) that differ least from
   * the query in their signs. Answers how many were; rowAt, positionAt and scoreAt then tell of each.
   */
  compareNearest(wanted: number, passes?: Passes): number {
    if (this.#rows === 0) return 0
    const { loops, integers } = this.#memory
    integers.fill(0, this.#countsAt >> 2, (this.#countsAt >> 2) + this.#dimensions + 1)
    loops.sketch(this.#query.levelsAt, this.#dimensions, this.#querySketchAt)
    loops.distances(
      this.#querySketchAt,
      this.#tableAt,
      this.#rows,
      this.#sketchBytes,
      this.#distancesAt,
      this.#countsAt,
    )
    const found = passes ? this.#selectPassing(wanted, passes) : this.#select(this.#cutoff(wanted))
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

  get #distancesAt(): number {
    return this.#tableAt + this.#room * ROW_BYTES
  }

  get #placesAt(): number {
    return this.#distancesAt + this.#room * ROW
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

  /** The least number of differing signs that `wanted` vectors do not exceed. */
  #cutoff(wanted: number): number {
    const { integers } = this.#memory
    let distance = 0
    for (let left = wanted; distance < this.#dimensions; distance++) {
      left -= integers[(this.#countsAt >> 2) + distance]!
      if (left <= 0) break
    }
    return distance
  }

  /** Makes the vectors with at most so many differing signs those that were found; answers how many. */
  #select(cutoff: number): number {
    const { loops } = this.#memory
    return loops.select(this.#tableAt, this.#rows, this.#distancesAt, cutoff, this.#placesAt)
  }

  /** A test costs more than a distance, so only the nearest are tested, and more of them while too few pass. */
  #selectPassing(wanted: number, passes: Passes): number {
    // All of them now: counting what passes takes the place of these counts.
    const cutoffs: number[] = []
    for (let most = TESTED * wanted; cutoffs.at(-1) !== this.#dimensions; most *= TESTED)
      cutoffs.push(this.#cutoff(most))
    let passing = 0
    for (const cutoff of cutoffs) {
      passing = this.#keepPassing(this.#select(cutoff), passes)
      if (passing >= wanted) break
    }
    return this.#keepNearest(passing, wanted)
  }

  /** Of the places that were found keeps those that pass, and counts their distances; answers how many. */
  #keepPassing(found: number, passes: Passes): number {
    const { integers, bytes } = this.#memory
    const places = this.#placesAt >> 2
    const counts = this.#countsAt >> 2
    integers.fill(0, counts, counts + this.#dimensions + 1)
    let passing = 0
    for (let i = 0; i < found; i++) {
      const place = integers[places + i]!
      if (!passes(place >>> 6, place & (ROW - 1))) continue
      integers[places + passing++] = place
      integers[counts + (bytes[this.#distancesAt + place]! & 0xff)]!++
    }
    return passing
  }

  /** Of so many places whose distances were counted keeps the nearest; answers how many. */
  #keepNearest(count: number, wanted: number): number {
    const { integers, bytes } = this.#memory
    const places = this.#placesAt >> 2
    const cutoff = this.#cutoff(wanted)
    let kept = 0
    for (let i = 0; i < count; i++) {
      const place = integers[places + i]!
      if ((bytes[this.#distancesAt + place]! & 0xff) <= cutoff) integers[places + kept++] = place
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
