// A backup of a store of any engine can be restored into an empty store of any engine without loss.

import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { hideEntry } from '../../src/domain/listing/hiding.ts'
import { EMPTY_TALLY } from '../../src/domain/standing/probes.ts'
import { TRUST_FORMULA } from '../../src/domain/standing/trust.ts'
import { say, verbatim } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type BackupRecord, SEQ_JUMP } from '../../src/store/backup.ts'
import { readBackupLines, toBackupLines } from '../../src/store/backup-lines.ts'
import { BACKUP_TABLES, CONTENT_TABLES } from '../../src/store/backup-tables.ts'
import { openStore } from '../../src/store/open.ts'
import { migrate } from '../../src/store/sqlite/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { createDatabase } from '../postgres.ts'
import { resource } from '../terms.ts'
import { outcome, outcomeEvent } from './outcomes.ts'
import { purchase } from './purchases.ts'
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
  await store.probes.record(
    {
      serviceId,
      at: AT.toISOString(),
      outcome: 'payable',
      httpStatus: 402,
      latencyMs: 12.5,
      priceSeen: '0.1',
      asListed: true,
      reasons: [say('answers', { status: 402 }), verbatim('It answers.')],
    },
    kept => ({
      entry: { ...kept, standing: { ...kept.standing, status: 'verified', uptimeScore: 99.87 } },
      events: [],
      facts: { tally: EMPTY_TALLY, ageDays: 3, payments: null, formula: TRUST_FORMULA },
      finding: { resource: null, payTo: ['0x1'], price: null },
      terms: {
        terms: { seenAt: AT.toISOString(), x402Version: 2, resources: [resource()] },
        isChanged: true,
      },
      dueAt: new Date(AT.getTime() + 3_600_000),
    }),
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
  })
  await store.sources.claim('https://peer.example', AT, 1_000)
  await store.sources.noteSeen('https://peer.example', [odd.id, plain.id])
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
    cursor: { block: 9, hash: '0xh', earlier: [{ block: 8, hash: '0xg' }] },
  })
  const proof = { at: AT.toISOString(), by: 'dns', names: 'wallet', misses: 1 } as const
  const posing = { ...entry({ name: 'Posing' }), proof }
  await store.insert([posing])
  await store.update([posing.id], kept => hideEntry(kept, 'It poses as 正しい.', AT))
  for (const [index, resolvedAt] of [null, AT.toISOString()].entries())
    await store.reports.add(
      {
        id: `rep_${index}`,
        serviceId: posing.id,
        kind: 'malware',
        text: 'Bad,\nreally.',
        reporter: 'key_a',
        createdAt: AT.toISOString(),
        resolvedAt,
      },
      index + 1,
    )
  const caps = { perCall: 100, perService: 100, perHost: 100, perDay: 100 }
  const signed = purchase({ serviceId: posing.id })
  await store.purchases.reserve(signed, caps)
  await store.purchases.sign(signed.id, '0xn', 2_000_000_000)
  const reported = outcome({ serviceId: posing.id, at: AT.toISOString() })
  await store.outcomes.add(reported, outcomeEvent(reported), AT)
}

const saved = (store: Store): Promise<BackupRecord[]> => Array.fromAsync(store.backup())
const isCounter = ({ kind }: BackupRecord) => kind === 'counter'
async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}

const pairs = Object.keys(ENGINES).flatMap(from => Object.keys(ENGINES).map(to => [from, to] as const))

