// Directories that follow each other: real servers, real stores, real requests between them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readSample } from '../../src/app/local.ts'
import { createIdSource, deriveId } from '../../src/domain/ids.ts'
import type { Service } from '../../src/domain/listing/service.ts'
import { toPurchaseId } from '../../src/domain/purchases/purchases.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Conclusion } from '../../src/store/purchases.ts'
import { hideService } from '../hiding.ts'
import { createReadyDatabase } from '../postgres.ts'
import { purchase } from '../store/purchases.ts'
import { until } from '../until.ts'
import { serve, serveFeed } from './json-server.ts'
import { draft, LeapingClock, Node } from './node.ts'

const upsert = (id: string, seq: number, name: string) => ({ seq, id, type: 'upsert', service: draft(name) })

describe('A directory on PostgreSQL that follows another', () => {
  let home: Node
  let peer: Node
  beforeAll(async () => {
    home = await Node.start('home')
    peer = await Node.start('peer', await createReadyDatabase())
  })
  afterAll(async () => {
    await home[Symbol.asyncDispose]()
    await peer[Symbol.asyncDispose]()
  })

  test('copies all entries under ids of their own and measures their standing itself', async () => {
    const first = await home.register('First')
    await home.register('Second')
    const told: unknown[] = []
    const onProgress = (...progress: unknown[]) => void told.push(progress)
    expect(await peer.sync(home.url, onProgress)).toMatchObject({
      ...{ kind: 'shirube', added: 2, changed: 0, skipped: 0 },
    })
    expect(told.at(-1)).toEqual([2, 1])
    expect(await peer.shared()).toEqual(await home.shared())
    const copy = peer.idOf(first.id, home)
    expect(await peer.get(first.id)).toBeUndefined()
    expect(await peer.get(copy)).toMatchObject({ ...draft('First'), status: 'unverified', trustScore: 0 })
    await using store = await openStore(peer.databaseUrl, { clock: systemClock })
    expect((await store.find(copy))!.entry).toMatchObject({
      owner: null,
      provenance: { source: 'imported', sourceUrl: home.url, origin: { key: first.id } },
    })
    expect(await store.schedule.countDue(new Date(), 10)).toBe(2)
  })

  test('takes samples over as samples, and never probes them', async () => {
    const samples = (await readSample(new Date())).slice(0, 3)
    await using from = await openStore(home.databaseUrl, { clock: systemClock })
    const { seq } = await from.insert(samples)
    await until(async () => (await home.directory.health()).seq >= seq)
    await using store = await openStore(peer.databaseUrl, { clock: systemClock })
    const due = await store.schedule.countDue(new Date(), 10)
    expect(await peer.sync(home.url)).toMatchObject({ added: 3, skipped: 0 })
    for (const { id } of samples)
      expect((await store.find(peer.idOf(id, home)))!.entry).toMatchObject({ sample: true })
    expect(await store.schedule.countDue(new Date(), 10)).toBe(due)
  })

  test('names the source of an entry in the API and on the page', async () => {
    const { id } = await home.register('Told')
    await peer.sync(home.url)
    const copy = peer.idOf(id, home)
    expect((await peer.directory.provenance(copy)).decode()).toMatchObject({
      source: 'imported',
      sourceUrl: home.url,
      origin: { key: id },
      owned: false,
      follows: true,
    })
    const page = async (node: Node, language: string) =>
      (
        await fetch(`${node.url}/services/${node.idOf(id, home)}`, {
          headers: { 'accept-language': language },
        })
      ).text()
    const { host } = new URL(home.url)
    expect(await page(peer, 'en')).toMatch(new RegExp(`Source</dt><dd><a href="http://${host}"`))
    expect(await page(peer, 'ja')).toContain('<dt>由来</dt>')
    // That it was registered here goes without saying.
    expect(await page(home, 'en')).not.toContain('<dt>Source')
  })

  test('requests only changes, and finds none if there are none', async () => {
    expect(await peer.sync(home.url)).toMatchObject({ added: 0, changed: 0, removed: 0 })
    await home.register('Third')
    expect(await peer.sync(home.url)).toMatchObject({ added: 1, changed: 0, removed: 0 })
  })

  test('applies edits as changes of the source', async () => {
    const { id } = await home.register('Priced', '0.5')
    await peer.sync(home.url)
    await home.directory.edit(id, { pricing: { pricePerRequest: '0.25' } }, home)
    expect(await peer.sync(home.url)).toMatchObject({ changed: 1 })
    expect((await peer.get(peer.idOf(id, home)))!.pricing.pricePerRequest).toBe('0.25')
    const { items } = (await peer.directory.history(peer.idOf(id, home), { limit: 5, days: 0 })).decode()
    expect(items[0]).toMatchObject({ type: 'price', reason: 'Its source changed the price.' })
  })

  test('removes entries that the source removed, with the reason', async () => {
    const { id } = await home.register('Gone')
    await peer.sync(home.url)
    await home.directory.remove(id, home)
    expect(await peer.sync(home.url)).toMatchObject({ removed: 1 })
    expect(await peer.get(peer.idOf(id, home))).toBeUndefined()
    const { items } = (await peer.directory.history(peer.idOf(id, home), { limit: 1, days: 0 })).decode()
    expect(items[0]).toMatchObject({ type: 'removed', reason: `Its source, ${home.url}, removed it.` })
  })

  test('does not restore entries that were removed here', async () => {
    const { id } = await home.register('Unwanted')
    await peer.sync(home.url)
    await peer.directory.remove(peer.idOf(id, home), peer)
    await home.directory.edit(id, { name: 'Still unwanted' }, home)
    await peer.sync(home.url)
    expect(await peer.get(peer.idOf(id, home))).toBeUndefined()
  })

  test('does not show hidden entries, even if their source removes them', async () => {
    const { id } = await home.register('Posing')
    await peer.sync(home.url)
    await hideService(peer.databaseUrl, peer.idOf(id, home), 'It poses as another.')
    await home.directory.remove(id, { key: home.key })
    expect(await peer.sync(home.url)).toMatchObject({ removed: 0 })
    expect(await peer.directory.get(peer.idOf(id, home)).catch(({ code }) => code)).toBe('hidden')
  })

  test('accepts none of its own entries from its follower', async () => {
    const before = await home.shared()
    const report = await home.sync(peer.url)
    expect(report).toMatchObject({ changed: 0, removed: 0 })
    for (const each of before) expect(await home.shared()).toContainEqual(each)
  })

  test('reports an unavailable source, keeps its entries, and continues when it is back', async () => {
    const shared = await peer.shared()
    await home.register('While away')
    const { url } = home
    await home[Symbol.asyncDispose]()
    await expect(peer.sync(url)).rejects.toThrow(/cannot be read/)
    const [source] = (await peer.sources()).filter(each => each.url === url)
    expect(source).toMatchObject({ kind: 'shirube', problem: expect.stringContaining('cannot be read') })
    expect(source!.failures).toBeGreaterThan(0)
    expect(await peer.shared()).toEqual(shared)
    await home.restart()
    expect(await peer.sync(url)).toMatchObject({ added: 1 })
    expect((await peer.sources()).find(each => each.url === url)).toMatchObject({
      failures: 0,
      problem: null,
    })
  })
})

