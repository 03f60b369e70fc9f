// The lines of docs/operating.md that need a database server, or that go on, run in their order with Debian's PostgreSQL.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { SETTING_DEFAULTS } from '../../src/config.ts'
import { draft } from '../entries.ts'
import { freePort } from '../postgres.ts'
import { blocksOf, linesOf, readDocument } from './run-document.ts'

setDefaultTimeout(240_000)

const ROOT = new URL('../..', import.meta.url).pathname
const KEY = 'a-key-for-the-operator'
const installed = [
  ...new Glob('*/bin/pg_basebackup').scanSync({ cwd: '/usr/lib/postgresql', onlyFiles: false }),
]
const binaries = installed[0] && dirname(join('/usr/lib/postgresql', installed.sort().at(-1)!))
/** PostgreSQL refuses to run as root: there it runs as nobody. */
const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

const lines = blocksOf(await readDocument('docs/operating.md'))
  .filter(({ language }) => language === 'sh')
  .flatMap(linesOf)

describe.skipIf(!binaries || (asUser.length > 0 && !Bun.which('setpriv')))('docs/operating.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shirube-operating-'))
  const children: Bun.Subprocess[] = []
  let ports: { one: number; two: number }
  let output = 0

  beforeAll(async () => {
    ports = { one: await freePort(), two: await freePort() }
    if (asUser.length > 0) chownSync(folder, 65_534, 65_534)
    await sh(
      'initdb -D one -U postgres --auth=trust --no-sync && echo "unix_socket_directories = \'\'" >> one/postgresql.conf',
    )
    await sh(`pg_ctl -D one -o '-p ${ports.one}' -w start`)
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    for (const name of ['one', 'two']) await sh(`pg_ctl -D ${name} -m immediate stop`).catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  })

  const adapt = (line: string) =>
    line
      .replaceAll('55433', String(ports.two))
      .replaceAll(/55432|(?<=127\.0\.0\.1:)5432/g, String(ports.one))
      .replace(/ +# .*/, '')

  /** Servers that a line starts go on after it: they write to a file, which nobody waits for. */
  async function sh(line: string): Promise<string> {
    const file = join(folder, `output-${++output}`)
    const child = Bun.spawn([...asUser, 'sh', '-c', `{ ${line}\n} > ${file} 2>&1`], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${binaries}:${process.env.PATH}`,
        PGHOST: '127.0.0.1',
        PGUSER: 'postgres',
        PGPORT: String(current()),
      },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const code = await child.exited
    const said = await Bun.file(file).text()
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${said}`)
    return said
  }

  let isPromoted = false
  const current = () => (isPromoted ? ports.two : ports.one)

  /** The line of the page that begins so, in its order; a page that lost it fails here. */
  const found = (start: string): string => {
    const line = lines.find(line => line.startsWith(start))
    if (line === undefined) throw new Error(`docs/operating.md has no line that begins with ${start}`)
    return adapt(line)
  }

  async function serve(line: string) {
    const [, databaseUrl = '', args = ''] = /^(?:DATABASE_URL=(\S+) )?node bin\/shirube\.mjs (serve.*)$/.exec(
      line,
    )!
    const port = await freePort()
    const inherited = Object.entries(process.env).filter(([name]) => !(name in SETTING_DEFAULTS))
    const child = Bun.spawn(
      ['node', join(ROOT, 'bin/shirube.mjs'), ...args.split(' '), '--port', String(port)],
      {
        cwd: folder,
        env: {
          ...Object.fromEntries(inherited),
          ...(databaseUrl && { DATABASE_URL: databaseUrl }),
          API_KEYS: KEY,
          PROBE: 'off',
          LOG_LEVEL: 'error',
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    children.push(child)
    const url = `http://127.0.0.1:${port}`
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(`${line} ended with ${child.exitCode}`)
      await Bun.sleep(20)
    }
    return {
      register: (name: string) =>
        fetch(`${url}/api/services`, {
          method: 'POST',
          headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify(draft({ name })),
        }).then(({ status }) => status),
      names: async () => {
        const services = (await (await fetch(`${url}/api/services?sortBy=name`)).json()) as { name: string }[]
        return services.map(({ name }) => name)
      },
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM')
        expect(await child.exited).toBe(0)
      },
    }
  }

  test('nodes: makes a role and a database, and serves from it', async () => {
    await sh(found('psql -c "CREATE ROLE shirube'))
    await using node = await serve(
      found(`DATABASE_URL=postgres://shirube:secret@127.0.0.1:5432/shirube node`),
    )
    expect(await node.register('A')).toBe(201)
  })

  test('replication and failover: a standby that confirms each commit, and takes over', async () => {
    await sh(found('pg_basebackup'))
    await sh(found('pg_ctl -D two -o'))
    await sh(found('psql -p 55432 -c "ALTER SYSTEM'))
    const question = found('psql -p 55432 -Atc')
    while ((await sh(question)).trim() !== 'walreceiver|sync') await Bun.sleep(50)
    await using node = await serve(found('DATABASE_URL=postgres://shirube:secret@127.0.0.1:55432,'))
    expect(await node.register('B')).toBe(201)
    await sh(found('pg_ctl -D one -m fast stop'))
    await sh(found('pg_ctl -D two promote'))
    isPromoted = true
    while ((await node.register('C')) !== 201) await Bun.sleep(50)
    expect(await node.names()).toEqual(['A', 'B', 'C'])
  })

  test('backup and restore on PostgreSQL', async () => {
    for (const start of ['pg_dump', 'createdb', 'pg_restore']) await sh(found(start))
    const line = found('DATABASE_URL=postgres://shirube:secret@127.0.0.1:5432/restored')
    await using node = await serve(line.replace(String(ports.one), String(ports.two)))
    expect(await node.names()).toEqual(['A', 'B', 'C'])
    expect(await node.register('D')).toBe(201)
  })

  test('one process, and backup and restore on SQLite', async () => {
    {
      await using node = await serve(found('node bin/shirube.mjs serve'))
      expect(await node.register('A')).toBe(201)
      const copy = found('node bin/bun.mjs -e').replace('node bin/', `node ${ROOT}bin/`)
      mkdirSync(join(folder, 'data'), { recursive: true })
      const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', copy], { cwd: folder })
      expect([exitCode, stderr.toString()]).toEqual([0, ''])
      expect(await node.register('B')).toBe(201)
    }
    await using restored = await serve(found('DATABASE_URL=sqlite:backup.db'))
    expect(await restored.names()).toEqual(['A'])
  })

  test('workers: all cores of the machine', async () => {
    await using node = await serve(found('node bin/shirube.mjs serve --workers'))
    expect(await node.names()).toEqual(['A', 'B'])
  })
})
