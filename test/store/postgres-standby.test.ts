// What a primary with a synchronous standby may confirm while the standby is unavailable.
import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'
import { startDatabase } from '../faults/cluster.ts'

test('a repeated registration is confirmed only after the standby has the first one', async () => {
  const { primary, standby, replication, url } = await startDatabase()
  await using _ = replication
  await using store = await openStore(url, { clock: systemClock })
  const first = entry()
  const once = { caller: 'key_1', key: 'once', fingerprint: 'same', at: new Date() }
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const waiting = async () =>
    (await sql`SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`).map(({ pid }) => pid as number)
  const untilWaiting = async () => {
    while ((await waiting()).length === 0) await Bun.sleep(10)
  }

  replication.cut()
  const lost = store.insert([first], once).catch(error => error)
  await untilWaiting()
  // The primary keeps what it has written, and shows it, though nobody was told so.
  for (const pid of await waiting()) await sql`SELECT pg_terminate_backend(${pid})`
  expect(await lost).toMatchObject({ code: 'store_unavailable' })
  while ((await store.find(first.id).catch(() => undefined)) === undefined) await Bun.sleep(10)

  let isPromised = false
  const again = (async () => {
    for (;;) {
      const answer = await store.insert([entry()], once).catch(() => undefined)
      if (answer) isPromised = true
      if (answer) return answer
      await Bun.sleep(10)
    }
  })()
  await untilWaiting()
  expect(isPromised).toBe(false)
  replication.restore()
  expect(await again).toMatchObject({ repeated: true, entries: [{ id: first.id }] })
  await sql.end()
  await Promise.all([primary.kill(), standby.kill()])
})
