import { describe, expect, test } from 'bun:test'
import { assemble } from '../../../model/build-wasm.ts'
import { ROWS_WASM, SCAN_WASM } from '../../../src/search/embedding/kernels.ts'
import { VectorIndex } from '../../../src/search/embedding/vectors.ts'
import { fc } from '../../fast-check.ts'

const DIMENSIONS = 64
/** More than are compared exactly. */
const MANY = 9_000

/** Numbers that look random and are the same on every run. */
function createNoise(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  }
}

function toVector(seed: number): Float32Array {
  const noise = createNoise(seed)
  return Float32Array.from({ length: DIMENSIONS }, noise)
}

type Order = (a: number, b: number) => number
type Accept = (slot: number) => boolean
const bySlot: Order = (a, b) => a - b

const open = () => new VectorIndex(DIMENSIONS)
const put = (vectors: VectorIndex, slot: number, vector: Float32Array) =>
  vectors.set(slot, vectors.encode(vector))
const nearest = (vectors: VectorIndex, query: Float32Array, k: number, accept?: Accept, order = bySlot) =>
  vectors.nearest(vectors.toQuery(query), k, order, accept)

/** Ties are broken by name. */
function fill(names: readonly string[], vectorOf: (name: string) => Float32Array) {
  const order: Order = (a, b) => (names[a]! < names[b]! ? -1 : 1)
  const vectors = open()
  names.forEach((name, slot) => {
    put(vectors, slot, vectorOf(name))
  })
  const ask = (query: Float32Array, k: number) =>
    nearest(vectors, query, k, undefined, order).map(({ slot, cosine }) => `${names[slot]} ${cosine}`)
  return { vectors, ask }
}

const cosine = (a: Float32Array, b: Float32Array) => {
  let [dot, x, y] = [0, 0, 0]
  for (let d = 0; d < a.length; d++) {
    dot += a[d]! * b[d]!
    x += a[d]! ** 2
    y += b[d]! ** 2
  }
  return dot / Math.sqrt(x * y)
}

