import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../../src/catalog/catalog.ts'
import type { Entry } from '../../../src/domain/listing/service.ts'
import { toPriceWords } from '../../../src/domain/money/money.ts'
import { parseKeywordQuery, parseListQuery } from '../../../src/domain/queries/queries.ts'
import { entry } from '../../entries.ts'
import { fc } from '../../fast-check.ts'

const NAMES = ['alpha', 'Beta', 'beta', '天気予報', '\u{1f600}', '\uff5e', 'émile', 'weather weather', 'tide']
const parts = fc.record({
  name: fc.constantFrom(...NAMES),
  category: fc.constantFrom('weather', 'ai'),
  price: fc.constantFrom('0', '0.01', '0.010', '0.010000000000000001', '5', '999999999999999999'),
  trustScore: fc.integer({ min: 0, max: 4 }),
})
type Parts = { name: string; category: string; price: string; trustScore: number }

const build = ({ name, category, price, trustScore }: Parts): Entry =>
  entry(
    { name, category, pricing: { currency: 'USDC', pricePerRequest: price, freeQuota: 0 } },
    { standing: { trustScore } },
  )

const churn = fc.record({
  kind: fc.constantFrom('add', 'replace', 'remove'),
  parts,
  pick: fc.nat(),
})

const keyOf = (each: Entry, sortBy: string | undefined): unknown =>
  sortBy === 'name'
    ? each.name.toLowerCase()
    : sortBy === 'price'
      ? toPriceWords(each.pricing.pricePerRequest).join()
      : sortBy === 'trustScore'
        ? each.standing.trustScore
        : ''

/** A catalog that can be changed between two pages, and what has become of each entry. */
function createChurning(first: readonly Parts[], sortBy: string | undefined) {
  const catalog = new Catalog()
  const present = new Map<string, Entry>()
  /** There from the beginning, and its sort key never another. */
  const steady = new Set<string>()
  let seq = 0
  const put = (...entries: readonly Entry[]) => {
    for (const each of entries) present.set(each.id, each)
    catalog.apply(entries.map(each => ({ seq: ++seq, objectSeq: seq, id: each.id, entry: each })))
  }
  const added = first.map(build)
  put(...added)
  for (const { id } of added) steady.add(id)
  return {
    catalog,
    steady,
    change({ kind, parts, pick }: { kind: string; parts: Parts; pick: number }) {
      const ids = [...present.keys()]
      const id = ids[pick % ids.length]
      if (kind === 'add' || id === undefined) return put(build(parts))
      if (kind === 'remove') {
        seq++
        present.delete(id)
        steady.delete(id)
        return catalog.apply([{ seq, objectSeq: seq, id, entry: null }])
      }
      const before = present.get(id)!
      const changed = { ...build(parts), id, category: before.category }
      if (keyOf(before, sortBy) !== keyOf(changed, sortBy)) steady.delete(id)
      put(changed)
    },
    entryOf: (id: string) => present.get(id),
    /** As the store would tell them, while nothing has changed. */
    told: () =>
      [...present.values()].map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })),
  }
}

