import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { draft } from '../entries.ts'
import { createDatabase, freePort } from '../postgres.ts'
import { CHILD_TIMEOUT_MS, openFolder, type Serving } from './shirube.ts'

setDefaultTimeout(CHILD_TIMEOUT_MS)

const KEY = 'a-key-for-workers'

const register = async (url: string, name: string) => {
  const answer = await fetch(`${url}/api/services`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(draft({ name })),
  })
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

/** The launcher starts Bun, and that the workers. */
const supervisorOf = (serving: Serving): number => workersOf(serving.pid)[0]!

describe('serve --workers', () => {
  test.each(['SQLite', 'PostgreSQL'])(
    'on %s: whichever process takes the request knows it all',
    async engine => {
      await using folder = await openFolder({ API_KEYS: KEY })
      const env: Record<string, string> =
        engine === 'PostgreSQL' ? { DATABASE_URL: await createDatabase() } : {}
      await using serving = await folder.serve(['--workers', '3', '--sample'], env)
      expect(serving.stdout().match(/listening/g)).toHaveLength(1)
      expect(serving.stdout().match(/shb_\w+/g)).toHaveLength(1)
      expect(workersOf(supervisorOf(serving))).toHaveLength(3)
      for (let i = 0; i < 20; i++) {
        const { id } = await register(serving.url, `Service ${i}`)
        // Young ids are found by every process at once.
        for (let j = 0; j < 3; j++) expect((await ask(serving.url, `/api/services/${id}`)).status).toBe(200)
      }
    },
  )

  test('one that is killed is replaced, and the others go on', async () => {
    await using folder = await openFolder({ API_KEYS: KEY })
    await using serving = await folder.serve(['--workers', '2'])
    const before = workersOf(supervisorOf(serving))
    const { id } = await register(serving.url, 'Before')
    process.kill(before[0]!, 'SIGKILL')
    while (!serving.stderr().includes('another takes its place')) await Bun.sleep(20)
    const isReplaced = () => {
      const now = workersOf(supervisorOf(serving))
      return now.length === 2 && !now.includes(before[0]!)
    }
    while (!isReplaced()) await Bun.sleep(20)
    for (let i = 0; i < 10; i++) expect((await ask(serving.url, `/api/services/${id}`)).status).toBe(200)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('all end on %s, with 0', async name => {
    await using folder = await openFolder()
    await using serving = await folder.serve(['--workers', '2'])
    const workers = workersOf(supervisorOf(serving))
    serving.signal(name)
    expect(await serving.exited).toBe(0)
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow()
  })

  test('end when the process that keeps them is killed', async () => {
    await using folder = await openFolder()
    await using serving = await folder.serve(['--workers', '2'])
    const supervisor = supervisorOf(serving)
    const workers = workersOf(supervisor)
    process.kill(supervisor, 'SIGKILL')
    for (const pid of workers) {
      while (Bun.spawnSync(['kill', '-0', String(pid)]).exitCode === 0) await Bun.sleep(20)
    }
  })

  test('say why they cannot start, once each at most, and end with 1', async () => {
    await using folder = await openFolder({ LOG_LEVEL: 'error' })
    await using serving = await folder.serve()
    const { port } = new URL(serving.url)
    const { code, stderr } = await folder.run(['serve', '--port', port, '--workers', '2'])
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^[^\\n]*\\b${port}\\b[^\\n]*\\n$`))
    const { code: usage } = await folder.run(['serve', '--workers', 'many'])
    expect(usage).toBe(2)
  })

  test('wait for a database that is away, and end when they are told to', async () => {
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
