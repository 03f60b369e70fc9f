// Every table goes along when a store is copied into an empty one of any engine, or to a file.
import { describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { hideEntry } from '../../src/domain/listing/edit.ts'
import { say, verbatim } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { SEQ_JUMP } from '../../src/store/copy.ts'
import { openStore } from '../../src/store/open.ts'
import { TABLES } from '../../src/store/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { createDatabase } from '../postgres.ts'
import { probeOf, recordProbe, unchanged } from '../probes.ts'
import { resource } from '../terms.ts'
import { purchase, report, reported } from './purchases.ts'
import { lease } from './schedule.ts'
import { temporaryPath } from './temporary-path.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')

const ENGINES: Readonly<Record<string, () => Promise<string>>> = {
  'a SQLite file': async () => `sqlite:${temporaryPath('store.db')}`,
  memory: async () => 'sqlite::memory:',
  PostgreSQL: () => createDatabase(),
}
const open = async (engine: string): Promise<Store> =>
  openStore(await ENGINES[engine]!(), { clock: systemClock })

async function probeOnce(store: Store, serviceId: string): Promise<void> {
  await recordProbe(
    store,
    probeOf(serviceId, {
      at: AT.toISOString(),
      latencyMs: 12.5,
      priceSeen: '0.1',
      reasons: [say('answers', { status: 402 }), verbatim('It answers.')],
    }),
    kept => {
      const standing = { ...kept.standing, status: 'verified' as const, uptimeScore: 99.87 }
      const terms = { seenAt: AT.toISOString(), x402Version: 2 as const, resources: [resource()] }
      return unchanged({ ...kept, standing }, { terms: { stored: terms, isChanged: true }, dueAt: AT })
    },
  )
}

