// Files that are imported again, over each other, and over what is not theirs.
import { describe, expect, test } from 'bun:test'
import { createIdSource } from '../../src/domain/ids.ts'
import type { ServiceDraft } from '../../src/domain/listing/service.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { createRecordImport, type ImportRecord } from '../../src/sync/import-records.ts'
import { draft, entry } from '../entries.ts'
import { createReadyDatabase } from '../postgres.ts'

const newId = createIdSource()
const fresh = () => newId(new Date())

/** One run of a command: what it did, and what it said. */
async function importAll(store: Store, records: readonly Partial<ImportRecord>[], batch = 100) {
  const run = createRecordImport({ store, newId: createIdSource(), now: () => new Date() })
  const said: string[] = []
  for (let at = 0; at < records.length; at += batch) {
    const part = records.slice(at, at + batch).map((record, index) => ({
      place: `line ${at + index + 1}`,
      draft: draft(),
      isExported: false,
      ...record,
    }))
    await run.write(part, sentence => said.push(sentence))
  }
  return { ...run.report, said }
}

const all = (store: Store) => store.byId('', 1_000)
const service = (name: string, parts: Partial<ServiceDraft> = {}) => ({ draft: draft({ name, ...parts }) })

describe.each(['SQLite', 'PostgreSQL'])('On %s, an import', engine => {
  const open = async () =>
    openStore(engine === 'SQLite' ? 'sqlite::memory:' : await createReadyDatabase(), { clock: systemClock })

  test.each([1, 2, 100])('of bodies without ids is idempotent, in batches of %d', async batch => {
    await using store = await open()
    const file = [
      service('A'),
      service('B'),
      service('C', { endpoint: 'https://other.example/v1' }),
      service('A', { x402Config: { paymentAddress: `0x${'2'.repeat(40)}`, network: 'base' } }),
    ]
    expect(await importAll(store, file, batch)).toMatchObject({ imported: 4, updated: 0, repeated: 0 })
    const before = await all(store)
    const seq = await store.lastSeq()
    expect(await importAll(store, file, batch)).toEqual({
      imported: 0,
      undescribed: 0,
      updated: 0,
      unchanged: 4,
      kept: 0,
      repeated: 0,
      said: [],
    })
    expect(await all(store)).toEqual(before)
    expect(await store.lastSeq()).toBe(seq)
  })

  test('recognises a listing in another spelling and applies its changes', async () => {
    await using store = await open()
    const address = '0xAbCdEf0123456789aBcDeF0123456789abcdef01'
    const x402Config = { paymentAddress: address, network: 'base' }
    await importAll(store, [service('A', { endpoint: 'https://weather.example', x402Config })])
    const [{ id } = { id: '' }] = await all(store)
    const again = service('A', {
      endpoint: 'https://WEATHER.example/',
      x402Config: { paymentAddress: address.toLowerCase(), network: 'eip155:8453' },
      pricing: { currency: 'USDC', pricePerRequest: '0.5', freeQuota: 0 },
    })
    expect(await importAll(store, [again])).toMatchObject({ imported: 0, updated: 1, unchanged: 0 })
    expect(await all(store)).toMatchObject([{ id, pricing: { pricePerRequest: '0.5' } }])
    const [event] = await store.events.of(id, 1)
    expect(event!.reason).toMatchObject({ code: 'edited', values: { by: 'operator' } })
  })

  test('uses the first of two lines for one listing, so that a second run changes nothing', async () => {
    await using store = await open()
    const pricing = { currency: 'USDC', pricePerRequest: '9', freeQuota: 0 }
    const file = [service('A'), service('A', { pricing })]
    expect(await importAll(store, file)).toMatchObject({ imported: 1, repeated: 1 })
    expect(await importAll(store, file, 1)).toMatchObject({
      imported: 0,
      updated: 0,
      unchanged: 1,
      repeated: 1,
    })
    expect(await all(store)).toMatchObject([{ pricing: { pricePerRequest: '0.0025' } }])
  })

  test('of records with ids keeps the ids, also of two identical records', async () => {
    await using store = await open()
    const file = [
      { ...service('A'), id: fresh(), isExported: true },
      { ...service('A'), id: fresh(), isExported: true },
    ]
    expect(await importAll(store, file)).toMatchObject({ imported: 2 })
    expect((await all(store)).map(({ id }) => id)).toEqual(file.map(({ id }) => id))
    expect(await importAll(store, file)).toMatchObject({ imported: 0, unchanged: 2 })
    expect(await all(store)).toHaveLength(2)
  })

  test('assigns a new id if that of the file is invalid, or in the future', async () => {
    await using store = await open()
    const ids = [7, null, 'svc_x', `svc_7${'z'.repeat(25)}`]
    const file = ids.map((id, index) => ({ ...service(`Number ${index}`), id }))
    expect(await importAll(store, file)).toMatchObject({ imported: 4 })
    expect(await importAll(store, file)).toMatchObject({ imported: 0, unchanged: 4 })
  })

  test('of an export keeps fields that an export does not contain', async () => {
    await using store = await open()
    const id = fresh()
    const pricing = { currency: 'USDC', pricePerRequest: '0.002', freeQuota: 7 }
    await importAll(store, [{ ...service('A', { category: 'Image_Generation', pricing }), id }])
    const exported = draft({
      name: 'A',
      description: 'A',
      category: 'image-generation',
      pricing: { ...pricing, freeQuota: 0 },
    })
    expect(await importAll(store, [{ draft: exported, id, isExported: true }])).toMatchObject({
      unchanged: 1,
    })
    const renamed = { draft: { ...exported, name: 'B' }, id, isExported: true }
    expect(await importAll(store, [renamed])).toMatchObject({ updated: 1 })
    expect(await all(store)).toMatchObject([
      { name: 'B', description: draft().description, category: 'Image_Generation', pricing },
    ])
  })

  test('reports and skips entries that have an owner, follow a source, are samples or were removed', async () => {
    await using store = await open()
    const owned = { ...entry({ name: 'Owned' }), owner: 'key_1' }
    const plain = entry({ name: 'Followed' })
    const followed = {
      ...plain,
      provenance: {
        ...plain.provenance,
        source: 'imported' as const,
        sourceUrl: 'https://peer.example',
        origin: { key: plain.id, seq: 1 },
      },
    }
    const sample = {
      ...entry({ name: 'Sample' }),
      sample: true,
      provenance: { ...plain.provenance, source: 'sample' as const },
    }
    const removed = entry({ name: 'Removed' })
    await store.insert([owned, followed, sample, removed])
    await store.remove(removed.id, new Date(), null)
    const before = await all(store)
    const seq = await store.lastSeq()
    const x402Config = { paymentAddress: `0x${'6'.repeat(40)}`, network: 'base' }
    const stolen = [owned, followed, sample, removed].map(({ id }) => ({
      ...service('Stolen', { x402Config }),
      id,
    }))
    const { said, ...report } = await importAll(store, stolen)
    expect(report).toEqual({ imported: 0, undescribed: 0, updated: 0, unchanged: 0, kept: 4, repeated: 0 })
    expect(said).toEqual([
      `line 1: ${owned.id} has an owner here; what the file says about it is not taken over`,
      `line 2: ${followed.id} comes from https://peer.example; what the file says about it is not taken over`,
      `line 3: ${sample.id} is a sample; what the file says about it is not taken over`,
      `line 4: ${removed.id} was removed here and stays removed`,
    ])
    // What says the same is passed over without a word, with an id or without.
    const same = await importAll(store, [{ ...service('Owned'), id: owned.id }, service('Followed')])
    expect(same).toMatchObject({ kept: 2, said: [] })
    expect(await all(store)).toEqual(before)
    expect(await store.lastSeq()).toBe(seq)
  })
})
