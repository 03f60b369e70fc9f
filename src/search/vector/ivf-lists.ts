// Where vectors lie: each in the cell of its cluster, and a cell that grows too large is split by the direction in which
// its vectors leave the cluster's centre. Which cells there are depends on the vectors alone: a cell is split exactly
// while more than the limit lie in it, so neither the order of arrival nor what was removed leaves a trace.
import type { Image } from '../../memory/snapshot.ts'
import type { QuantisedVector, VectorScan } from './scan.ts'
import { createVectorDirections, DIRECTIONS } from './split-directions.ts'
import type { VectorTable } from './table.ts'
import type { VectorRun } from './vector-memory.ts'

export type VectorCells = {
  readonly size: number
  readonly bytes: number
  insert(slot: number, cluster: number, vector: QuantisedVector): void
  remove(slot: number): void
  /** Adds a slot's vector to the table; false where there is none. */
  addTo(table: VectorTable, slot: number): boolean
  /** Adds the first `count` vectors of a run to the table. */
  addRunTo(table: VectorTable, run: number, count: number): void
  /** Calls the visitor for every run of the cells nearest to the query in a cluster, until it answers false. */
  visit(cluster: number, query: QuantisedVector, visitor: VisitRun): boolean
  /** The same for the cells that `visit` leaves out. */
  visitRest(cluster: number, query: QuantisedVector, visitor: VisitRun): boolean
  slotAt(run: number, position: number): number
  runOf(run: number): VectorRun
  /** In steps of a few clusters. */
  carry(image: Image): Generator<void>
}

/** `isEnd` tells that the cell's last run was given: nothing depends on the order within a cell only if all of it is read. */
export type VisitRun = (run: number, count: number, isEnd: boolean) => boolean

const BLOCK_SHIFT = 6
const BLOCK = 1 << BLOCK_SHIFT
/** So many runs are taken at a time, so that their sketches lie side by side. */
const TOGETHER = 32
const ABSENT = -1
/** What a split hides from a query costs more answers than a long cell costs time, so only one that is very long is split. */
const CELL_LIMIT = 8192
const MOST_DEPTH = 4
const CARRIED = 32
/** How many of the eight parts of a split cell a query visits. */
const VISITED = 2

type Cell = {
  readonly number: number
  readonly cluster: number
  readonly depth: number
  readonly parent: Cell | undefined
  /** Of the cell and all below it. */
  count: number
  blocks: number[]
  children: Cell[] | undefined
}

function grown(array: Int32Array, length: number): Int32Array {
  if (length <= array.length) return array
  const larger = new Int32Array(Math.max(length, array.length + (array.length >> 1), 1024)).fill(ABSENT)
  larger.set(array)
  return larger
}