describe('What another directory bought', () => {
  const caps = { perCall: 1e9, perService: 1e9, perHost: 1e9, perDay: 1e9 }
  const newId = createIdSource()
  const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
  let nonces = 0

  /** A finished purchase in the database of a directory. */
  async function buy(node: Node, { id, x402Config }: Service, parts: Partial<Conclusion> = {}) {
    await using store = await openStore(node.databaseUrl, { clock: systemClock })
    const made = purchase({
      id: toPurchaseId(newId(new Date())),
      serviceId: id,
      at: new Date().toISOString(),
      payTo: x402Config.paymentAddress,
      asset: USDC,
    })
    await store.purchases.reserve(made, caps)
    if (parts.state === undefined) return made.id
    await store.purchases.sign(made.id, `0x${nonces++}`, 1)
    const { detail } = made
    const outcome = { charged: '100', transaction: '0xabc', outcome: 'delivered', detail } as const
    await store.purchases.conclude(made.id, { state: 'settled', ...outcome, ...parts })
    return made.id
  }

  test('is taken over once, under its name and with its transaction, and counts as its word alone', async () => {
    await using home = await Node.start('home')
    await using peer = await Node.start('peer')
    const service = await home.register('Bought')
    const copy = peer.idOf(service.id, home)
    await buy(home, service, { state: 'settled' })
    await buy(home, service, { state: 'settled', outcome: 'settled_silent', transaction: '0xabd' })
    await buy(home, service, { state: 'released', outcome: 'not_settled', charged: null, transaction: null })
    const open = await buy(home, service)
    await buy(home, service, { state: 'settled', transaction: '0xlater' })
    const read = async () => (await peer.directory.purchases(copy, { limit: 100 })).decode()
    for (let round = 0; round < 2; round++) {
      await peer.sync(home.url)
      const { peers, payers, delivery, purchases } = await read()
      expect(peers).toEqual({ purchases: 2, delivered: 1 })
      expect([payers.payers, delivery.purchases]).toEqual([0, 0])
      expect(purchases.map(each => [each.source, each.from, each.transaction, each.charged, each.counts]))
        // What is behind a purchase that is still open is read later, so that none is missed.
        .toEqual(['0xabd', '0xabc'].map(transaction => ['peer', home.url, transaction, null, false]))
    }
    const page = await (await fetch(`${peer.url}/services/${copy}`)).text()
    expect(page).toContain('Bought by other directories, as they report: 1 of 2 delivered.')
    expect(page).toContain(`bought by ${new URL(home.url).hostname}`)
    expect((await peer.get(copy))!.trustScore).toBe(0)

    {
      await using store = await openStore(home.databaseUrl, { clock: systemClock })
      const { detail } = (await store.purchases.find(open))!
      const nothing = { charged: null, transaction: null, outcome: 'not_settled', detail } as const
      await store.purchases.conclude(open, { state: 'released', ...nothing })
    }
    {
      // A settlement that this directory has read on chain too.
      await using store = await openStore(peer.databaseUrl, { clock: systemClock })
      const { paymentAddress: payee } = service.x402Config
      const at = new Date().toISOString()
      const settled = { chain: 'eip155:8453', transaction: '0xlater', block: 1, at, payee, asset: USDC }
      const paid = { ...settled, method: 'authorization', serviceId: null } as const
      await store.payments.advance('eip155:8453', undefined, {
        payments: [
          // Of somebody else, in the same transaction.
          { ...paid, logIndex: 0, payer: '0xb', amount: '5' },
          { ...paid, logIndex: 1, payer: `0x${'2'.repeat(40)}`, amount: '0.00007' },
        ],
        cursor: { block: 1 },
      })
    }
    await peer.sync(home.url)
    const { peers, purchases } = await read()
    expect(peers).toEqual({ purchases: 3, delivered: 2 })
    expect(purchases[0]).toMatchObject({ transaction: '0xlater', charged: '70' })
    // It goes no further: who wants to know asks the one that bought.
    expect((await peer.directory.allPurchases({ limit: 100 })).decode().purchases).toEqual([])
  })

  test('is refused where it cannot be one of the listed seller', async () => {
    const id = createIdSource()(new Date(Date.now() - 60_000))
    const listed = draft('Told')
    const told = (parts: object = {}, payment: object = {}) => ({
      ...{ id: toPurchaseId(newId(new Date(Date.now() - 30_000))), serviceId: id, source: 'operator' },
      ...{ at: '2026-11-01T00:00:00Z', outcome: 'delivered', chain: 'eip155:8453', asset: '0xa' },
      transaction: '0xabc',
      payment: {
        ...{ payer: '0xb', payTo: listed.x402Config.paymentAddress, amount: '1', price: '0.1' },
        ...{ currency: 'USDC', ...payment },
      },
      ...parts,
    })
    const purchases = [
      told(),
      // The same payment once more.
      told({ outcome: 'settled_silent' }),
      told({}, { amount: '2' }),
      told({}, { payTo: `0x${'9'.repeat(40)}` }),
      told({ chain: 'eip155:1' }),
      told({ source: 'payer' }),
      told({ transaction: null }),
      told({ transaction: '<b>' }),
      told({ at: new Date(Date.now() + 3_600_000).toISOString() }),
      told({ id: toPurchaseId(newId(new Date(Date.now() + 3_600_000))) }),
      told({ id: 'pur_1' }),
      told({ serviceId: newId(new Date()) }),
      told({ outcome: 'great' }),
      told({}, { price: '1e9' }),
      null,
    ]
    using list = serve(({ pathname }) =>
      pathname === '/api/changes'
        ? { changes: [upsert(id, 1, 'Told')], next: '1', caughtUp: true }
        : pathname === '/api/purchases'
          ? { purchases, next: 'not an id' }
          : undefined,
    )
    await using node = await Node.start('node')
    await node.sync(list.url)
    const { peers } = (await node.directory.purchases(deriveId(id, list.url), { limit: 100 })).decode()
    expect(peers).toEqual({ purchases: 1, delivered: 1 })
  })
})