/** Something of every kind, and a service that has moved since it was probed. */
async function fill(store: Store): Promise<void> {
  const plain = entry({ name: 'Plain' })
  const odd = entry({
    name: 'Odd 🗼',
    description: 'A tab \t, a quote ", a backslash \\ and\na line',
    pricing: { currency: 'USDC', pricePerRequest: '000.10', freeQuota: 3 },
  })
  const gone = entry({ name: 'Gone' })
  const retired = { ...entry({ name: 'Retired' }), retired: 'Closed for good', owner: 'key_a' }
  const once = { caller: 'key_a', key: 'request-1', fingerprint: 'body-1', at: AT }
  await store.insert([plain], once)
  await store.insert([odd, gone, { ...entry({ name: 'Sample' }), sample: true }, retired])
  await store.remove(gone.id, AT, say('removed_by_source', { url: 'https://a.example' }), () => 'for_good')
  await store.update([plain.id], kept => ({
    entry: { ...kept, name: 'Plainer', updatedAt: AT.toISOString() },
    events: [{ type: 'updated', at: AT.toISOString(), reason: null, before: { name: 'Plain' }, after: {} }],
  }))
  for (const { id: serviceId } of [plain, odd]) await probeOnce(store, serviceId)
  const movedAt = AT.toISOString()
  await store.update([plain.id], kept => ({ entry: { ...kept, movedAt }, events: [], forget: ['probes'] }))
  await store.keys.insert({
    id: 'key_a',
    name: 'A key',
    hash: 'ab'.repeat(32),
    scopes: ['register', 'admin'],
    wallet: 'eip155:0x1',
    createdAt: AT.toISOString(),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: AT.toISOString(),
    policy: null,
  })
  await store.sources.add('https://peer.example')
  const [who, at] = ['key_1', AT.toISOString()]
  await store.sources.pause('https://peer.example', AT)
  await store.collections.put('hidden', [{ kind: 'host', value: 'hidden.example', why: 'Malware.', who, at }])
  await store.spending.reserve(
    {
      ...{ agent: who, id: 'pur_1', at, expiresAt: at, state: 'reserved', reserved: 1, microUsd: 1 },
      ...{
        seller: 'a.example',
        serviceId: null,
        url: 'https://a.example',
        chain: 'eip155:8453',
        asset: '0x1',
      },
      ...{ payTo: '0x2', scheme: 'exact', amount: '1', transaction: null, logIndex: null },
    },
    null,
  )
  await store.acts.add({ id: 'act_1', at, who, act: 'hidden', about: 'host hidden.example' })
  const followed = entry({ name: 'Followed' })
  const sourceUrl = 'https://peer.example'
  await store.insert([
    { ...followed, provenance: { ...followed.provenance, sourceUrl, origin: { key: followed.id, seq: 9 } } },
  ])
  const takenBack = { ...followed, id: entry().id }
  await store.insert([
    {
      ...takenBack,
      provenance: { ...takenBack.provenance, sourceUrl, origin: { key: takenBack.id, seq: 9 } },
    },
  ])
  await store.remove(takenBack.id, AT, null, () => ({ sourceUrl }))
  const chain = 'eip155:8453'
  await store.payments.advance(chain, undefined, {
    payments: [plain.id, null].map((serviceId, logIndex) => ({
      chain,
      transaction: '0xt',
      logIndex,
      block: 7,
      at: AT.toISOString(),
      asset: '0xa',
      payer: '0xp',
      payee: plain.x402Config.paymentAddress,
      amount: '0.1',
      method: 'authorization' as const,
      serviceId,
    })),
    sent: [{ payee: '0xq', receiver: '0xr', block: 6 }],
    payees: [
      { address: '0xq', side: 'received', readFrom: 1, goal: 0, plan: 'plan' },
      { address: '0xq', side: 'sent', readFrom: 2, goal: 0, plan: '' },
    ],
    cursor: { block: 9 },
  })
  const proof = { at: AT.toISOString(), names: 'wallet', misses: 1 } as const
  const posing = { ...entry({ name: 'Posing' }), proof }
  await store.insert([posing])
  await store.update([posing.id], kept => hideEntry(kept, 'It poses as 正しい.', AT))
  for (const [index, resolvedAt] of [null, AT.toISOString()].entries())
    await store.reports.add({
      id: `rep_${index}`,
      serviceId: posing.id,
      kind: 'malware',
      text: 'Bad,\nreally.',
      reporter: 'key_a',
      createdAt: AT.toISOString(),
      resolvedAt,
    })
  const caps = { perCall: 100, perService: 100, perHost: 100, perDay: 100 }
  const signed = purchase({ serviceId: posing.id })
  await store.purchases.reserve(signed, caps)
  await store.purchases.sign(signed.id, '0xn', 2_000_000_000)
  await report(store, reported({ serviceId: posing.id, at: AT.toISOString() }), AT)
  await store.putEmbeddings([{ id: odd.id, embedding: Uint8Array.of(0, 255, 7) }])
  await store.challenges.put(
    { nonce: 'n', message: 'Sign in', address: '0x1', wallet: 'eip155:0x1', expiresAt: AT.toISOString() },
    AT,
  )
  await store.sessions.put({ hash: 'h', sealed: 's', expiresAt: AT.toISOString() }, AT)
  await store.webhooks.insert(
    {
      id: 'wh_1',
      owner: 'key_a',
      secret: 'whsec_1',
      url: 'https://receiver.example',
      events: ['service.removed'],
      filter: {},
      createdAt: AT.toISOString(),
    },
    { most: 9, mostUnconfirmed: 9 },
  )
  await store.leases.take('probing', { holder: 'a', now: AT, leaseMs: 1_000, note: 'note' })
  await store.budgets.take([{ name: 'a', most: 9 }], AT, 1_000)
}

/** The rows of every table, but for the counter, which skips numbers in a copy. */
async function rowsOf(store: Store): Promise<Record<string, readonly (readonly unknown[])[]>> {
  const tables: Record<string, (readonly unknown[])[]> = {}
  for await (const { table, rows } of store.dump()) tables[table] = [...(tables[table] ?? []), ...rows]
  const { counter: _, ...others } = tables
  return others
}

const pairs = Object.keys(ENGINES).flatMap(from => Object.keys(ENGINES).map(to => [from, to] as const))

