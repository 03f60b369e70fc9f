import { describe, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { listeningText } from '../../../src/cli/end-signals.ts'
import { draft } from '../../entries.ts'
import { LAUNCHER, MAIN } from '../../program.ts'
import { openFolder } from '../shirube.ts'

/** Rights mean nothing to root: there it is tried as nobody, where nobody may read the program. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const canBeNobody =
  process.platform !== 'win32' && Bun.spawnSync(['test', '-r', MAIN], { ...NOBODY }).exitCode === 0

const listServices = async (url: string) =>
  (await (await fetch(`${url}/api/services?limit=100`)).json()) as unknown[]

describe('serve', () => {
  test('without --sample starts empty, and prints a link to the room of its operator and no key', async () => {
    await using folder = await openFolder()
    await using serving = await folder.serve()
    expect(await (await fetch(`${serving.url}/api/services`)).json()).toEqual([])
    // Whoever starts it for the first time learns how to fill it. Who reads the address may close the pipe after it.
    while (!serving.stderr().includes('empty')) await Bun.sleep(5)
    expect(serving.stderr()).toMatch(/^The catalog is empty\..* sync PayAI$/m)
    const [, link] =
      /^Shirube is listening: http:\/\/127\.0\.0\.1:\d+(?: http:\/\/\[::1\]:\d+)?\nThe operator's room, [^\n]*: (\S+)\n$/.exec(
        serving.stdout(),
      ) ?? []
    const { port } = new URL(serving.url)
    expect((await folder.run(['serve', '--healthcheck', '--port', port])).code).toBe(0)
    expect((await folder.run(['serve', '--healthcheck', '--port', '1'])).code).toBe(1)
    const elsewhere = { HOST: '127.0.0.2', PORT: port }
    expect((await folder.run(['serve', '--healthcheck'], { env: elsewhere })).code).toBe(1)
    await using other = await folder.serve([], { HOST: '127.0.0.2', DATABASE_URL: 'sqlite::memory:' })
    const there = { HOST: '127.0.0.2', PORT: new URL(other.url).port }
    expect((await folder.run(['serve', '--healthcheck'], { env: there })).code).toBe(0)
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

  test('with workers prints once how to fill an empty catalog', async () => {
    await using folder = await openFolder()
    await using serving = await folder.serve(['--workers', '2'])
    while (!serving.stderr().includes('empty')) await Bun.sleep(5)
    expect(serving.stderr().match(/^The catalog is empty\..* sync PayAI$/gm)).toHaveLength(1)
  })

  test('with --sample fills a new database and prints a key, once and never to the log', async () => {
    await using folder = await openFolder({ LOG_LEVEL: 'debug' })
    const serving = await folder.serve(['--sample'])
    const [key] = /shb_\w+/.exec(serving.stdout()) ?? []
    const [, until] = /to register services until (\d{4}-\d\d-\d\d)/.exec(serving.stdout()) ?? []
    const { stdout: listed } = await folder.run(['keys', 'list', '--json'], {
      env: { DATABASE_URL: 'sqlite:./data/sample.db' },
    })
    expect(JSON.parse(listed)).toMatchObject([{ name: 'first key', scopes: ['register'] }])
    expect(JSON.parse(listed)[0].expiresAt).toStartWith(until!)
    expect(serving.stdout()).toMatch(/The services are invented, .* serve, .* sync PayAI/)
    const services = await listServices(serving.url)
    expect(services.length).toBeGreaterThan(50)
    const answer = await fetch(`${serving.url}/api/services`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(400)
    await serving[Symbol.asyncDispose]()
    expect(serving.stderr()).toContain('/api/services')
    expect(serving.stderr()).not.toContain(key!)

    await using again = await folder.serve(['--sample'])
    expect(again.stdout()).not.toContain('shb_')
    expect(again.stdout()).not.toContain('invented')
    expect(await listServices(again.url)).toHaveLength(services.length)
  })

  test('with --sample has a database of its own, and says on each page how to start for real', async () => {
    await using folder = await openFolder()
    await using sample = await folder.serve(['--sample'])
    await using real = await folder.serve()
    expect((await listServices(sample.url)).length).toBeGreaterThan(50)
    expect(await listServices(real.url)).toEqual([])
    for (const [path, words] of [
      ['/', 'This is a sample.'],
      ['/about', 'This is a sample.'],
      ['/nowhere', 'This is a sample.'],
      ['/catalog?lang=ja', 'これは見本です。'],
    ] as const) {
      const read = async (url: string) =>
        (await fetch(url + path, { headers: { accept: 'text/html' } })).text()
      expect((await read(sample.url)).split(words)).toHaveLength(2)
      expect(await read(sample.url)).toContain('shirube -- serve</code>')
      expect(await read(real.url)).not.toContain(words)
    }
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends by itself on %s, with 0', async name => {
    await using folder = await openFolder()
    await using serving = await folder.serve(['--sample'], {}, LAUNCHER)
    expect((await fetch(`${serving.url}/api/services`)).status).toBe(200)
    serving.signal(name)
    expect(await serving.exited).toBe(0)
  })

  test('on SIGTERM finishes open requests, and sends Connection: close with every response', async () => {
    await using folder = await openFolder({ API_KEYS: 'key-of-the-slow' })
    await using serving = await folder.serve()
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

  test('finishes open requests and ends when the launcher is killed', async () => {
    await using folder = await openFolder()
    await using serving = await folder.serve([], {}, LAUNCHER)
    process.kill(serving.pid, 'SIGKILL')
    await serving.exited
    const isThere = () =>
      fetch(`${serving.url}/healthz`).then(
        () => true,
        () => false,
      )
    while (await isThere()) await Bun.sleep(20)
  })

  test('treats repeated simultaneous signals as one', async () => {
    await using folder = await openFolder()
    await using serving = await folder.serve(['--sample'], {}, LAUNCHER)
    for (let i = 0; i < 3; i++) serving.signal('SIGINT')
    expect(await serving.exited).toBe(0)
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

  test('reports a port in use in one line', async () => {
    await using folder = await openFolder()
    await using serving = await folder.serve()
    const { port } = new URL(serving.url)
    const { code, stdout, stderr } = await folder.run(['serve', '--port', port], {
      env: { LOG_LEVEL: 'error' },
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^[^\\n]*\\b${port}\\b[^\\n]*\\n$`))
  })

  test.each([
    ['HOST', 'no.such.host.invalid', 'no address is known for that name'],
    ['HOST', '203.0.113.7', 'cannot listen on 203.0.113.7'],
    ['DATABASE_URL', 'sqlite:.', 'is not a file'],
    ['DATABASE_URL', 'sqlite:file/store.db', 'cannot be opened'],
  ])(
    'reports in one line what is wrong with %s=%s, with and without workers',
    async (name, value, sentence) => {
      await using folder = await openFolder({ LOG_LEVEL: 'error' })
      await folder.file('file', '')
      for (const workers of [[], ['--workers', '2']]) {
        const { code, stdout, stderr } = await folder.run(['serve', '--port', '0', ...workers], {
          env: { [name]: value },
        })
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        expect(stderr).toMatch(/^[^\n]+\n$/)
        expect(stderr).toContain(sentence)
      }
    },
  )

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
