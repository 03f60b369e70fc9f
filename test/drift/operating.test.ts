// The lines of the operator's guide and of the one for several nodes, run in their order on this machine: a database of each engine, a standby, a failover, backups.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { freePort } from '../free-port.ts'
import { LAUNCHER } from '../program.ts'
import { blocksOf, linesOf, readDocument } from './run-document.ts'

const KEY = 'a-key-of-the-operator'
const TOOLS = ['initdb', 'pg_ctl', 'pg_basebackup', 'psql', 'pg_dump', 'pg_restore', 'createdb']
/** PostgreSQL refuses to run as root: there it runs as nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** What no test may do, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci --omit=dev': 'it would replace the packages that the tests run on',
  'npm install --prefix /opt/shirube-0.2.0 ./shirube-0.2.0.tgz': 'package.test.ts installs the package',
  'ln -sfn /opt/shirube-0.2.0/node_modules/shirube /opt/shirube':
    'it changes the machine; shell-launcher.test.ts starts through links',
  'systemctl restart shirube': 'it changes the machine',
  'cp shirube.service /etc/systemd/system/ && systemctl enable --now shirube':
    'it changes the machine; deployment.test.ts reads the unit',
}

/** npm brings a server, but none of the tools around it. */
function findTools(): string | undefined {
  const beside = Bun.which('initdb')
  const folders = [
    ...(beside ? [dirname(beside)] : []),
    ...[...new Glob('/usr/lib/postgresql/*/bin').scanSync({ cwd: '/', onlyFiles: false })].sort().reverse(),
  ]
  return folders.find(folder => TOOLS.every(tool => existsSync(join(folder, tool))))
}

const tools = process.platform === 'win32' ? undefined : findTools()
const text = (await Promise.all(['docs/operating.md', 'docs/scaling.md'].map(readDocument))).join('\n')
const blocks = blocksOf(text)
const lines = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(linesOf)
  .filter(line => !(line in NOT_RUN))
if (!tools)
  console.warn(
    'The tools of PostgreSQL are not on this machine, so the lines of docs/operating.md and docs/scaling.md are not run.',
  )

const isServe = (line: string) => /(^| )node bin\/shirube\.mjs serve\b/.test(line)
const engineOf = (line: string) => (line.includes('postgres://') ? 'PostgreSQL' : 'SQLite')