export function createVectorCells(
  scan: VectorScan,
  centres: readonly QuantisedVector[],
  limit = CELL_LIMIT,
): VectorCells {
  const directions = createVectorDirections(scan.dimensions, MOST_DEPTH)
  const cells: Cell[] = []
  const freeCells: number[] = []
  function toCell(cluster: number, depth: number, parent: Cell | undefined): Cell {
    const number = freeCells.pop() ?? cells.length
    const cell: Cell = { number, cluster, depth, parent, count: 0, blocks: [], children: undefined }
    cells[number] = cell
    return cell
  }
  const roots = centres.map((_, cluster) => toCell(cluster, 0, undefined))
  /** Where the factors, vectors and sketches of each run begin. */
  let starts: Int32Array = new Int32Array(0)
  let runs = 0
  let freeRuns: number[] = []
  /** The number of the cell of each slot: the collector would look through a million references again and again. */
  let cellOf: Int32Array = new Int32Array(0)
  let places: Int32Array = new Int32Array(0)
  let slotAt: Int32Array = new Int32Array(0)
  let size = 0

  /** The part of a split cell that a vector belongs to. */
  const partOf = (vector: QuantisedVector, { cluster, depth }: Cell): number =>
    directions.of(vector, centres[cluster]!, depth)

  function takeRun(): number {
    const free = freeRuns.pop()
    if (free !== undefined) return free
    const run = runs
    runs += TOGETHER
    slotAt = grown(slotAt, runs * BLOCK)
    starts = grown(starts, runs * 3)
    for (const [i, { factorsAt, vectorsAt, sketchesAt }] of scan.allocate(BLOCK, TOGETHER).entries())
      starts.set([factorsAt, vectorsAt, sketchesAt], (run + i) * 3)
    for (let other = runs - 1; other > run; other--) freeRuns.push(other)
    return run
  }

  const runOf = (run: number): VectorRun => ({
    factorsAt: starts[3 * run]!,
    vectorsAt: starts[3 * run + 1]!,
    sketchesAt: starts[3 * run + 2]!,
  })

  const placeAt = (cell: Cell, index: number): number =>
    cell.blocks[Math.floor(index / BLOCK)]! * BLOCK + (index % BLOCK)

  /** A place at the end of a cell without parts. */
  function append(cell: Cell, slot: number): number {
    const index = cell.count++
    if (index % BLOCK === 0) cell.blocks.push(takeRun())
    const place = placeAt(cell, index)
    slotAt[place] = slot
    places[slot] = place
    cellOf[slot] = cell.number
    return place
  }

  function move(from: number, to: number): void {
    scan.copy(runOf(Math.floor(from / BLOCK)), from % BLOCK, runOf(Math.floor(to / BLOCK)), to % BLOCK)
  }

  function split(cell: Cell): void {
    const { count, blocks } = cell
    cell.children = Array.from({ length: DIRECTIONS }, () => toCell(cell.cluster, cell.depth + 1, cell))
    cell.blocks = []
    for (let index = 0; index < count; index++) {
      const place = blocks[Math.floor(index / BLOCK)]! * BLOCK + (index % BLOCK)
      const vector = scan.view(runOf(Math.floor(place / BLOCK)), place % BLOCK)
      const part = cell.children[partOf(vector, cell)]!
      move(place, append(part, slotAt[place]!))
    }
    freeRuns.push(...blocks)
    for (const part of cell.children) if (isTooLarge(part)) split(part)
  }

  const isTooLarge = ({ count, depth }: Cell): boolean => count > limit && depth < MOST_DEPTH

  /** Takes the vectors of all parts back into the cell. */
  function merge(cell: Cell): void {
    const parts = cell.children!
    cell.children = undefined
    cell.count = 0
    for (const part of parts) {
      if (part.children) merge(part)
      for (let index = 0; index < part.count; index++) {
        const place = placeAt(part, index)
        move(place, append(cell, slotAt[place]!))
      }
      freeRuns.push(...part.blocks)
      freeCells.push(part.number)
    }
  }

  /** Fills the gap with the cell's last vector, so that runs stay dense. */
  function remove(slot: number): void {
    const place = places[slot] ?? ABSENT
    if (place === ABSENT) return
    const cell = cells[cellOf[slot]!]!
    const last = placeAt(cell, --cell.count)
    if (last !== place) {
      move(last, place)
      const moved = slotAt[last]!
      slotAt[place] = moved
      places[moved] = place
    }
    slotAt[last] = ABSENT
    places[slot] = ABSENT
    if (cell.count % BLOCK === 0) freeRuns.push(cell.blocks.pop()!)
    size--
    let shrunk: Cell | undefined
    for (let above = cell.parent; above; above = above.parent) {
      above.count--
      if (!isTooLarge(above)) shrunk = above
    }
    if (shrunk) merge(shrunk)
  }

  function visitRuns(cell: Cell, visitor: VisitRun): boolean {
    for (let first = 0; first < cell.count; first += BLOCK) {
      const count = Math.min(BLOCK, cell.count - first)
      if (!visitor(cell.blocks[first / BLOCK]!, count, first + BLOCK >= cell.count)) return false
    }
    return true
  }

  /** The parts of a split cell from the nearest to the query on. */
  const partsFor = (cell: Cell, query: QuantisedVector): Cell[] =>
    directions.inOrder(query, cell.depth).map(part => cell.children![part]!)

  function visitNear(cell: Cell, query: QuantisedVector, visitor: VisitRun): boolean {
    if (!cell.children) return visitRuns(cell, visitor)
    return partsFor(cell, query)
      .slice(0, VISITED)
      .every(part => visitNear(part, query, visitor))
  }

  function visitFar(cell: Cell, query: QuantisedVector, visitor: VisitRun): boolean {
    if (!cell.children) return true
    return partsFor(cell, query).every((part, i) =>
      i < VISITED
        ? visitFar(part, query, visitor)
        : visitNear(part, query, visitor) && visitFar(part, query, visitor),
    )
  }

  /** A cell and all below it as numbers, one after the other. */
  function tell({ count, blocks, children }: Cell, numbers: number[]): void {
    numbers.push(count, children?.length ?? 0, blocks.length, ...blocks)
    for (const part of children ?? []) tell(part, numbers)
  }

  /** Makes a cell what was told of it, and gives it back its slots. */
  function recall(cell: Cell, next: () => number): void {
    cell.count = next()
    const parts = next()
    cell.blocks = Array.from({ length: next() }, next)
    if (parts > 0) {
      cell.children = Array.from({ length: parts }, () => toCell(cell.cluster, cell.depth + 1, cell))
      for (const part of cell.children) recall(part, next)
    } else
      for (let index = 0; index < cell.count; index++) cellOf[slotAt[placeAt(cell, index)]!] = cell.number
  }

  function* carry(image: Image): Generator<void> {
    scan.carry(image)
    size = image.number(size)
    places = image.array(places)
    slotAt = image.array(slotAt)
    freeRuns = image.numbers(freeRuns)
    runs = image.number(runs)
    starts = image.array(starts, runs * 3)
    const told: number[] = []
    for (const root of roots) tell(root, told)
    const numbers = image.numbers(told)
    if (!image.isReading) return
    cellOf = new Int32Array(places.length)
    let at = 0
    for (const [cluster, root] of roots.entries()) {
      if (cluster % CARRIED === 0) yield
      recall(root, () => numbers[at++]!)
    }
  }

  return {
    get size() {
      return size
    },
    get bytes() {
      return scan.bytes + places.byteLength + slotAt.byteLength + cellOf.byteLength
    },
    insert(slot, cluster, vector) {
      places = grown(places, slot + 1)
      cellOf = grown(cellOf, slot + 1)
      let cell = roots[cluster]!
      while (cell.children) {
        cell.count++
        cell = cell.children[partOf(vector, cell)]!
      }
      const place = append(cell, slot)
      scan.write(runOf(Math.floor(place / BLOCK)), place % BLOCK, vector)
      size++
      if (isTooLarge(cell)) split(cell)
    },
    remove,
    addTo(table, slot) {
      const place = places[slot] ?? ABSENT
      if (place === ABSENT) return false
      const run = 3 * (place >> BLOCK_SHIFT)
      table.add(starts[run]!, starts[run + 1]!, starts[run + 2]!, place % BLOCK, 1)
      return true
    },
    addRunTo(table, run, count) {
      table.add(starts[3 * run]!, starts[3 * run + 1]!, starts[3 * run + 2]!, 0, count)
    },
    visit: (cluster, query, visitor) => visitNear(roots[cluster]!, query, visitor),
    visitRest: (cluster, query, visitor) => visitFar(roots[cluster]!, query, visitor),
    slotAt: (run, position) => slotAt[run * BLOCK + position]!,
    runOf,
    carry,
  }
}
