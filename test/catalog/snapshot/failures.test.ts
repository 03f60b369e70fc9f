// Snapshots in the database when the connection is cut, and when a standby takes over.
import { describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { startDatabase } from '../../faults/cluster.ts'
import { openTcpProxy } from '../../faults/tcp-proxy.ts'
import { sharedPostgres } from '../../postgres.ts'
import { insertMany, runNode } from '../node-run.ts'
import { LATER, useSnapshotDatabase } from './database.ts'

const database = useSnapshotDatabase()

describe('when the connection to the database is cut', () => {
  test('while a snapshot is fetched, the node starts without it as soon as the connection is back', async () => {
    await using direct = await database.open()
    const { seq } = await insertMany(direct)
    const { bytes } = await runNode(direct)
    const { id } = (await database.snapshots())[0]!
    let reads = 0
    await using proxy = await openTcpProxy((await sharedPostgres()).port, {
      toServer: () => chunk => {
        if (!chunk.includes(id) || ++reads !== 2) return chunk
        proxy.cut()
        void Bun.sleep(50).then(() => proxy.restore())
        return chunk
      },
    })
    const address = new URL(database.url)
    address.port = String(proxy.port)
    await using store = await openStore(address.href, { clock: systemClock })
    const { troubles, ...started } = await runNode(store)
    expect(reads).toBeGreaterThan(1)
    expect(troubles[0]).toBe('the snapshot of the catalog in the database could not be used')
    expect(started.bytes.equals(bytes)).toBe(true)
    // One that was not at fault stays for others.
    expect((await runNode(direct)).readFrom[0]).toBe(seq)
  })

  test('a snapshot that is being stored is never found incomplete', async () => {
    await using direct = await database.open()
    // Parts begin to pass with this statement; the last of them is far away then.
    let [isPutting, bytes] = [false, 0]
    await using proxy = await openTcpProxy((await sharedPostgres()).port, {
      toServer: () => chunk => {
        isPutting ||= chunk.includes('INTO catalog_image_parts')
        if (isPutting) bytes += chunk.length
        if (bytes > 20_000) proxy.cut()
        return chunk
      },
    })
    const address = new URL(database.url)
    address.port = String(proxy.port)
    await using store = await openStore(address.href, { clock: systemClock })
    const { troubles } = await runNode(store)
    expect(troubles).toEqual(['a snapshot of the catalog could not be uploaded to the database'])
    expect(await database.snapshots()).toMatchObject([{ parts: null }])
    expect((await runNode(direct)).readFrom[0]).toBe(0)
    await using next = await database.open(LATER)
    await runNode(next)
    await database.expectOneWhole()
  })
})

test('a standby has no snapshots, and nodes start without them before and after it takes over', async () => {
  const { primary, standby, replication, url } = await startDatabase()
  await using _ = replication
  await using store = await openStore(url, { clock: systemClock })
  const { seq } = await insertMany(store)
  const { bytes } = await runNode(store)
  const standbyUrl = url.replace(String(primary.port), String(standby.port))
  const hasAll = async () => {
    const there = postgres(standbyUrl, { max: 1, onnotice: () => {} })
    const rows = await there`SELECT 1 FROM counter WHERE seq = ${seq}`.catch(() => [])
    await there.end()
    return rows.length > 0
  }
  while (!(await hasAll())) await Bun.sleep(20)
  {
    await using beside = await openStore(url, { clock: systemClock, replicaUrl: standbyUrl })
    expect((await runNode(beside)).readFrom[0]).toBe(seq)
    await using alone = await openStore(standbyUrl, { clock: systemClock })
    const onStandby = await runNode(alone)
    expect(onStandby.bytes.equals(bytes)).toBe(true)
    expect(onStandby.troubles).toContain('the database could not be queried for a snapshot of the catalog')
  }
  await primary.kill()
  const admin = postgres(standby.url('postgres'), { max: 1, onnotice: () => {} })
  await admin`SELECT pg_promote(true, 60)`
  await admin.end()
  await using promoted = await openStore(standbyUrl, { clock: systemClock })
  const first = await runNode(promoted)
  expect(first).toMatchObject({ troubles: [] })
  expect(first.readFrom[0]).toBe(0)
  expect(first.bytes.equals(bytes)).toBe(true)
  expect((await runNode(promoted)).readFrom[0]).toBe(seq)
  await standby.kill()
})