describe.skipIf(tools === undefined)('docs/operating.md and docs/scaling.md', () => {
  let folder: string
  let ports: { readonly one: number; readonly two: number }
  /** How many services each engine holds by now: every server that is started gets one more. */
  const held = { SQLite: 0, PostgreSQL: 0 }
  let isPromoted = false

  const adapt = (line: string) =>
    line
      .replaceAll('55433', String(ports.two))
      .replaceAll('55432', String(ports.one))
      .replaceAll('5432/', `${isPromoted ? ports.two : ports.one}/`)
      .replaceAll('bin/shirube.mjs', LAUNCHER)

  const spawn = (command: string, more: Record<string, string>, user: object) => {
    for (const name of ['stdout', 'stderr']) rmSync(join(folder, name), { force: true })
    return Bun.spawn(['sh', '-c', command], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${tools}:${process.env.PATH}`,
        PGHOST: '127.0.0.1',
        PGPORT: String(isPromoted ? ports.two : ports.one),
        PGUSER: 'postgres',
        ...more,
      },
      ...user,
      // A server that a line leaves running must not hold our pipes open.
      stdout: Bun.file(join(folder, 'stdout')),
      stderr: Bun.file(join(folder, 'stderr')),
    })
  }

  async function run(line: string): Promise<{ code: number; said: string }> {
    const isOfDatabase = TOOLS.some(tool => line.startsWith(`${tool} `))
    const code = await spawn(adapt(line), {}, isOfDatabase ? NOBODY : {}).exited
    const said = (
      await Promise.all(['stdout', 'stderr'].map(name => Bun.file(join(folder, name)).text()))
    ).join('')
    return { code, said: said.trim() }
  }

  /** Starts it, finds all that was kept before, adds one, and ends it as the guide says. */
  async function serve(line: string): Promise<void> {
    const port = String(await freePort())
    const settings = { PORT: port, HOST: '127.0.0.1', PROBE: 'off', LOG_LEVEL: 'warn', API_KEYS: KEY }
    const child = spawn(`exec env ${adapt(line)}`, settings, {})
    const url = `http://127.0.0.1:${port}`
    while (
      !(await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null) throw new Error(await Bun.file(join(folder, 'stderr')).text())
      await Bun.sleep(50)
    }
    const engine = engineOf(line)
    const total = async () => (await fetch(`${url}/api/services`)).headers.get('x-total-count')
    expect(await total()).toBe(String(held[engine]))
    const { status } = await fetch(`${url}/api/services`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: JSON.stringify({
        name: `Kept on ${engine}`,
        description: 'What an operator must not lose.',
        endpoint: 'https://kept.example',
        category: 'data',
        pricing: { currency: 'USDC', pricePerRequest: '1' },
        x402Config: { network: 'base', paymentAddress: `0x${'1'.repeat(40)}` },
      }),
    })
    expect(status).toBe(201)
    held[engine]++
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shirube-operating-'))
    if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid)
    ports = { one: await freePort(), two: await freePort() }
    for (const line of [
      'initdb -D one -U postgres -A trust --no-sync -E UTF8 --locale=C',
      'pg_ctl -D one -o "-p 55432 -c unix_socket_directories=\'\'" -w start',
    ]) {
      const { code, said } = await run(line)
      if (code !== 0) throw new Error(said)
    }
  })
  afterAll(async () => {
    for (const cluster of ['one', 'two']) await run(`pg_ctl -D ${cluster} -m immediate stop`)
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(lines.map((line, i) => [i + 1, line] as const))('line %i: %s', async (_, line) => {
    if (isServe(line)) return serve(line)
    let ran = await run(line.replace("-o '-p 55433'", '-o "-p 55433 -c unix_socket_directories=\'\'"'))
    expect([ran.code, ran.code === 0 ? '' : ran.said]).toEqual([0, ''])
    if (line.includes('promote')) isPromoted = true
    // What it prints stands beside it.
    const expected = new RegExp(`${RegExp.escape(line)}\\s+# (.*)`).exec(text)?.[1]
    while (expected !== undefined && ran.said !== expected) {
      await Bun.sleep(100)
      ran = await run(line)
    }
  })

  test('runs every line except those that no test may run', () => {
    expect(lines.length).toBeGreaterThan(12)
    expect(Object.keys(NOT_RUN).filter(line => !text.includes(line))).toEqual([])
    expect(held).toEqual({ SQLite: 3, PostgreSQL: 3 })
  })
})

test.skipIf(Bun.which('nginx') === null)(
  'the proxy of docs/operating.md forwards to a node that responds',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shirube-nginx-'))
    using node = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('from a node') })
    const port = await freePort()
    const given = blocks.find(({ language }) => language === 'nginx')!.text
    // The first node is away.
    const adapted = given
      .replace('127.0.0.1:4841', `127.0.0.1:${await freePort()}`)
      .replace('127.0.0.1:4842', `127.0.0.1:${node.port}`)
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
    const file = join(folder, 'nginx.conf')
    await Bun.write(
      file,
      `daemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\naccess_log off;\n${[
        ...'client_body_temp_path proxy_temp_path fastcgi_temp_path uwsgi_temp_path'.split(' '),
        ...'scgi_temp_path'.split(' '),
      ]
        .map(name => `${name} ${folder}/${name};`)
        .join('\n')}\n${adapted}\n}\n`,
    )
    const nginx = Bun.spawn(['nginx', '-c', file, '-p', folder], { stderr: 'pipe' })
    try {
      let answer: string | undefined
      while (answer === undefined && nginx.exitCode === null)
        answer = await fetch(`http://127.0.0.1:${port}/`).then(
          response => response.text(),
          () => undefined,
        )
      expect([answer, nginx.exitCode === null ? '' : await nginx.stderr.text()]).toEqual(['from a node', ''])
    } finally {
      nginx.kill()
      await nginx.exited
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
