import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { draft } from '../entries.ts'
import { freePort } from '../free-port.ts'
import { createDatabase } from '../postgres.ts'
import { LAUNCHER } from '../program.ts'
import { type Folder, openFolder, type Serving } from './shirube.ts'

const KEY = 'a-key-for-workers'

const post = (url: string, name: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/services`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(draft({ name })),
  })

const register = async (url: string, name: string) => {
  const answer = await post(url, name, { connection: 'close' })
  expect(answer.status).toBe(201)
  return (await answer.json()) as { id: string }
}

/** A fresh connection each time: the system deals connections out, not requests. */
const ask = (url: string, path: string) => fetch(url + path, { headers: { connection: 'close' } })

const workersOf = (pid: number): number[] =>
  Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)])
    .stdout.toString()
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(Number)

/** Whoever keeps the workers: the process that was started, or the child of a launcher that could not make room for it. */
function supervisorOf({ pid }: Serving): number {
  const command = Bun.spawnSync(['ps', '-o', 'args=', '-p', String(pid)]).stdout.toString()
  return command.includes('shirube.mjs') ? workersOf(pid)[0]! : pid
}

async function untilGone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    while (Bun.spawnSync(['kill', '-0', String(pid)]).exitCode === 0) await Bun.sleep(20)
  }
}

test('serve --workers on PostgreSQL: every process sees all entries, and says once how to fill an empty catalog', async () => {
  await using folder = await openFolder({ API_KEYS: KEY, RATE_LIMIT: '0' })
  await using serving = await folder.serve(['--workers', '2'], { DATABASE_URL: await createDatabase() })
  while (!serving.stderr().includes('empty')) await Bun.sleep(5)
  expect(serving.stdout()).not.toMatch(/shb_\w+/)
  await expectAllToSeeAll(serving)
  expect(serving.stderr().match(/^The catalog is empty\..* sync PayAI$/gm)).toHaveLength(1)
  await expectToEndOn('SIGHUP', serving)
})

async function expectAllToSeeAll(serving: Serving): Promise<void> {
  const { url } = serving
  expect(serving.stdout().match(/listening/g)).toHaveLength(1)
  expect(workersOf(supervisorOf(serving))).toHaveLength(2)
  for (let i = 0; i < 20; i++) {
    const { id } = await register(url, `Service ${i}`)
    // Young ids are found by every process at once.
    for (let j = 0; j < 3; j++) expect((await ask(url, `/api/services/${id}`)).status).toBe(200)
  }
}

// Of one command that goes on through all of it, and ends with the last.
describe('serve --workers on SQLite', () => {
  let folder: Folder
  let serving: Serving
  let id: string
  /** One that is never killed, so that somebody listens. */
  let steady: number
  beforeAll(async () => {
    folder = await openFolder({ API_KEYS: KEY, RATE_LIMIT: '0' })
    serving = await folder.serve(['--workers', '2', '--sample'])
    id = (await register(serving.url, 'Before')).id
    steady = workersOf(supervisorOf(serving))[0]!
  })
  afterAll(async () => {
    await serving[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  test('every process sees all entries', async () => {
    expect(serving.stdout().match(/shb_\w+/g)).toHaveLength(1)
    await expectAllToSeeAll(serving)
  })

  test('a killed worker is replaced, and the others continue', async () => {
    const other = workersOf(supervisorOf(serving)).find(pid => pid !== steady)!
    process.kill(other, 'SIGKILL')
    while (!serving.stderr().includes('another takes its place')) await Bun.sleep(20)
    const isReplaced = () => {
      const now = workersOf(supervisorOf(serving))
      return now.length === 2 && !now.includes(other)
    }
    // Whoever takes its place does not listen before it can answer.
    while (!isReplaced()) {
      const answer = await ask(serving.url, `/api/services/${id}`).catch(() => undefined)
      expect([200, undefined]).toContain(answer?.status)
      await Bun.sleep(5)
    }
    for (let i = 0; i < 10; i++) expect((await ask(serving.url, `/api/services/${id}`)).status).toBe(200)
  })

  test('a replacement worker does not create a new database if the file is gone', async () => {
    const [file, elsewhere] = ['sample.db', 'elsewhere.db'].map(name => join(folder.path, 'data', name))
    renameSync(file!, elsewhere!)
    process.kill(workersOf(supervisorOf(serving)).find(pid => pid !== steady)!, 'SIGKILL')
    while (!serving.stderr().includes('is not there any more')) await Bun.sleep(20)
    expect(existsSync(file!)).toBe(false)
    expect((await post(serving.url, 'Lost', { connection: 'close' })).status).toBe(503)
    expect((await ask(serving.url, `/api/services/${id}`)).status).toBe(200)
    renameSync(elsewhere!, file!)
    while (workersOf(supervisorOf(serving)).length < 2) await Bun.sleep(20)
    await register(serving.url, 'After')
  })

  test('all end on SIGINT, with 0', () => expectToEndOn('SIGINT', serving))
})

async function expectToEndOn(name: 'SIGINT' | 'SIGHUP', serving: Serving): Promise<void> {
  const workers = workersOf(supervisorOf(serving))
  serving.signal(name)
  expect(await serving.exited).toBe(0)
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow()
}

describe('serve --workers', () => {
  test('end when their supervisor is killed', async () => {
    await using folder = await openFolder()
    await using serving = await folder.serve(['--workers', '2'])
    const supervisor = supervisorOf(serving)
    const workers = workersOf(supervisor)
    process.kill(supervisor, 'SIGKILL')
    await untilGone(workers)
  })

  test('end with their supervisor when the launcher is killed', async () => {
    await using folder = await openFolder()
    await using serving = await folder.serve(['--workers', '2'], {}, LAUNCHER)
    const supervisor = supervisorOf(serving)
    const all = [supervisor, ...workersOf(supervisor)]
    process.kill(serving.pid, 'SIGKILL')
    await serving.exited
    await untilGone(all)
  })

  test('report why they cannot start, at most once each, and exit with 1', async () => {
    await using folder = await openFolder({ LOG_LEVEL: 'error' })
    await using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const { port } = other
    const { code, stderr } = await folder.run(['serve', '--port', `${port}`, '--workers', '2'])
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^[^\\n]*\\b${port}\\b[^\\n]*\\n$`))
    const { code: usage } = await folder.run(['serve', '--workers', 'many'])
    expect(usage).toBe(2)
  })

  test('wait for a database that is unavailable, and stop when they get a signal', async () => {
    await using folder = await openFolder()
    const env = { DATABASE_URL: `postgres://me:secret@127.0.0.1:${await freePort()}/db` }
    const child = Bun.spawn({
      ...folder.command(['serve', '--port', '0'], env),
      stderr: 'pipe',
      stdout: 'pipe',
    })
    let said = ''
    for await (const chunk of child.stderr) {
      said += new TextDecoder().decode(chunk)
      if (said.includes('waiting for the database')) child.kill('SIGTERM')
    }
    expect(await child.exited).toBe(0)
    expect(said).not.toContain('secret')
  })
})
