import { describe, expect, test } from 'bun:test'
import { assemble } from '../../../model/build-wasm.ts'
import { ROWS_WASM } from '../../../src/search/embedding/rows-wasm.ts'
import { BITMAP_ROWS_WASM } from '../../../src/search/index/bitmap-rows-wasm.ts'
import { Centroids } from '../../../src/search/vector/centroids.ts'
import { IvfIndex, type SearchOptions } from '../../../src/search/vector/ivf.ts'
import { SCAN_WASM } from '../../../src/search/vector/scan-wasm.ts'
import { fc } from '../../fast-check.ts'

const DIMENSIONS = 64
const CENTROIDS = 48

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

const centroids = new Centroids(
  Int8Array.from({ length: CENTROIDS * DIMENSIONS }, (_, i) => Math.round(createNoise(i + 7)() * 127)),
  DIMENSIONS,
)

type Order = (a: number, b: number) => number
const bySlot: Order = (a, b) => a - b

const open = (exactUpTo?: number) =>
  new IvfIndex({ dimensions: DIMENSIONS, centroids, ...(exactUpTo === undefined ? {} : { exactUpTo }) })

const put = (vectors: IvfIndex, slot: number, vector: Float32Array) =>
  vectors.set(slot, vectors.encode(vector))

function nearest(
  vectors: IvfIndex,
  query: Float32Array,
  k: number,
  options?: SearchOptions & { readonly order?: Order },
) {
  const { order = bySlot, ...others } = options ?? {}
  return vectors.nearest(vectors.toQuery(query), k, order, others)
}