describe('a traversal by cursor', () => {
  test.each([undefined, 'name', 'price', 'trustScore'] as const)(
    'while the catalog changes returns every unmoved entry exactly once, by %s',
    sortBy => {
      fc.assert(
        fc.property(
          fc.array(parts, { maxLength: 30 }),
          fc.array(churn, { maxLength: 60 }),
          fc.record({
            limit: fc.integer({ min: 1, max: 5 }),
            sortOrder: fc.constantFrom('asc', 'desc', undefined),
            category: fc.constantFrom('weather', undefined),
            // These take the ways that test each entry, with and without a known total.
            maxPricePerRequest: fc.constantFrom('999999999999999999', undefined),
            status: fc.constantFrom('unverified', undefined),
            query: sortBy === undefined ? fc.constant(undefined) : fc.constantFrom('forecast', undefined),
          }),
          fc.integer({ min: 0, max: 4 }),
          (first, changes, filters, between) => {
            const { catalog, steady, change, entryOf } = createChurning(first, sortBy)
            const seen: string[] = []
            const left = [...changes]
            for (let cursor: string | undefined = ''; cursor !== undefined; ) {
              const page = catalog.list(parseListQuery({ ...filters, ...(sortBy && { sortBy }), cursor }))
              seen.push(...page.services.decode().map(({ id }) => id))
              cursor = page.next
              for (const each of left.splice(0, between)) change(each)
            }
            const wanted = [...steady].filter(
              id => filters.category === undefined || entryOf(id)!.category === filters.category,
            )
            for (const id of wanted) expect(seen.filter(each => each === id)).toEqual([id])
          },
        ),
        { numRuns: 100 },
      )
    },
  )

  test('returns the same pages as offsets while nothing changes, in every order', () => {
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 40 }),
        fc.record({
          limit: fc.integer({ min: 1, max: 7 }),
          sortBy: fc.constantFrom('name', 'price', 'trustScore', undefined),
          sortOrder: fc.constantFrom('asc', 'desc', undefined),
          query: fc.constantFrom('weather', 'forecast city', 'nothing', undefined),
          category: fc.constantFrom('ai', undefined),
          maxPricePerRequest: fc.constantFrom('0.01', undefined),
        }),
        (first, query) => {
          const { catalog } = createChurning(first, undefined)
          let offset = 0
          for (let cursor: string | undefined = ''; cursor !== undefined; ) {
            const page = catalog.list(parseListQuery({ ...query, cursor }))
            const same = catalog.list(parseListQuery({ ...query, offset }))
            expect(page.services.decode()).toEqual(same.services.decode())
            expect(page.total).toBe(same.total!)
            expect(page.since).toBe(String(catalog.seq))
            offset += query.limit
            expect(page.next !== undefined).toBe(offset < page.total!)
            cursor = page.next
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  test('returns each result of a keyword search once, best first', () => {
    const first = Array.from(
      { length: 60 },
      (_, i): Parts => ({
        name: NAMES[i % NAMES.length]!,
        category: 'ai',
        price: '1',
        trustScore: i % 3,
      }),
    )
    const { catalog, change } = createChurning(first, undefined)
    const { services, total } = catalog.search(parseKeywordQuery({ q: 'weather forecast tide', limit: 100 }))
    const whole = services.decode()
    const seen: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = catalog.search(parseKeywordQuery({ q: 'weather forecast tide', limit: 7, cursor }))
      expect(page.total).toBe(total!)
      seen.push(...page.services.decode().map(({ id }) => id))
      cursor = page.next
    }
    expect(seen).toEqual(whole.map(({ id }) => id))
    // Words that nobody asked for change no rank.
    change({ kind: 'remove', parts: first[0]!, pick: 0 })
    expect(() => catalog.search(parseKeywordQuery({ q: 'weather', cursor: '' }))).not.toThrow()
  })

  test('links to the changes since its start', () => {
    const { catalog, change } = createChurning(
      Array.from({ length: 5 }, () => ({ name: 'alpha', category: 'ai', price: '1', trustScore: 1 })),
      undefined,
    )
    const begun = catalog.list(parseListQuery({ cursor: '', limit: 2 }))
    expect(begun.since).toBe('5')
    change({
      kind: 'replace',
      parts: { name: 'beta', category: 'ai', price: '2', trustScore: 1 },
      pick: 4,
    })
    const next = catalog.list(parseListQuery({ cursor: begun.next!, limit: 2 }))
    expect(next.since).toBe('5')
    expect(catalog.changes(Number(next.since), 10).count).toBe(1)
  })

  test('that continues on a lagging process links to all changes that it has not shown', () => {
    const parts = { name: 'alpha', category: 'ai', price: '1', trustScore: 1 }
    const {
      catalog: ahead,
      change,
      told,
    } = createChurning(
      Array.from({ length: 5 }, () => parts),
      undefined,
    )
    // The one that is behind lacks a change which the first page, that of the other, was made after.
    const behind = new Catalog()
    behind.apply(told())
    change({ kind: 'replace', parts: { ...parts, name: 'beta' }, pick: 0 })
    const begun = ahead.list(parseListQuery({ cursor: '', limit: 2 }))
    expect(begun.since).toBe('6')
    const rest = behind.list(parseListQuery({ cursor: begun.next!, limit: 10 }), { isKnown: true })
    expect(rest.services.decode().map(({ name }) => name)).not.toContain('beta')
    expect(rest.since).toBe('5')
    const { changes } = ahead.changes(Number(rest.since), 10).page.decode()
    expect(changes.map(({ service }) => service?.name)).toEqual(['beta'])
    // Once lower, it stays lower, whichever process continues.
    const middle = behind.list(parseListQuery({ cursor: begun.next!, limit: 1 }), { isKnown: true })
    const last = ahead.list(parseListQuery({ cursor: middle.next!, limit: 10 }))
    expect(last.since).toBe('5')
  })
})

describe('A cursor', () => {
  const { catalog } = createChurning(
    Array.from({ length: 9 }, () => ({ name: 'alpha', category: 'ai', price: '1', trustScore: 1 })),
    undefined,
  )
  const cursorOf = (query: object) => catalog.list(parseListQuery({ ...query, limit: 2, cursor: '' })).next!
  const refusal = (query: object, parse: (input: unknown) => unknown = parseListQuery) => {
    try {
      parse(query)
      return undefined
    } catch (error) {
      return (error as { problems: { path: string; message: string }[] }).problems[0]
    }
  }

  test('is refused for another query, and accepted for another page size', () => {
    const cursor = cursorOf({ sortBy: 'name' })
    expect(refusal({ sortBy: 'name', cursor, limit: 50 })).toBeUndefined()
    for (const other of [
      {},
      { sortBy: 'price' },
      { sortBy: 'name', sortOrder: 'desc' },
      { category: 'ai' },
    ]) {
      expect(refusal({ ...other, cursor })).toMatchObject({
        path: 'cursor',
        said: { code: 'cursor_of_others' },
      })
    }
    expect(refusal({ q: 'alpha', cursor }, parseKeywordQuery)?.path).toBe('cursor')
  })

  test('that is malformed or tampered with is refused', () => {
    const tampered = (change: (place: unknown[]) => unknown[], query: object = {}) => {
      const place = JSON.parse(Buffer.from(cursorOf(query), 'base64url').toString())
      return Buffer.from(JSON.stringify(change(place))).toString('base64url')
    }
    const cursors = [
      'x',
      '%',
      'ä',
      'e30',
      Buffer.from('null').toString('base64url'),
      'A'.repeat(5_000),
      tampered(([, ...rest]) => [1, ...rest]),
      tampered(place => place.slice(0, 4)),
      tampered(place => [...place, 1]),
      tampered(place => place.with(2, -1)),
      tampered(place => place.with(2, '9-of another')),
      tampered(place => place.with(3, 1.5)),
      tampered(place => place.with(4, 'svc_x')),
    ]
    for (const cursor of cursors) expect([cursor, refusal({ cursor })?.path]).toEqual([cursor, 'cursor'])
    const priced = tampered(place => place.with(-1, -1), { sortBy: 'price' })
    expect(refusal({ sortBy: 'price', cursor: priced })?.path).toBe('cursor')
  })

  test('cannot be combined with an offset', () => {
    expect(refusal({ cursor: '', offset: 3 })?.path).toBe('offset')
    expect(refusal({ cursor: '', offset: 0 })).toBeUndefined()
  })
})
