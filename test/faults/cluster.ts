// Three nodes on a primary with a synchronous standby, everything real and everything breakable.
import { fileURLToPath } from 'node:url'
import type { Subprocess } from 'bun'
import postgres from 'postgres'
import { SETTING_DEFAULTS } from '../../src/app/config.ts'
import { freePort } from '../free-port.ts'
import {
  createCluster,
  createDatabase,
  createStandby,
  type PostgresServer,
  startPostgres,
} from '../postgres.ts'
import { MAIN } from '../program.ts'
import type { Judgement } from './judge-exports.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const CHECKER = fileURLToPath(new URL('./checker.ts', import.meta.url))
export const KEY = 'a-key-for-the-cluster'
const AGREE_MS = 120_000

export type Node = { readonly url: string; kill(): Promise<void>; start(): Promise<void> }

export interface Cluster extends AsyncDisposable {
  readonly nodes: readonly Node[]
  /** Between each node and the database. */
  readonly networks: readonly TcpProxy[]
  /** Between the primary and its standby. */
  readonly replication: TcpProxy
  /** The primary crashes, its standby takes its place. */
  failOver(): Promise<void>
}

export type Verdict = {
  readonly requests: number
  readonly accepted: number
  readonly refused: number
  readonly failed: number
  readonly promised: number
  /** How often a node did not show what it had just answered 201 for. */
  readonly brokenPromises: number
} & Judgement

export async function openCluster({
  nodes: count,
  isSynchronous = true,
}: {
  readonly nodes: number
  readonly isSynchronous?: boolean
}): Promise<Cluster> {
  await using parts = new AsyncDisposableStack()
  const { primary, standby, replication, url } = await startDatabase({ isSynchronous })
  parts.use(replication)
  parts.defer(() => primary.stop())
  parts.defer(() => standby.stop())
  const networks = await Promise.all(Array.from({ length: count }, () => openTcpProxy(primary.port)))
  for (const network of networks) parts.use(network)
  const nodes = await Promise.all(networks.map(({ port }) => createNode(through(url, port))))
  for (const node of nodes) parts.defer(() => node.kill())
  await Promise.all(nodes.map(node => node.start()))
  const owned = parts.move()
  return {
    nodes,
    networks,
    replication,
    async failOver() {
      await primary.kill()
      for (const network of networks) network.cut()
      const sql = postgres(standby.url('postgres'), { max: 1, onnotice: () => {} })
      await sql`SELECT pg_promote(true, 60)`
      await sql.end()
      for (const network of networks) {
        network.leadTo(standby.port)
        network.restore()
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** A primary that acknowledges no commit that its standby does not have, unless it is told not to wait. */
export async function startDatabase({
  isSynchronous = true,
} = {}): Promise<{ primary: PostgresServer; standby: PostgresServer; replication: TcpProxy; url: string }> {
  const [port, standbyPort] = [await freePort(), await freePort()]
  const folder = await createCluster()
  const first = await startPostgres(folder, { port })
  const url = await createDatabase({ server: first })
  await first.stop()
  const replication = await openTcpProxy(port)
  const copy = createStandby(folder, { port: replication.port })
  const settings = { synchronous_commit: 'on', synchronous_standby_names: isSynchronous ? 'standby' : '' }
  const primary = await startPostgres(folder, { port, settings })
  const standby = await startPostgres(copy, { port: standbyPort })
  const sql = postgres(primary.url('postgres'), { max: 1, onnotice: () => {} })
  const state = isSynchronous ? 'sync' : 'async'
  while ((await sql`SELECT 1 FROM pg_stat_replication WHERE sync_state = ${state}`).length === 0)
    await Bun.sleep(20)
  await sql.end()
  return { primary, standby, replication, url }
}

async function createNode(databaseUrl: string): Promise<Node> {
  const port = await freePort()
  const inherited = Object.entries(process.env).filter(([name]) => !(name in SETTING_DEFAULTS))
  const settings = {
    DATABASE_URL: databaseUrl,
    API_KEYS: KEY,
    PROBE: 'off',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
  }
  let child: Subprocess | undefined
  return {
    url: `http://127.0.0.1:${port}`,
    async start() {
      child = Bun.spawn([process.execPath, MAIN, 'serve', '--port', String(port)], {
        env: { ...Object.fromEntries(inherited), ...settings },
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'ignore',
      })
      while ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status !== 200) {
        if (child.exitCode !== null) throw new Error(`A node ended with ${child.exitCode}.`)
        await Bun.sleep(20)
      }
    },
    async kill() {
      child?.kill('SIGKILL')
      await child?.exited
    },
  }
}

/** The same database through another port. */
function through(url: string, port: number): string {
  const address = new URL(url)
  address.port = String(port)
  return address.href
}

/** Clients at work, until they are stopped. */
export function startChecker(
  nodes: readonly { readonly url: string }[],
  { clients, perSecond, agreeMs = AGREE_MS }: { clients: number; perSecond: number; agreeMs?: number },
) {
  const task = { nodes: nodes.map(({ url }) => url), key: KEY, clients, perSecond, agreeMs }
  const child = Bun.spawn([process.execPath, CHECKER, JSON.stringify(task)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let accepted = 0
  let counting: PromiseWithResolvers<number> | undefined
  const { promise: verdict, resolve, reject } = Promise.withResolvers<Verdict>()
  void (async () => {
    let rest = ''
    for await (const chunk of child.stdout) {
      const lines = (rest + new TextDecoder().decode(chunk)).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        const told = JSON.parse(line) as { accepted?: number; counted?: number; verdict?: Verdict }
        accepted = told.accepted ?? accepted
        if (told.counted !== undefined) counting?.resolve(told.counted)
        if (told.verdict) resolve(told.verdict)
      }
    }
    const error = new Error(`The checker ended with ${await child.exited} before its verdict.`)
    reject(error)
    counting?.reject(error)
  })()
  return {
    /** Waits until so many more registrations were accepted, counted from this moment. */
    async more(count: number): Promise<void> {
      counting = Promise.withResolvers()
      child.stdin.write('count\n')
      child.stdin.flush()
      const goal = (await counting.promise) + count
      while (accepted < goal) {
        if (child.exitCode !== null) throw new Error(`The checker ended with ${child.exitCode}.`)
        await Bun.sleep(20)
      }
    },
    async stop(): Promise<Verdict> {
      child.stdin.write('stop\n')
      child.stdin.flush()
      return verdict
    },
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  }
}
