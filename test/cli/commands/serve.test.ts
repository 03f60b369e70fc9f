import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { listeningText } from '../../../src/cli/end-signals.ts'
import { draft } from '../../entries.ts'
import { openTestServer } from '../../http/directory-server.ts'
import { LAUNCHER, MAIN } from '../../program.ts'
import { type Folder, openFolder, type Serving } from '../shirube.ts'

/** Rights mean nothing to root: there it is tried as nobody, where nobody may read the program. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const canBeNobody =
  process.platform !== 'win32' && Bun.spawnSync(['test', '-r', MAIN], { ...NOBODY }).exitCode === 0

const listServices = async (url: string) =>
  (await (await fetch(`${url}/api/services?limit=100`)).json()) as unknown[]

/** Of one server that goes on through all of it, and ends with its launcher. */
describe('serve without --sample', () => {
  let folder: Folder
  let serving: Serving
  beforeAll(async () => {
    folder = await openFolder()
    serving = await folder.serve([], {}, LAUNCHER)
  })
  afterAll(async () => {
    await serving[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  test('starts empty, and prints a link to the room of its operator and no key', async () => {
    expect(await listServices(serving.url)).toEqual([])
    // Whoever starts it for the first time learns how to fill it. Who reads the address may close the pipe after it.
    while (!serving.stderr().includes('empty')) await Bun.sleep(5)
    expect(serving.stderr()).toMatch(/^The catalog is empty\..* sync PayAI$/m)
    const [, link] =
      /^Shirube is listening: http:\/\/127\.0\.0\.1:\d+(?: http:\/\/\[::1\]:\d+)?\nThe operator's room, [^\n]*: (\S+)\n$/.exec(
        serving.stdout(),
      ) ?? []
    // In a container it listens on every address.
    const urls = ['http://0.0.0.0:4020']
    const text = listeningText(
      { directoryName: 'In a container', publicUrl: undefined },
      { urls, linkToken: 'x' },
    )
    expect(text).toEndWith(': http://127.0.0.1:4020/operator?token=x')
    const open = async () => (await fetch(link!, { redirect: 'manual' })).status
    expect([await open(), await open()]).toEqual([303, 401])
  })

  test('--healthcheck finds it by port and host', async () => {
    const { port } = new URL(serving.url)
    await using other = await openTestServer({ HOST: '127.0.0.2' })
    const check = async (PORT: string, HOST?: string) =>
      (await folder.run(['serve', '--healthcheck'], { env: { PORT, ...(HOST && { HOST }) } })).code
    const checked = [
      check(port),
      check('1'),
      check(port, '127.0.0.2'),
      check(new URL(other.url).port, '127.0.0.2'),
    ]
    expect(await Promise.all(checked)).toEqual([0, 1, 1, 0])
  })

  test('reports a port in use in one line', async () => {
    const { port } = new URL(serving.url)
    const { code, stdout, stderr } = await folder.run(['serve', '--port', port], {
      env: { LOG_LEVEL: 'error' },
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^[^\\n]*\\b${port}\\b[^\\n]*\\n$`))
  })

  test('with --sample beside it fills a database of its own, says so on each page, and prints a key, once and never to the log', async () => {
    const env = { LOG_LEVEL: 'debug' }
    const sample = await folder.serve(['--sample'], env, LAUNCHER)
    const [key] = /shb_\w+/.exec(sample.stdout()) ?? []
    const [, until] = /to register services until (\d{4}-\d\d-\d\d)/.exec(sample.stdout()) ?? []
    const { stdout: listed } = await folder.run(['keys', 'list', '--json'], {
      env: { DATABASE_URL: 'sqlite:./data/sample.db' },
    })
    expect(JSON.parse(listed)).toMatchObject([{ name: 'first key', scopes: ['register'] }])
    expect(JSON.parse(listed)[0].expiresAt).toStartWith(until!)
    expect(sample.stdout()).toMatch(/The services are invented, .* serve, .* sync PayAI/)
    const services = await listServices(sample.url)
    expect(services.length).toBeGreaterThan(50)
    expect(await listServices(serving.url)).toEqual([])
    for (const [path, words] of [
      ['/', 'Sample data.'],
      ['/about', 'Sample data.'],
      ['/nowhere', 'Sample data.'],
      ['/catalog?lang=ja', '表示中のデータは見本です。'],
    ] as const) {
      const read = async (url: string) =>
        (await fetch(url + path, { headers: { accept: 'text/html' } })).text()
      expect((await read(sample.url)).split(words)).toHaveLength(2)
      expect(await read(sample.url)).toContain('shirube -- serve</code>')
      expect(await read(serving.url)).not.toContain(words)
    }
    const answer = await fetch(`${sample.url}/api/services`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(400)
    // One Ctrl+C may arrive several times.
    for (let i = 0; i < 3; i++) sample.signal('SIGINT')
    expect(await sample.exited).toBe(0)
    expect(sample.stderr()).toContain('/api/services')
    expect(sample.stderr()).not.toContain(key!)

    await using again = await folder.serve(['--sample'], env, LAUNCHER)
    expect(again.stdout()).not.toContain('shb_')
    expect(again.stdout()).not.toContain('invented')
    expect(await listServices(again.url)).toHaveLength(services.length)
    again.signal('SIGHUP')
    expect(await again.exited).toBe(0)
  })

  test('ends when the launcher is killed', async () => {
    process.kill(serving.pid, 'SIGKILL')
    await serving.exited
    const isThere = () =>
      fetch(`${serving.url}/healthz`).then(
        () => true,
        () => false,
      )
    while (await isThere()) await Bun.sleep(20)
  })
})

describe('serve', () => {
  test('on SIGTERM finishes open requests, and sends Connection: close with every response', async () => {
    await using folder = await openFolder({ API_KEYS: 'key-of-the-slow' })
    await using serving = await folder.serve([], {}, LAUNCHER)
    const { hostname, port } = new URL(serving.url)
    const body = JSON.stringify(draft({ name: 'Begun before the end' }))
    let answer = ''
    const answered = Promise.withResolvers<void>()
    const slow = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data(_, bytes) {
          answer += bytes.toString()
        },
        close: () => answered.resolve(),
      },
    })
    slow.write(
      `POST /api/services HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-of-the-slow\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n{`,
    )
    expect((await fetch(`${serving.url}/healthz`)).headers.get('connection')).not.toBe('close')
    serving.signal('SIGTERM')
    // Until it is told, or listens no more.
    const isTold = async () =>
      fetch(`${serving.url}/healthz`).then(
        ({ headers }) => headers.get('connection') === 'close',
        () => true,
      )
    while (!(await isTold())) await Bun.sleep(5)
    slow.write(body.slice(1))
    await answered.promise
    expect(answer).toStartWith('HTTP/1.1 201 ')
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(await serving.exited).toBe(0)
    await using again = await folder.serve()
    expect(await listServices(again.url)).toMatchObject([{ name: 'Begun before the end' }])
  })

  test('ends at once on a second, later signal', async () => {
    await using folder = await openFolder()
    await using serving = await folder.serve([], { API_KEYS: 'key-of-the-stuck' }, LAUNCHER)
    const { hostname, port } = new URL(serving.url)
    // A request that never ends keeps the server from ending by itself.
    const stuck = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } })
    stuck.write(
      'POST /api/services HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-of-the-stuck\r\nContent-Length: 10\r\n\r\n',
    )
    const insisting = setInterval(() => serving.signal('SIGTERM'), 100)
    expect(await serving.exited).toBe(143)
    clearInterval(insisting)
    stuck.end()
  })

  test.each([
    [[], 'HOST', 'no.such.host.invalid', 'no address is known for that name'],
    [['--workers', '2'], 'HOST', '203.0.113.7', 'cannot listen on 203.0.113.7'],
    [[], 'DATABASE_URL', 'sqlite:.', 'is not a file'],
    [['--workers', '2'], 'DATABASE_URL', 'sqlite:file/store.db', 'cannot be opened'],
  ])('reports in one line, with %p, what is wrong with %s=%s', async (workers, name, value, sentence) => {
    await using folder = await openFolder({ LOG_LEVEL: 'error' })
    await folder.file('file', '')
    const { code, stdout, stderr } = await folder.run(['serve', '--port', '0', ...workers], {
      env: { [name]: value },
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).toContain(sentence)
  })

  test.skipIf(!canBeNobody)('reports in one line what it may not read or write', async () => {
    await using folder = await openFolder({ LOG_LEVEL: 'error' })
    await folder.file('locked/store.db', '')
    await folder.file('.env', 'METRICS=off')
    const run = async (env: Record<string, string>) => {
      const command = folder.command(['serve', '--port', '0'], env)
      const child = Bun.spawn({ ...command, ...NOBODY, stdout: 'pipe', stderr: 'pipe' })
      return [await child.exited, await child.stdout.text(), await child.stderr.text()]
    }
    chmodSync(folder.path, 0o755)
    chmodSync(join(folder.path, 'locked'), 0o000)
    expect(await run({ DATABASE_URL: 'sqlite:locked/store.db' })).toEqual([
      1,
      '',
      expect.stringMatching(/^The database \S+ cannot be opened; check the permissions[^\n]*\n$/),
    ])
    chmodSync(join(folder.path, '.env'), 0o000)
    expect(await run({ DATABASE_URL: 'sqlite::memory:' })).toEqual([
      1,
      '',
      'The settings in .env cannot be read (EACCES); check its permissions.\n',
    ])
    chmodSync(join(folder.path, 'locked'), 0o700)
  })
})
