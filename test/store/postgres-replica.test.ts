import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Change, Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { startDatabase } from '../faults/cluster.ts'
import { openTcpProxy } from '../faults/tcp-proxy.ts'

async function readAll(store: Store, page: number): Promise<Change[]> {
  const all: Change[] = []
  for (;;) {
    const changes = await store.changes(all.at(-1)?.seq ?? 0, page)
    all.push(...changes)
    if (changes.length < page) return all
  }
}

test('a start reads full pages from the replica and the rest from the primary, and continues without the replica', async () => {
  const { primary, standby, replication, url } = await startDatabase()
  await using _ = replication
  await using before = await openStore(url, { clock: systemClock })
  const entries = Array.from({ length: 95 }, () => entry())
  await before.insert(entries)
  await using toPrimary = await openTcpProxy(primary.port)
  await using toReplica = await openTcpProxy(standby.port)
  const through = (port: number) => url.replace(String(primary.port), String(port))
  const open = () =>
    openStore(through(toPrimary.port), { clock: systemClock, replicaUrl: through(toReplica.port) })
  const ids = entries.map(({ id }) => id)

  await using store = await open()
  // The standby has what was committed, but may show it a moment later.
  const sql = postgres(through(standby.port), { max: 1, onnotice: () => {} })
  const hasAll = () => sql`SELECT 1 FROM counter WHERE seq = 95`.then(({ length }) => length > 0)
  while (!(await hasAll().catch(() => false))) await Bun.sleep(10)
  await sql.end()
  toPrimary.cut()
  const pages = [await store.changes(0, 30), await store.changes(30, 30), await store.changes(60, 30)]
  expect(pages.flat().map(({ id }) => id)).toEqual(ids.slice(0, 90))
  await expect(store.changes(90, 30)).rejects.toMatchObject({ code: 'store_unavailable' })
  toPrimary.restore()

  toReplica.cut()
  await using alone = await open()
  expect((await readAll(alone, 30)).map(({ id }) => id)).toEqual(ids)
  await Promise.all([primary.kill(), standby.kill()])
})