describe('A copy', () => {
  test.each(pairs)('of %s into %s has the same rows in every table', async (from, to) => {
    await using source = await open(from)
    await fill(source)
    const rows = await rowsOf(source)
    const names = TABLES.map(({ name }) => name).filter(name => name !== 'counter')
    expect(Object.keys(rows).sort()).toEqual(names.sort())

    await using target = await open(to)
    await target.load(source.dump())
    expect(await rowsOf(target)).toEqual(rows)
    expect(await target.lastSeq()).toBe(await source.lastSeq())
    expect(await target.changes(0, 100)).toEqual(await source.changes(0, 100))
    expect(await target.webhooks.find('wh_1')).toEqual(await source.webhooks.find('wh_1'))
    expect(await target.keys.list()).toEqual(await source.keys.list())
  })

  test.each(Object.keys(ENGINES))('of %s reports its number of rows', async engine => {
    await using store = await open(engine)
    await fill(store)
    const counted: number[] = []
    const tables = await Array.fromAsync(store.dump(rows => void counted.push(rows)))
    expect(counted).toEqual([tables.flatMap(({ rows }) => rows).length])
  })

  test.each(Object.keys(ENGINES))('of more than a page is complete, from %s', async engine => {
    await using source = await open(engine)
    await source.insert(Array.from({ length: 2_345 }, () => entry()))
    await using target = await open('memory')
    await target.load(source.dump())
    expect((await target.changes(0, 9_999)).length).toBe(2_345)
  })

  test.each(Object.keys(ENGINES))('into %s can be written to and probed', async engine => {
    await using source = await open('memory')
    await fill(source)
    await using target = await open(engine)
    await target.load(source.dump())
    const { seq } = await target.insert([entry({ name: 'After' })])
    expect(seq).toBe((await source.lastSeq()) + SEQ_JUMP + 1)
    const last = await source.events.last()
    const events = await target.events.after(last, 10)
    expect(events.map(({ type, number }) => [type, number])).toEqual([['registered', last + SEQ_JUMP + 1]])
    const due = await target.schedule.leaseDue(new Date('2030-01-01'), 100, lease(1_000))
    expect(due.map(({ entry: { name } }) => name).sort()).toEqual([
      'After',
      'Followed',
      'Odd 🗼',
      'Plainer',
      'Retired',
    ])
    const first = { caller: 'key_a', key: 'request-1', fingerprint: 'body-1', at: AT }
    expect((await target.insert([entry()], first)).repeated).toBe(true)
  })

  test.each(Object.keys(ENGINES))('of %s is consistent while others write', async engine => {
    await using store = await open(engine)
    await store.insert(Array.from({ length: 3_000 }, (_, i) => entry({ name: `First ${i}` })))
    const counts: Record<string, number> = {}
    for await (const { table, rows } of store.dump()) {
      if (Object.keys(counts).length === 0) await store.insert([entry({ name: 'Late' })])
      counts[table] = (counts[table] ?? 0) + rows.length
    }
    expect(counts).toMatchObject({ services: 3_000, events: 3_000, probe_schedule: 3_000 })
    expect(await store.lastSeq()).toBe(3_001)
  })

  test.each(Object.keys(ENGINES))('is refused by a %s store that is not empty', async engine => {
    await using source = await open('memory')
    await fill(source)
    await using target = await open(engine)
    await target.insert([entry({ name: 'Already here' })])
    const restoring = target.load(source.dump())
    await expect(restoring).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/not empty/),
    })
    expect(await target.changes(0, 10)).toHaveLength(1)
  })

  test.each(Object.keys(ENGINES))('that is interrupted leaves %s empty', async engine => {
    await using source = await open('memory')
    await fill(source)
    await using target = await open(engine)
    async function* interrupted() {
      for await (const each of source.dump()) {
        yield each
        if (each.table === 'events') throw new Error('interrupted')
      }
    }
    await expect(target.load(interrupted())).rejects.toThrow('interrupted')
    expect(await target.history()).toMatchObject({ seq: 0, event: 0, gap: 0 })
    await target.load(source.dump())
    expect(await rowsOf(target)).toEqual(await rowsOf(source))
  })
})

describe('A backup', () => {
  test('is a file of its owner alone that opens as it is, with all rows, and skips numbers', async () => {
    await using source = await open('a SQLite file')
    await fill(source)
    const path = temporaryPath('backup.db')
    await source.backup(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await source.insert([entry({ name: 'Later' })])
    await using copy = await openStore(`sqlite:${path}`, { clock: systemClock })
    const last = (await source.lastSeq()) - 1
    expect(await copy.history()).toMatchObject({ seq: last, gap: SEQ_JUMP })
    expect(await copy.webhooks.find('wh_1')).toBeDefined()
    expect((await copy.insert([entry()])).seq).toBe(last + SEQ_JUMP + 1)
  })

  test('overwrites no file, and is only for files', async () => {
    const path = temporaryPath('precious')
    writeFileSync(path, 'precious')
    await using source = await open('a SQLite file')
    await expect(source.backup(path)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(readFileSync(path, 'utf8')).toBe('precious')
    await using server = await open('PostgreSQL')
    await expect(server.backup(temporaryPath('b.db'))).rejects.toThrow(/shirube copy/)
  })
})
