import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import postgres from 'postgres'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'
import { createDatabase } from '../postgres.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { register, registration, startServing } from './serving.ts'

const MANY = 2_500

const exported = async (url: string): Promise<{ endpoints: unknown[] }> =>
  (await fetch(`${url}/api/export`)).json() as never

test('a killed directory continues from its snapshot, and ignores a damaged one', async () => {
  const path = temporaryPath('large.db')
  const snapshot = `${path}.catalog`
  {
    await using store = await openStore(`sqlite:${path}`, { clock: systemClock })
    await store.insert(Array.from({ length: MANY }, (_, i) => entry({ name: `Service ${i}` })))
  }
  await using first = await startServing(`sqlite:${path}`)
  expect(existsSync(snapshot)).toBe(true)
  for (let i = 0; i < 5; i++) expect((await register(first.url, registration(`late-${i}`))).status).toBe(201)
  const { endpoints } = await exported(first.url)
  expect(endpoints).toHaveLength(MANY + 5)
  await first.kill()

  await using second = await startServing(`sqlite:${path}`)
  expect((await exported(second.url)).endpoints).toEqual(endpoints)
  await second.kill()

  const bytes = readFileSync(snapshot)
  bytes.fill(0, 100_000, 200_000)
  writeFileSync(snapshot, bytes)
  await using third = await startServing(`sqlite:${path}`)
  expect((await exported(third.url)).endpoints).toEqual(endpoints)
})

test('nodes on one PostgreSQL start from the snapshot that the first has stored, and return the same bytes', async () => {
  const url = await createDatabase()
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const whole = () => sql`SELECT id, bytes FROM catalog_images WHERE parts > 0`
  const texts: string[] = []
  const tell = async (node: { url: string }) => {
    const text = await (await fetch(`${node.url}/api/export`)).text()
    texts.push(text.replace(/"exportedAt":"[^"]*"/, ''))
  }
  {
    await using store = await openStore(url, { clock: systemClock })
    await store.insert(Array.from({ length: MANY }, (_, i) => entry({ name: `Service ${i}` })))
  }
  {
    await using alone = await startServing(url, { settings: { CATALOG_FILE: 'off' } })
    await tell(alone)
  }
  expect(await whole()).toHaveLength(0)
  {
    await using first = await startServing(url)
    await tell(first)
    // It is put there while the node serves.
    while ((await whole()).length === 0) await Bun.sleep(10)
  }
  const before = await whole()
  {
    await using second = await startServing(url)
    await tell(second)
  }
  expect(texts[0]).toContain('"Service 2499"')
  expect(texts[1]).toBe(texts[0]!)
  expect(texts[2]).toBe(texts[0]!)
  expect(await whole()).toEqual(before)
  await sql.end()
})
