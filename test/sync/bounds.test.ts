// A source that sends without end, or more than it was asked for: what is read of it has bounds, and they are told.
import { expect, test } from 'bun:test'
import { createIdSource, deriveId } from '../../src/domain/ids.ts'
import { SourceFailure } from '../../src/sync/source-reader.ts'
import { serve } from './json-server.ts'
import { draft, Node } from './node.ts'

const newId = createIdSource()
const upsert = (seq: number, service: object = draft(`Service ${seq}`)) => ({
  seq,
  id: newId(new Date()),
  type: 'upsert',
  service,
})

type Page = (
  since: number,
  limit: number,
) => { readonly changes: unknown[]; readonly next: number; readonly caughtUp: boolean }

/** A source whose feed is what the test says; it counts how often it was asked for a page. */
function startFeed(page: Page) {
  let pages = 0
  const server = serve(({ pathname, searchParams }) => {
    if (pathname !== '/api/changes') return undefined
    const limit = Number(searchParams.get('limit'))
    if (limit > 1) pages++
    const { next, ...rest } = page(Number(searchParams.get('since')), limit)
    return { ...rest, next: String(next) }
  })
  return {
    url: server.url,
    get pages() {
      return pages
    },
    [Symbol.dispose]: server[Symbol.dispose],
  }
}

const LIMITS = { bytes: 256 * 1024 * 1024, entries: 200_000 }
async function start(bounds: Partial<typeof LIMITS>): Promise<Node> {
  const peer = await Node.start('peer')
  peer.bounds = { ...LIMITS, ...bounds }
  return peer
}
const failureOf = (reading: Promise<unknown>) => reading.then(() => undefined).catch(error => error)

test('an endless feed is read up to the limit of bytes, which is reported; the next reading continues from there', async () => {
  const padding = 'x'.repeat(1_200)
  using source = startFeed((since, limit) => ({
    changes: Array.from({ length: limit }, (_, i) =>
      upsert(since + 1 + i, { ...draft(`Service ${since + i}`), padding }),
    ),
    next: since + limit,
    caughtUp: false,
  }))
  await using peer = await start({ bytes: 2 * 1024 * 1024 })
  const failure = await failureOf(peer.sync(source.url))
  expect(failure).toBeInstanceOf(SourceFailure)
  expect(failure.message).toMatch(
    /sends more than 2,097,152 bytes.*up to its number 1,000.*continues from there/,
  )
  expect(source.pages).toBe(3)
  expect(failure.report).toMatchObject({ kind: 'shirube', added: 1_000 })
  expect(await peer.sources()).toMatchObject([{ cursor: '1000', failures: 1, problem: failure.message }])
  expect((await failureOf(peer.sync(source.url))).message).toContain('up to its number 2,000')
})

test('a feed may add no more entries than its limit; changes of existing ones still apply', async () => {
  const first = Array.from({ length: 4 }, (_, i) => upsert(i + 1))
  let changes: unknown[] = first
  using source = startFeed(since => {
    const left = changes.filter(change => (change as { seq: number }).seq > since)
    return { changes: left, next: 9, caughtUp: true }
  })
  await using peer = await start({ entries: 5 })
  expect(await peer.sync(source.url)).toMatchObject({ added: 4 })

  const edited = { ...first[0]!, seq: 10, service: draft('Edited') }
  changes = [edited, { seq: 11, id: first[1]!.id, type: 'delete' }, upsert(12), upsert(13)]
  expect(await peer.sync(source.url)).toMatchObject({ added: 2, changed: 1, removed: 1 })

  changes = [{ ...edited, seq: 14, service: draft('Edited again') }, upsert(15)]
  const failure = await failureOf(peer.sync(source.url))
  expect(failure.message).toMatch(/more than 5 entries/)
  // Of a page that does not fit nothing is taken over.
  expect((await peer.get(deriveId(first[0]!.id, source.url)))!.name).toBe('Edited')
  expect(await peer.shared()).toHaveLength(5)
})

test('a feed that sends more changes than requested, or empty pages, is refused', async () => {
  using many = startFeed((since, limit) => ({
    changes: Array.from({ length: limit + 1 }, (_, i) => upsert(since + 1 + i)),
    next: since + limit + 1,
    caughtUp: false,
  }))
  using empty = startFeed(since => ({ changes: [], next: since + 1, caughtUp: false }))
  await using peer = await start({})
  for (const source of [many, empty]) {
    expect((await failureOf(peer.sync(source.url))).message).toContain('is not a feed of changes')
    expect(source.pages).toBe(1)
  }
  expect(await peer.shared()).toEqual([])
})

const item = (number: number) => ({
  resource: `https://number-${number}.example/v1`,
  description: 'x'.repeat(1_000),
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '2500',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: `0x${'1'.repeat(40)}`,
    },
  ],
})

test.each([
  [{ bytes: 1_000_000 }, /sends more than 1,000,000 bytes.*nothing of it/i],
  [{ entries: 250 }, /lists more than 250 entries.*nothing of it/i],
] as const)('A list beyond the bound %o is not taken over at all', async (settings, message) => {
  let pages = 0
  using server = serve(({ pathname, searchParams }) => {
    if (pathname !== '/discovery/resources') return undefined
    pages++
    const offset = Number(searchParams.get('offset') ?? 0)
    return { items: Array.from({ length: 100 }, (_, i) => item(offset + i)) }
  })
  await using peer = await start(settings)
  expect((await failureOf(peer.sync(`${server.url}/discovery/resources`))).message).toMatch(message)
  expect(pages).toBeLessThan(15)
  expect(await peer.shared()).toEqual([])
})
