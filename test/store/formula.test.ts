// A store of a program with another formula of trust: opened by this one, it has scores of the present formula alone.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { toTrust } from '../../src/domain/standing/trust.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { createDatabase } from '../postgres.ts'
import { probeOf, recordJudged } from '../probes.ts'
import { temporaryPath } from './temporary-path.ts'

type Target = { readonly url: string; run(sql: string): Promise<void> }

const ENGINES: readonly (readonly [string, () => Promise<Target>])[] = [
  [
    'SQLite',
    async () => {
      const path = temporaryPath('store.db')
      return {
        url: `sqlite:${path}`,
        async run(sql) {
          using db = new Database(path)
          db.run(sql)
        },
      }
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const url = await createDatabase()
      return {
        url,
        async run(sql) {
          const client = postgres(url, { max: 1 })
          await client.unsafe(sql)
          await client.end()
        },
      }
    },
  ],
]

const PROBES = 3

async function probe(store: Store, serviceId: string): Promise<void> {
  for (let index = 0; index < PROBES; index++) {
    const at = new Date(Date.now() - 1_000 * (PROBES - index)).toISOString()
    await recordJudged(store, probeOf(serviceId, { at }))
  }
}

test.each(ENGINES)('%s: the first opening recomputes every score from what is stored', async (_, create) => {
  const { url, run } = await create()
  // More than a page of them, judged, never judged, and an invented one.
  const judged = Array.from({ length: 3 }, () => entry())
  const others = Array.from({ length: 120 }, () => entry())
  const sample = { ...entry(), sample: true }
  const sampled = { ...sample, standing: { ...sample.standing, trustScore: 72 } }
  const all = [...judged, ...others]
  let before: (number | undefined)[] = []
  {
    await using store = await openStore(url, { clock: systemClock })
    await store.insert([...all, sampled])
    for (const { id } of judged) await probe(store, id)
    before = await Promise.all(all.map(async ({ id }) => (await store.find(id))?.entry.standing.trustScore))
    expect(before[0]).toBeGreaterThan(0)
  }
  await run(`UPDATE counter SET formula = 1`)
  await run(`UPDATE judgements SET facts = '{"tally":{},"ageDays":400,"payers":12,"refused":403}'`)
  await run(`UPDATE services SET entry = replace(entry, '"trustScore":', '"trustScore":9')`)

  await using store = await openStore(url, { clock: systemClock })
  const seq = await store.lastSeq()
  for (const [index, { id }] of all.entries()) {
    const { entry: after, facts } = (await store.find(id))!
    expect([id, after.standing.trustScore]).toEqual([id, before[index]!])
    expect(toTrust(after, facts).trustScore).toBe(before[index]!)
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(after.createdAt))
  }
  expect((await store.find(judged[0]!.id))?.facts).toMatchObject({ tally: { up: PROBES }, refused: 403 })
  expect((await store.find(sample.id))?.entry.standing.trustScore).toBe(972)
  // Those who follow the feed get them, once: the next opening writes nothing.
  const changed = await store.changes(seq - all.length, 1_000)
  expect(changed.length).toBe(all.length)
  await using again = await openStore(url, { clock: systemClock })
  expect(await again.lastSeq()).toBe(seq)
})