test('An id from the future, or none at all, is not taken over', async () => {
  const far = `svc_7${'z'.repeat(25)}`
  const changes = [
    upsert(far, 1, 'Far'),
    upsert('someone-elses-id', 2, 'Odd'),
    { seq: 3, id: far, type: 'delete' },
  ]
  using server = serveFeed(() => ({ changes, seq: 3 }))
  await using peer = await Node.start('peer')
  expect(await peer.sync(server.url)).toMatchObject({ added: 0, removed: 0, skipped: 3 })
})

test('of an id that occurs twice in a page of a feed, the last occurrence counts', async () => {
  const newId = createIdSource()
  const [a, b] = [newId(new Date()), newId(new Date())]
  const gone = (id: string, seq: number) => ({ seq, id, type: 'delete' })
  const changes = [upsert(a, 1, 'A'), gone(b, 2), upsert(a, 3, 'A again'), upsert(b, 4, 'B'), gone(a, 5)]
  using server = serveFeed(() => ({ changes, seq: 5 }))
  await using peer = await Node.start('peer')
  expect(await peer.sync(server.url)).toMatchObject({ added: 1, removed: 0, skipped: 0 })
  const nameOf = async (id: string) => (await peer.get(deriveId(id, server.url)))?.name
  expect([await nameOf(a), await nameOf(b)]).toEqual([undefined, 'B'])
})