/** Ties are broken by name. */
function fill(names: readonly string[], vectorOf: (name: string) => Float32Array, exactUpTo?: number) {
  const order: Order = (a, b) => (names[a]! < names[b]! ? -1 : 1)
  const vectors = open(exactUpTo)
  names.forEach((name, slot) => {
    put(vectors, slot, vectorOf(name))
  })
  const ask = (query: Float32Array, k: number) =>
    nearest(vectors, query, k, { order }).map(({ slot, cosine }) => `${names[slot]} ${cosine}`)
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

test.each([
  ['every vector is compared', 1_000],
  ['few lists are compared', 100],
])('a repeated query is answered from the current vectors, if %s', (_, exactUpTo) => {
  const vectors = open(exactUpTo)
  const fresh = () => {
    const other = open(exactUpTo)
    for (const [slot, seed] of seeds) put(other, slot, toVector(seed))
    return other
  }
  const seeds = new Map(Array.from({ length: 400 }, (_, slot) => [slot, slot]))
  for (const [slot, seed] of seeds) put(vectors, slot, toVector(seed))
  const [query, between] = [vectors.toQuery(toVector(1_000)), vectors.toQuery(toVector(2_000))]
  const isEven = (slot: number) => slot % 2 === 0
  const check = () => {
    const expected = fresh()
    const asked: readonly (readonly [number, SearchOptions])[] = [
      [5, {}],
      [30, {}],
      [5, { accept: isEven }],
      [5, { probeFactor: 0.25 }],
    ]
    for (const [k, options] of asked) {
      expect(vectors.nearest(query, k, bySlot, options)).toEqual(
        nearest(expected, toVector(1_000), k, options),
      )
      expect(vectors.cosines(between, [1, 2])).toEqual(expected.cosines(between, [1, 2]))
    }
    vectors.nearest(between, 3, bySlot)
    expect(vectors.nearest(query, 5, bySlot)).toEqual(nearest(expected, toVector(1_000), 5))
  }
  check()
  const [first] = vectors.nearest(query, 1, bySlot)
  vectors.delete(first!.slot)
  seeds.delete(first!.slot)
  check()
  put(vectors, 7, toVector(1_000))
  seeds.set(7, 1_000)
  check()
  expect(vectors.nearest(query, 1, bySlot)[0]!.slot).toBe(7)
})

const seedOf = (name: string) => Number(name.slice(1))
const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`)

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
    const found = nearest(vectors, toVector(5), 20, { accept: slot => slot % 7 === 0 })
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
  for (const [kind, exactUpTo] of [
    ['exact', undefined],
    ['clustered', 200],
  ] as const) {
    test(`does not change a ${kind} answer, not even among equal vectors`, () => {
      // Every ten names share a vector, so that ties cross the end of the list.
      const vectorOf = (name: string) => toVector(Math.floor(seedOf(name) / 10))
      const inOrder = fill(names(3_000), vectorOf, exactUpTo).ask(query, 45)
      const noise = createNoise(3)
      const shuffled = names(3_000)
        .map(name => ({ name, at: noise() }))
        .sort((a, b) => a.at - b.at)
        .map(({ name }) => name)
      expect(fill(shuffled, vectorOf, exactUpTo).ask(query, 45)).toEqual(inOrder)
    })
  }

  test('does not matter through removals and reuse of slots', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ slot: fc.nat(60), seed: fc.option(fc.nat(400), { nil: undefined }) }), {
          maxLength: 300,
        }),
        changes => {
          const vectors = open(20)
          const kept = new Map<number, number>()
          for (const { slot, seed } of changes) {
            if (seed === undefined) {
              vectors.delete(slot)
              kept.delete(slot)
            } else {
              put(vectors, slot, toVector(seed))
              kept.set(slot, seed)
            }
          }
          const fresh = open(20)
          for (const [slot, seed] of [...kept].reverse()) put(fresh, slot, toVector(seed))
          expect(vectors.size).toBe(kept.size)
          expect(nearest(vectors, query, 12)).toEqual(nearest(fresh, query, 12))
        },
      ),
      { numRuns: 20 },
    )
  })
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

describe('a catalog with few, crowded lists', () => {
  const crowd = (seed: number) => {
    const vector = toVector(1)
    toVector(seed).forEach((x, d) => {
      vector[d]! += 0.4 * x
    })
    return vector
  }
  const slots = Array.from({ length: 3_000 }, (_, slot) => slot)
  const found = (vectors: IvfIndex, k: number) =>
    [5, 50_001, 50_002, 50_003].map(seed => nearest(vectors, crowd(seed), k))

  test('returns the same for any order of insertion, and after other vectors were added and removed', () => {
    const [one, two] = [open(100), open(100)]
    for (const slot of slots) put(one, slot, crowd(slot))
    for (const slot of slots) put(two, slot + 3_000, crowd(slot + 70_000))
    for (const slot of slots.toReversed()) {
      put(two, slot, crowd(slot + 1))
      put(two, slot, crowd(slot))
      two.delete(slot + 3_000)
    }
    expect(two.size).toBe(one.size)
    expect(found(two, 20)).toEqual(found(one, 20))
    for (const slot of slots.slice(60)) {
      one.delete(slot)
      two.delete(slots.length + 59 - slot)
    }
    expect(found(two, 20)).toEqual(found(one, 20))
  })

  test('is compared exhaustively while it is small', () => {
    const vectors = open(10_000)
    for (const slot of slots) put(vectors, slot, crowd(slot))
    const cosines = vectors.cosines(vectors.toQuery(crowd(50_004)), slots)
    const exact = slots.toSorted((a, b) => cosines[b]! - cosines[a]! || a - b)
    expect(nearest(vectors, crowd(50_004), 30).map(({ slot }) => slot)).toEqual(exact.slice(0, 30))
    expect(nearest(vectors, crowd(50_004), 5_000)).toHaveLength(3_000)
  })
})

test('a selective filter makes the search continue until it has k', () => {
  const { vectors } = fill(names(5_000), name => toVector(seedOf(name)), 100)
  const found = nearest(vectors, toVector(77_777), 5, { accept: slot => slot >= 4_990 })
  expect(found).toHaveLength(5)
})

test('a search with a selective filter is exact if all lists are probed', () => {
  const { vectors } = fill(names(20_000), name => toVector(seedOf(name)), 100)
  const passing = names(400).map((_, i) => i * 50)
  for (let seed = 70_000; seed < 70_010; seed++) {
    const cosines = vectors.cosines(vectors.toQuery(toVector(seed)), passing)
    const exact = [...cosines].sort((a, b) => b - a).slice(0, 10)
    const found = nearest(vectors, toVector(seed), 10, { accept: slot => slot % 50 === 0, probeFactor: 200 })
    expect(found.map(({ cosine }) => cosine)).toEqual(exact)
  }
})

test('the assembled kernels match their sources', async () => {
  expect(await assemble('vector/scan')).toBe(SCAN_WASM)
  expect(await assemble('embedding/rows')).toBe(ROWS_WASM)
  expect(await assemble('index/bitmap-rows')).toBe(BITMAP_ROWS_WASM)
})
