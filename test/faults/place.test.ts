// The file of a store that is taken away under a running directory: no write is promised that nobody will find again.
import { describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { body, openTestServer, type TestServer } from '../http/directory-server.ts'
import { temporaryPath } from '../store/temporary-path.ts'

const openOn = (path: string, log?: (lines: string) => void) =>
  openTestServer({ DATABASE_URL: `sqlite:${path}`, LOG_LEVEL: 'info' }, { log: log ?? (() => {}) })

async function expectRefused(server: TestServer, sentence: RegExp): Promise<void> {
  const refused = await server.register(body({ name: 'Lost' }))
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const { code, detail } = await refused.json()
  expect(code).toBe('store_unavailable')
  expect(detail).toMatch(sentence)
  expect(detail).not.toContain('/')
  const ready = await server.get('/readyz')
  expect([ready.status, await ready.json()]).toMatchObject([200, { state: 'degraded', reason: detail }])
  expect(await (await server.get('/metrics')).text()).toContain('\nshirube_store_writable 0\n')
  expect((await server.get('/api/services')).headers.get('x-total-count')).toBe('1')
}

async function expectWell(server: TestServer): Promise<void> {
  expect(await server.json('/readyz')).toMatchObject({ state: 'ready', reason: null })
  expect(await (await server.get('/metrics')).text()).toContain('\nshirube_store_writable 1\n')
  expect((await server.register(body())).status).toBe(201)
}

describe('a database file that is', () => {
  test('removed: writes are rejected, and health and log give the reason', async () => {
    const path = temporaryPath('store.db')
    let said = ''
    await using server = await openOn(path, lines => {
      said += lines
    })
    await expectWell(server)
    rmSync(path)
    await expectRefused(server, /was removed or moved/)
    while (!said.includes('writes to the store fail')) await Bun.sleep(10)
    expect(existsSync(path)).toBe(false)
  })

  test('moved and returned: writes are rejected meanwhile, and nothing is lost', async () => {
    const path = temporaryPath('store.db')
    {
      await using server = await openOn(path)
      await expectWell(server)
      renameSync(path, `${path}.elsewhere`)
      await expectRefused(server, /was removed or moved/)
      renameSync(`${path}.elsewhere`, path)
      await expectWell(server)
    }
    await using again = await openOn(path)
    expect((await again.get('/api/services')).headers.get('x-total-count')).toBe('2')
  })

  test('replaced by another file, even a copy of itself', async () => {
    const path = temporaryPath('store.db')
    await using server = await openOn(path)
    await expectWell(server)
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
    await expectRefused(server, /The store file was replaced by another/)
  })

  test('left without its log', async () => {
    const path = temporaryPath('store.db')
    await using server = await openOn(path)
    await expectWell(server)
    rmSync(`${path}-wal`)
    await expectRefused(server, /The write-ahead log next to the store file was removed/)
  })

  test('reached through a symbolic link that may be redirected, with the log beside the target', async () => {
    const path = temporaryPath('store.db')
    const real = temporaryPath('real.db')
    symlinkSync(real, path)
    {
      await using first = await openOn(real)
      expect((await first.register(body())).status).toBe(201)
    }
    await using server = await openOn(path)
    expect(await server.json('/readyz')).toMatchObject({ state: 'ready' })
    rmSync(path)
    await expectRefused(server, /was removed or moved/)
    symlinkSync(real, path)
    await expectWell(server)
    rmSync(`${real}-wal`)
    const { detail } = await (await server.register(body())).json()
    expect(detail).toMatch(/^The write-ahead log/)
  })
})