describe('A backup', () => {
  test.each(pairs)('of %s restored into %s gives the same backup again', async (from, to) => {
    await using source = await open(from)
    await fill(source)
    const records = await saved(source)
    const kinds = new Set(records.map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual(
      ['counter', 'service', 'event', 'probe', ...BACKUP_TABLES.map(({ kind }) => kind)].sort(),
    )

    await using target = await open(to)
    const lines = await Array.fromAsync(toBackupLines(each(records), AT))
    await target.restore(readBackupLines(each(lines)))
    const again = await saved(target)
    expect(again.filter(record => !isCounter(record))).toEqual(records.filter(record => !isCounter(record)))
    expect(await target.lastSeq()).toBe(await source.lastSeq())
    expect(await target.changes(0, 100)).toEqual(await source.changes(0, 100))
    expect(await target.keys.list()).toEqual(await source.keys.list())
  })

  test.each(Object.keys(ENGINES))('of %s reports its number of rows', async engine => {
    await using store = await open(engine)
    await fill(store)
    const counted: number[] = []
    const records = await Array.fromAsync(store.backup(rows => void counted.push(rows)))
    expect(counted).toEqual([records.filter(record => !isCounter(record)).length])
  })

  test.each(Object.keys(ENGINES))('restored into %s can be written to and probed', async engine => {
    await using source = await open('memory')
    await fill(source)
    await using target = await open(engine)
    await target.restore(source.backup())
    const { seq } = await target.insert([entry({ name: 'After' })])
    expect(seq).toBe((await source.lastSeq()) + SEQ_JUMP + 1)
    const last = await source.events.last()
    const events = await target.events.after(last, 10)
    expect(events.map(({ type, number }) => [type, number])).toEqual([['registered', last + SEQ_JUMP + 1]])
    const due = await target.schedule.claimDue(new Date('2030-01-01'), 100, lease(1_000))
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
    const records: BackupRecord[] = []
    for await (const record of store.backup()) {
      records.push(record)
      if (records.length === 10) await store.insert([entry({ name: 'Late' })])
    }
    const count = (wanted: string) => records.filter(({ kind }) => kind === wanted).length
    expect([count('service'), count('event'), count('due')]).toEqual([3_000, 3_000, 3_000])
    expect(await store.lastSeq()).toBe(3_001)
  })

  test.each(Object.keys(ENGINES))('is refused by a %s store that is not empty', async engine => {
    await using source = await open('memory')
    await fill(source)
    await using target = await open(engine)
    await target.insert([entry({ name: 'Already here' })])
    const restoring = target.restore(source.backup())
    await expect(restoring).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/not empty/),
    })
    expect(await target.changes(0, 10)).toHaveLength(1)
  })

  const damages: [string, (lines: string[]) => string[], RegExp][] = [
    ['that lacks its end', lines => lines.slice(0, -1), /damaged: its end is missing/],
    ['that lacks a line', lines => lines.toSpliced(3, 1), /damaged/],
    ['with a changed line', lines => lines.with(3, lines[3]!.replace('example', 'exemple')), /damaged/],
    ['with a line cut in half', lines => lines.with(3, lines[3]!.slice(0, 20)), /damaged: line 4/],
    ['with something after its end', lines => [...lines, '{}'], /damaged/],
    ['of a newer version', lines => lines.with(0, lines[0]!.replace(':2,', ':3,')), /newer version/],
    ['that is something else', () => ['{"version":"1.0","endpoints":[]}'], /not a backup/],
    ['that is not JSON', () => ['hello'], /not a backup/],
    ['that is empty', () => [], /not a backup/],
  ]
  test.each(damages)(
    '%s is refused with a clear error, and nothing is partly restored',
    async (_, damage, message) => {
      await using source = await open('memory')
      await fill(source)
      const lines = damage(await Array.fromAsync(toBackupLines(source.backup(), AT)))
      for (const engine of Object.keys(ENGINES)) {
        await using target = await open(engine)
        const empty = await saved(target)
        const restoring = target.restore(readBackupLines(each(lines)))
        await expect(restoring).rejects.toMatchObject({
          code: 'invalid_request',
          message: expect.stringMatching(message),
        })
        expect(await saved(target)).toEqual(empty)
        // The way is free for the right file.
        await target.restore(source.backup())
        expect(await target.changes(0, 100)).toHaveLength(8)
      }
    },
  )

  test('of a version that counted every transfer loses its totals, and its payees are read again', async () => {
    const paid = entry({ name: 'Paid' })
    const standing = { ...paid.standing, txCount: 3, totalRevenue: '15000000' }
    const chain = 'eip155:8453'
    const records = [
      { kind: 'counter', seq: 1, event: 0 },
      { kind: 'service', seq: 1, objectSeq: 1, id: paid.id, entry: { ...paid, standing } },
      { kind: 'payment', chain, txHash: '0xt', logIndex: 0, block: 7, serviceId: paid.id },
      { kind: 'paymentTotal', serviceId: paid.id, txCount: 3, totalRevenue: '15000000', payers: 1 },
      { kind: 'chain', chain, block: 9, hash: '0xh', earlier: [] },
      { kind: 'payee', chain, address: '0xq', readFrom: 2, goal: 1 },
    ]
    for (const engine of Object.keys(ENGINES)) {
      await using target = await open(engine)
      await target.restore(each(records))
      expect((await target.find(paid.id))!.entry.standing).toEqual(paid.standing)
      expect(await target.payments.totals(paid.id)).toMatchObject({ txCount: 0, payers: 0 })
      expect(await target.payments.payees(chain)).toEqual([
        { address: '0xq', side: 'received', readFrom: 10, goal: 1, plan: '' },
      ])
    }
  })

  test('with an unknown kind of record is refused', async () => {
    for (const engine of Object.keys(ENGINES)) {
      await using target = await open(engine)
      const restoring = target.restore(each([{ kind: 'counter', seq: 1 }, { kind: 'invention' }]))
      await expect(restoring).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/invention/),
      })
    }
  })

  test('includes every table except those excluded on purpose', () => {
    using db = new Database(':memory:')
    migrate(db)
    using statement = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    const tables = statement.values().map(([name]) => name as string)
    const leftOut = ['budgets', 'counter', 'challenges', 'gists', 'host_turns', 'leases', 'webhooks']
    // The sooner of all dates of a probe is kept.
    const heldOnly = ['lease', 'leased_until', 'drawn_at', 'wished_at', 'wishes_until']
    expect(tables.filter(name => !leftOut.includes(name)).sort()).toEqual(
      [...CONTENT_TABLES, 'timelines'].sort(),
    )
    for (const { table, columns } of BACKUP_TABLES) {
      using info = db.prepare(`SELECT name FROM pragma_table_info('${table}')`)
      const names = info.values().map(([name]) => name as string)
      expect(names.filter(name => !heldOnly.includes(name)).sort()).toEqual(Object.keys(columns).sort())
    }
  })
})