const seedOf = (name: string) => Number(name.slice(1))
const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`)

test.each([400, MANY])('a repeated query is answered from the current vectors, of %i', count => {
  const vectors = open()
  const seeds = new Map(Array.from({ length: count }, (_, slot) => [slot, slot]))
  for (const [slot, seed] of seeds) put(vectors, slot, toVector(seed))
  const [query, between] = [vectors.toQuery(toVector(10_000)), vectors.toQuery(toVector(20_000))]
  const isEven = (slot: number) => slot % 2 === 0
  const check = () => {
    const expected = open()
    for (const [slot, seed] of seeds) put(expected, slot, toVector(seed))
    for (const [k, accept] of [[5], [30], [5, isEven]] as const) {
      expect(vectors.nearest(query, k, bySlot, accept)).toEqual(
        nearest(expected, toVector(10_000), k, accept),
      )
      expect(vectors.cosines(between, [1, 2])).toEqual(expected.cosines(between, [1, 2]))
    }
    vectors.nearest(between, 3, bySlot)
    expect(vectors.nearest(query, 5, bySlot)).toEqual(nearest(expected, toVector(10_000), 5))
  }
  check()
  const [first] = vectors.nearest(query, 1, bySlot)
  vectors.delete(first!.slot)
  seeds.delete(first!.slot)
  check()
  put(vectors, 7, toVector(10_000))
  seeds.set(7, 10_000)
  check()
  expect(vectors.nearest(query, 1, bySlot)[0]!.slot).toBe(7)
})

describe('a small catalog', () => {
  const { vectors, ask } = fill(names(500), name => toVector(seedOf(name)))

  test('finds a vector by itself, with a cosine of one', () => {
    for (const slot of [0, 77, 499]) {
      const [first] = nearest(vectors, toVector(slot), 1)
      expect(first?.slot).toBe(slot)
      expect(first?.cosine).toBeCloseTo(1, 5)
    }
  })

  test('gives the cosines of an exact comparison, up to rounding', () => {
    const query = toVector(9_999)
    const exact = names(500).map(name => cosine(query, toVector(seedOf(name))))
    const found = nearest(vectors, query, 500)
    expect(found).toHaveLength(500)
    for (const { slot, cosine } of found) expect(Math.abs(cosine - exact[slot]!)).toBeLessThan(0.01)
    expect(found[0]!.cosine).toBeGreaterThan(Math.max(...exact) - 0.01)
  })

  test('gives single slots the same cosines as the search', () => {
    const found = nearest(vectors, toVector(1_234), 20)
    const cosines = vectors.cosines(
      vectors.toQuery(toVector(1_234)),
      found.map(({ slot }) => slot),
    )
    expect([...cosines]).toEqual(found.map(({ cosine }) => cosine))
  })

  test('leaves out what the filter rejects and still finds k', () => {
    const found = nearest(vectors, toVector(5), 20, slot => slot % 7 === 0)
    expect(found).toHaveLength(20)
    expect(found.every(({ slot }) => slot % 7 === 0)).toBe(true)
  })

  test('has no neighbour for a query of zeros', () => {
    expect(ask(new Float32Array(DIMENSIONS), 5)).toEqual([])
    expect(vectors.cosines(vectors.toQuery(new Float32Array(DIMENSIONS)), [3])[0]).toBe(0)
  })
})

describe('the order of insertion', () => {
  const query = toVector(31_337)
  test.each([3_000, 30_000])('does not change an answer among %i, not even among equal vectors', count => {
    // Every ten names share a vector, so that ties cross the end of the list.
    const vectorOf = (name: string) => toVector(Math.floor(seedOf(name) / 10))
    const inOrder = fill(names(count), vectorOf).ask(query, 45)
    const noise = createNoise(3)
    const shuffled = names(count)
      .map(name => ({ name, at: noise() }))
      .sort((a, b) => a.at - b.at)
      .map(({ name }) => name)
    expect(fill(shuffled, vectorOf).ask(query, 45)).toEqual(inOrder)
  })

  test('does not matter through removals and reuse of slots', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ slot: fc.nat(60), seed: fc.option(fc.nat(400), { nil: undefined }) }), {
          maxLength: 300,
        }),
        changes => {
          const [vectors, fresh] = [open(), open()]
          const kept = new Map<number, number>()
          // Others below, so that the slots that are written are among many.
          for (let slot = 100; slot < MANY; slot++) for (const each of [vectors, fresh]) put(each, slot, far)
          for (const { slot, seed } of changes) {
            if (seed === undefined) {
              vectors.delete(slot)
              kept.delete(slot)
            } else {
              put(vectors, slot, toVector(seed))
              kept.set(slot, seed)
            }
          }
          for (const [slot, seed] of [...kept].reverse()) put(fresh, slot, toVector(seed))
          expect(vectors.size).toBe(fresh.size)
          expect(nearest(vectors, query, 12)).toEqual(nearest(fresh, query, 12))
        },
      ),
      { numRuns: 10 },
    )
  })
  const far = query.map(x => -x)
})

describe('what is stored', () => {
  test('does not include a vector of zeros, which also removes an older one', () => {
    const { vectors } = fill(['n1'], () => toVector(1))
    put(vectors, 0, new Float32Array(DIMENSIONS))
    expect(vectors.size).toBe(0)
    expect(nearest(vectors, toVector(1), 3)).toEqual([])
  })

  test('is counted in bytes, and its memory is reused after removal', () => {
    const { vectors } = fill(names(20_000), name => toVector(seedOf(name)))
    const full = vectors.bytes
    expect(full).toBeGreaterThan(20_000 * DIMENSIONS)
    for (let slot = 0; slot < 20_000; slot++) vectors.delete(slot)
    for (let slot = 0; slot < 20_000; slot++) put(vectors, slot, toVector(slot))
    expect(vectors.bytes).toBe(full)
  })

  test('must have the right number of dimensions', () => {
    const { vectors } = fill(['n1'], () => toVector(1))
    expect(() => vectors.encode(new Float32Array(DIMENSIONS - 1))).toThrow('64 numbers')
  })
})

test.each([500, MANY])('a search with a selective filter is exact, among %i', count => {
  const { vectors } = fill(names(count), name => toVector(seedOf(name)))
  const passing = names(count / 50).map((_, i) => i * 50)
  for (let seed = 70_000; seed < 70_010; seed++) {
    const cosines = vectors.cosines(vectors.toQuery(toVector(seed)), passing)
    const exact = [...cosines].sort((a, b) => b - a).slice(0, 10)
    const found = nearest(vectors, toVector(seed), 10, slot => slot % 50 === 0)
    expect(found.map(({ cosine }) => cosine)).toEqual(exact)
  }
})

test('few of the nearest are missed among many, even if none is much nearer than others', () => {
  const { vectors } = fill(names(30_000), name => toVector(seedOf(name)))
  const slots = names(30_000).map((_, slot) => slot)
  let found = 0
  for (let seed = 70_000; seed < 70_010; seed++) {
    const cosines = vectors.cosines(vectors.toQuery(toVector(seed)), slots)
    const exact = new Set(slots.toSorted((a, b) => cosines[b]! - cosines[a]! || a - b).slice(0, 20))
    found += nearest(vectors, toVector(seed), 20).filter(({ slot }) => exact.has(slot)).length
  }
  expect(found).toBeGreaterThanOrEqual(170)
})

test('the assembled kernels match their sources', async () => {
  expect(await assemble('scan')).toBe(SCAN_WASM)
  expect(await assemble('rows')).toBe(ROWS_WASM)
})
