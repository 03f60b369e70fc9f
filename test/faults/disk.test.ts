// A disk with no room left: writes are refused in words, reads go on, and nothing has to be restarted when there is room again.
import { afterAll, describe, expect, test } from 'bun:test'
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { register, registration, type Serving, startServing } from './serving.ts'

const PRLIMIT = '/usr/bin/prlimit'

type Service = { readonly id: string }
const readJson = async (url: string) => (await fetch(url)).json()

/** Registers until a registration fails; resolves to the answers before it and that one. */
async function fill(url: string, prefix: string) {
  const kept: string[] = []
  for (let i = 0; ; i++) {
    const response = await register(url, registration(`${prefix}-${i}`))
    const text = await response.text()
    if (response.status !== 201) return { kept, response, problem: JSON.parse(text) }
    kept.push(text)
    expect(kept.length).toBeLessThan(20_000)
  }
}

async function expectReads(url: string, kept: readonly string[]): Promise<void> {
  for (const text of kept.slice(-50)) {
    const { id } = JSON.parse(text) as Service
    expect(await (await fetch(`${url}/api/services/${id}`)).text()).toBe(text)
    expect((await fetch(`${url}/api/services/${id}/status`)).status).toBe(200)
  }
  const list = await fetch(`${url}/api/services?limit=1`)
  expect(list.headers.get('x-total-count')).toBe(String(kept.length))
  expect((await fetch(`${url}/api/catalog/search?q=more`)).status).toBe(200)
  expect((await fetch(`${url}/api/services/search/intent?q=weather`)).status).toBe(200)
  const { endpoints } = (await readJson(`${url}/api/export`)) as { endpoints: Service[] }
  expect(endpoints).toHaveLength(kept.length)
  for (const path of ['/healthz', '/readyz']) expect((await fetch(url + path)).status).toBe(200)
}

const untilReady = async (
  url: string,
  isSo: (health: { state: string; reason: string | null }) => boolean,
) => {
  while (!isSo((await readJson(`${url}/readyz`)) as never)) await Bun.sleep(20)
}

const FULL = 'The disk of the store is full; free some space and try again.'

/** Many at once share a commit: when it fails, each is told so, and none is there. */
async function expectRefusals(url: string, kept: readonly string[]): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => register(url, registration(`refused-${i}`))),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
  for (const answer of answers) {
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await answer.json()).toMatchObject({ code: 'store_unavailable', status: 503 })
  }
  await expectReads(url, kept)
}

/** The very requests that were refused, again: they left no trace under their idempotency keys. */
async function expectWrites(url: string): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => register(url, registration(`refused-${i}`))),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  return Promise.all(answers.map(answer => answer.text()))
}

/** A file system of this size; undefined where this user may not mount one. */
function mountSmallDisk(bytes: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  const folder = mkdtempSync(join(tmpdir(), 'shirube-disk-'))
  const { exitCode } = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder])
  if (exitCode === 0) return folder
  rmSync(folder, { recursive: true })
  return undefined
}

describe('a full disk', () => {
  const disk = mountSmallDisk(2 * 2 ** 20)
  afterAll(() => {
    if (disk === undefined) return
    Bun.spawnSync(['umount', '-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })
  if (disk === undefined) console.log('A small disk cannot be mounted here, so a full one is not tested.')

  test.skipIf(disk === undefined)(
    'gives 503 for writes, does not affect reads, and ends once there is space',
    async () => {
      const ballast = join(disk!, 'ballast')
      writeFileSync(ballast, Buffer.alloc(2 ** 20))
      const databaseUrl = `sqlite:${join(disk!, 'store.db')}`
      let kept: string[]
      {
        await using serving = await startServing(databaseUrl)
        const filled = await fill(serving.url, 'fill')
        kept = filled.kept
        expect(kept.length).toBeGreaterThan(10)
        expect(filled.response.status).toBe(503)
        expect(filled.response.headers.get('content-type')).toBe('application/problem+json')
        expect(filled.problem).toMatchObject({ code: 'store_unavailable', detail: FULL })
        await untilReady(serving.url, ({ state, reason }) => state === 'degraded' && reason === FULL)
        await expectRefusals(serving.url, kept)
        rmSync(ballast)
        // Nobody writes, and still it is seen that there is room again.
        await untilReady(serving.url, ({ state, reason }) => state === 'ready' && reason === null)
        kept.push(...(await expectWrites(serving.url)))
        await expectReads(serving.url, kept)
        await serving.kill()
      }
      {
        await using again = await startServing(databaseUrl)
        await expectReads(again.url, kept)
      }
      for (const size of [2 ** 20, 2 ** 12, 2 ** 8])
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(size))
        } catch {}
      const opening = openStore(databaseUrl, { clock: systemClock })
      await expect(opening).rejects.toThrow(/its disk is full; free some space/)
    },
  )
})

describe('a file that may not grow', () => {
  const canLimit = existsSync(PRLIMIT)
  if (!canLimit) console.log('prlimit is not installed here, so a file that may not grow is not tested.')

  test.skipIf(!canLimit)(
    'gives 503 for writes, does not affect reads, and ends once the limit is raised',
    async () => {
      const databaseUrl = `sqlite:${temporaryPath('limited.db')}`
      let serving: Serving | undefined
      // The signal that goes with the limit would end the process: here the failing write is wanted.
      const wrap = (command: string[]) => [
        'sh',
        '-c',
        'trap "" XFSZ; ulimit -S -f 4096; exec "$@"',
        'sh',
        ...command,
      ]
      try {
        serving = await startServing(databaseUrl, { wrap })
        const { kept, response, problem } = await fill(serving.url, 'fill')
        expect(kept.length).toBeGreaterThan(10)
        expect([response.status, problem.code]).toEqual([503, 'store_unavailable'])
        await untilReady(
          serving.url,
          ({ state, reason }) => state === 'degraded' && reason === problem.detail,
        )
        await expectRefusals(serving.url, kept)
        const lift = Bun.spawnSync([PRLIMIT, '--pid', String(serving.pid), '--fsize=unlimited:unlimited'])
        expect(lift.exitCode).toBe(0)
        await untilReady(serving.url, ({ state }) => state === 'ready')
        kept.push(...(await expectWrites(serving.url)))
        await expectReads(serving.url, kept)
      } finally {
        await serving?.kill()
      }
    },
  )
})
