import { describe, expect, test } from 'bun:test'
import { TopK } from '../../../src/search/topk/top-k.ts'
import { type Int8Vector, quantise } from '../../../src/search/vector/int8.ts'
import { IvfLists } from '../../../src/search/vector/ivf-lists.ts'
import { ListScan } from '../../../src/search/vector/scan.ts'
import { VectorMemory } from '../../../src/search/vector/vector-memory.ts'

const DIMENSIONS = 64
const VECTORS = 200

const toVector = (seed: number): Int8Vector =>
  quantise(Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(seed * 7 + i * (seed + 1))))!

function openScan() {
  const memory = new VectorMemory(DIMENSIONS)
  const lists = new IvfLists(memory, 2)
  for (let slot = 0; slot < VECTORS; slot++) lists.insert(slot, slot % 2, toVector(slot))
  return { lists, scan: new ListScan(memory, lists) }
}

type Collect = (top: TopK) => void
function slotsOf(collect: Collect): number[] {
  const top = new TopK(5, (a, b) => a - b, Number.NEGATIVE_INFINITY)
  collect(top)
  return top.sorted().map(({ slot }) => slot)
}

const [one, other] = [toVector(11), toVector(42)]

describe('the comparisons of a query', () => {
  test('stay the same when another query is compared', () => {
    const { scan } = openScan()
    const scored = scan.scoreAll(one, [0, 1])
    const ordered = scan.scoreSigns(one, [0, 1])
    const expected = [
      slotsOf(top => scan.collectAll(scored, top)),
      slotsOf(top => scan.collectNearest(ordered, 50, top)),
    ]
    expect(expected[0]![0]).toBe(11)
    scan.scoreAll(other, [0])
    scan.scoreSigns(other, [1])
    scan.cosines(other, [3])
    expect([
      slotsOf(top => scan.collectAll(scored, top)),
      slotsOf(top => scan.collectNearest(ordered, 50, top)),
    ]).toEqual(expected)
  })

  test.each([
    ['inserted', (lists: IvfLists) => lists.insert(VECTORS, 0, other)],
    ['removed', (lists: IvfLists) => lists.remove(7)],
  ])('cannot be collected once a vector is %s', (_, write) => {
    const { lists, scan } = openScan()
    const scored = scan.scoreAll(one, [0, 1])
    const ordered = scan.scoreSigns(one, [0, 1])
    write(lists)
    expect(() => slotsOf(top => scan.collectAll(scored, top))).toThrow('written since')
    expect(() => slotsOf(top => scan.collectNearest(ordered, 50, top))).toThrow('written since')
  })
})
