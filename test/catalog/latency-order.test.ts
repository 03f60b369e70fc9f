import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { parseListQuery } from '../../src/domain/queries/queries.ts'
import { entry } from '../entries.ts'

const measured = (name: string, latencyMs?: number): Entry => ({
  ...entry({ name }),
  ...(latencyMs !== undefined && { latencyMs }),
})
const ENTRIES = [
  measured('slow', 2_400),
  measured('never a'),
  measured('fast', 41),
  measured('fair', 300),
  measured('never b'),
]

const changes = (entries: readonly Entry[], from = 1) =>
  entries.map((each, i) => ({ seq: from + i, objectSeq: from + i, id: each.id, entry: each }))

function createCatalog(): Catalog {
  const catalog = new Catalog()
  catalog.apply(changes(ENTRIES))
  return catalog
}

const names = (catalog: Catalog, query: Record<string, string> = {}) =>
  catalog
    .list(parseListQuery({ sortBy: 'latency', ...query }))
    .services.decode()
    .map(({ name }) => name)

test('the fastest come first, and entries without answers come last in both directions', () => {
  const catalog = createCatalog()
  expect(names(catalog)).toEqual(['fast', 'fair', 'slow', 'never a', 'never b'])
  expect(names(catalog, { sortOrder: 'desc' })).toEqual(['slow', 'fair', 'fast', 'never b', 'never a'])
  expect(catalog.latency(ENTRIES[2]!.id)).toBe(41)
  expect(catalog.latency(ENTRIES[1]!.id)).toBeUndefined()
})

test.each(['asc', 'desc'])('a cursor returns each entry once, %s', sortOrder => {
  const catalog = createCatalog()
  const all = names(catalog, { sortOrder })
  const seen: string[] = []
  let cursor: string | undefined = ''
  while (cursor !== undefined) {
    const page = catalog.list(parseListQuery({ sortBy: 'latency', sortOrder, limit: '2', cursor }))
    seen.push(...page.services.decode().map(({ name }) => name))
    cursor = page.next
  }
  expect(seen).toEqual(all)
})

test('an entry moves with its next answers', () => {
  const catalog = createCatalog()
  catalog.apply(changes([{ ...ENTRIES[1]!, latencyMs: 35 }], 10))
  expect(names(catalog)).toEqual(['never a', 'fast', 'fair', 'slow', 'never b'])
})