const HOUR_MS = 60 * 60 * 1000
const WEEK_MS = 7 * 24 * HOUR_MS

/** The same numbers in every run. */
function createRandom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('Two directories that follow each other converge after a week of changes and restarts, and each edit stays with its home', async () => {
  const clock = new LeapingClock()
  await using left = await Node.start('left', undefined, clock)
  await using right = await Node.start('right', await createReadyDatabase(), clock)
  const nodes = [left, right] as const
  const own: [string[], string[]] = [[], []]
  const random = createRandom(20_261_101)
  const steps = 250
  for (let step = 0; step < steps; step++) {
    clock.leap(WEEK_MS / steps)
    const side = random(2) as 0 | 1
    const node = nodes[side]
    const ids = own[side]
    const dice = random(100)
    const id = ids[random(ids.length)]
    if (dice < 35 || !id) ids.push((await node.register(`Service ${step}`)).id)
    else if (dice < 60) await node.directory.edit(id, { description: `Described in step ${step}` }, node)
    else if (dice < 70) await node.directory.edit(id, { pricing: { pricePerRequest: `0.${step + 1}` } }, node)
    else if (dice < 82) {
      await node.directory.remove(id, node)
      own[side] = ids.filter(each => each !== id)
    } else if (dice < 97) await node.sync(nodes[1 - side]!.url)
    else await node.restart()
  }
  for (const node of [left, right, left]) await node.sync(node === left ? right.url : left.url)
  const [a, b] = [await left.shared(), await right.shared()]
  expect(a).toEqual(b)
  expect(a).toHaveLength(own[0].length + own[1].length)
  // Nothing goes round any more.
  for (const node of nodes) {
    const report = await node.sync(node === left ? right.url : left.url)
    expect(report).toMatchObject({ added: 0, changed: 0, removed: 0, vanished: 0, skipped: 0 })
  }
})

test('A peer mirrors a catalog through an hour of changes and ends with the same export except for standing', async () => {
  const clock = new LeapingClock()
  await using home = await Node.start('home', undefined, clock)
  await using mirror = await Node.start('mirror', undefined, clock)
  let isChurning = true
  const churn = (async () => {
    const ids: string[] = []
    const steps = 300
    for (let step = 0; step < steps; step++) {
      clock.leap(HOUR_MS / steps)
      const id = ids[step % Math.max(1, ids.length)]
      if (step % 3 === 0 || !id) ids.push((await home.register(`Service ${step}`)).id)
      else if (step % 7 === 0) {
        await home.directory.remove(id, home)
        ids.splice(ids.indexOf(id), 1)
      } else if (step % 11 === 0) await home.directory.retire(id, { message: `Closed in step ${step}` }, home)
      else await home.directory.edit(id, { description: `Described in step ${step}` }, home)
    }
    isChurning = false
  })()
  let readings = 0
  while (isChurning) {
    const { skipped } = await mirror.sync(home.url)
    expect(skipped).toBe(0)
    readings++
  }
  await churn
  await mirror.sync(home.url)
  expect(readings).toBeGreaterThan(1)
  expect(await mirror.shared()).toEqual(await home.shared())
})
