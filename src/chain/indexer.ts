// Follows the chains of which there is a node, the operator's own or a public one, as long as the directory runs.

import { type Asset, assetsOn } from '../domain/chains/assets.ts'
import { type Chain, findChain } from '../domain/chains/chains.ts'
import type { Clock } from '../runtime/clock.ts'
import { createProcessLease, type ProcessLease, RENEW_EVERY_MS } from '../runtime/lease.ts'
import type { Seq, Store } from '../store/store.ts'
import { ChainReader, type ReaderSettings } from './chain-reader.ts'
import { PayeeListings } from './credit.ts'
import type { Facilitators } from './facilitators.ts'
import { NodeError } from './node.ts'

export type Report = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, unknown>,
) => void

export type IndexerOptions = {
  readonly store: Pick<Store, 'changes' | 'leases' | 'payments'>
  readonly clock: Clock
  /** Node URLs by CAIP-2 id. */
  readonly rpcUrls: Readonly<Record<string, string>>
  /** Chains that are read from public nodes, while services are listed on them. */
  readonly publicNodes?: PublicNodes | undefined
  readonly settings: ReaderSettings
  readonly facilitators: Facilitators
  readonly report: Report
  /** The listings are read after this: at a start, the catalog reads the whole store first. */
  readonly after?: Promise<unknown> | undefined
}

type PublicNodes = {
  /** CAIP-2 ids. */
  readonly chains: readonly string[]
  /** The URL of a node, with which anybody may read the chain. */
  readonly find: (chain: string) => Promise<string | undefined>
}

/** pollMs: the pause after everything is read, longer after a long round, up to `max`; gapMs: between two requests; retryMs: the pauses after failures. */
type Pace = {
  readonly pollMs: { readonly min: number; readonly max: number }
  readonly gapMs: number
  readonly retryMs: { readonly first: number; readonly max: number }
}
const OWN: Pace = {
  pollMs: { min: 15_000, max: 15_000 },
  gapMs: 0,
  retryMs: { first: 1_000, max: 5 * 60_000 },
}
/** Public nodes serve everybody, and refuse whoever asks much. */
export const PUBLIC: Pace = {
  pollMs: { min: 10 * 60_000, max: 60 * 60_000 },
  gapMs: 1_000,
  retryMs: { first: 60_000, max: 6 * 60 * 60_000 },
}
/** How often it is looked whether services are listed on further chains. */
const LOOK_MS = 60_000
const PAGE = 1_000

/**
 * Any number of processes may open it; one at a time reads a chain. After a failure any process may retry, with increasing delays; no
 * failure here ends the process.
 */
export function openIndexer(options: IndexerOptions): AsyncDisposable {
  const { store, report, after } = options
  const stopping = new AbortController()
  const { rpcUrls, publicNodes } = options
  const others = publicNodes?.chains.filter(id => !(id in rpcUrls)) ?? []
  const listings = new PayeeListings([...Object.keys(rpcUrls), ...others])
  const { signal } = stopping
  const follow = createCatchUp({ store, listings, after, signal })
  const start = (id: string, url: string, pace: Pace) => {
    const chain = findChain(id)
    const assets = assetsOn(id)
    if (chain && assets.length > 0)
      return followChain({ ...options, chain, url, pace, assets, listings, follow, signal })
    report('warn', 'no asset of this chain is known, so its payments are not read', { chain: chain?.name })
    return undefined
  }

  /** Starts to read a chain when a service on it is listed. */
  async function followPublic({ find }: PublicNodes): Promise<void> {
    const { clock } = options
    const lease = createProcessLease({ leases: store.leases, name: 'payments public', clock })
    const idle = new Set(others)
    report(
      'info',
      'payments are read from public nodes where RPC_URL_… is not set; RPC_URL_PUBLIC=off stops that',
      {},
    )
    while (!signal.aborted) {
      try {
        if (await lease.isOurs()) await follow()
        for (const id of [...idle].filter(each => listings.payees(each).length > 0)) {
          const url = await find(id)
          idle.delete(id)
          if (url !== undefined) running.push(start(id, url, PUBLIC))
        }
      } catch (error) {
        if (!signal.aborted) report('error', 'public nodes cannot be chosen', { error })
      }
      await restBetween(lease, clock, signal, LOOK_MS).catch(() => clock.sleep(LOOK_MS, signal))
    }
    await release(lease)
  }

  const running = Object.entries(rpcUrls).map(([id, url]) => start(id, url, OWN))
  const choosing = publicNodes && others.length > 0 ? followPublic(publicNodes) : undefined
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await choosing
      await Promise.all(running)
    },
  }
}

/** Returns a function that brings the listings up to date with the store; concurrent calls share the work. */
function createCatchUp({
  store,
  listings,
  after,
  signal,
}: Pick<IndexerOptions, 'store' | 'after'> & {
  readonly listings: PayeeListings
  readonly signal: AbortSignal
}): () => Promise<void> {
  const stopped = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  let cursor: Seq = 0
  let following: Promise<void> | undefined
  const catchUp = async () => {
    await Promise.race([after, stopped])
    while (!signal.aborted) {
      const page = await store.changes(cursor, PAGE)
      listings.apply(page)
      cursor = page.at(-1)?.seq ?? cursor
      if (page.length < PAGE) return
      // Lets requests run between two pages.
      await new Promise<void>(resolve => setImmediate(resolve))
    }
  }
  return () => {
    following ??= catchUp().finally(() => {
      following = undefined
    })
    return following
  }
}

type Following = Omit<IndexerOptions, 'rpcUrls' | 'publicNodes'> & {
  readonly chain: Chain
  readonly url: string
  readonly pace: Pace
  readonly assets: readonly Asset[]
  readonly listings: PayeeListings
  readonly follow: () => Promise<void>
  readonly signal: AbortSignal
}

async function followChain({ chain, follow, clock, signal, pace, ...rest }: Following): Promise<void> {
  const report: Report = (level, message, fields) =>
    rest.report(level, message, { chain: chain.name, ...fields })
  const facilitators = rest.facilitators.get(chain.id) ?? new Set<string>()
  const open = chain.family === 'solana' ? openSolanaReader : openEvmReader
  const reader = await open({ ...rest, chain, clock, signal, pace, facilitators })
  const lease = createProcessLease({ leases: rest.store.leases, name: `payments ${chain.id}`, clock })
  const isPublic = pace === PUBLIC
  report('info', 'reading payments', isPublic ? { node: rest.url } : {})
  let startedMs = clock.now().getTime()
  for (let failures = 0; !signal.aborted; ) {
    try {
      if (await lease.isOurs()) {
        await follow()
        const isMoreLeft = await reader.step()
        if (failures > 0) report('info', 'reading payments again', {})
        failures = 0
        if (isMoreLeft) continue
      }
      await restBetween(lease, clock, signal, restAfter(pace, clock.now().getTime() - startedMs))
      startedMs = clock.now().getTime()
    } catch (error) {
      if (signal.aborted) break
      const retryMs = Math.min(pace.retryMs.first * 2 ** failures++, pace.retryMs.max)
      // A node's failure is logged by its message, that of a public one once; any other error in full.
      if (!(error instanceof NodeError)) report('error', 'payments cannot be read', { error, retryMs })
      else if (!isPublic || failures === 1)
        report('warn', 'the node fails', { reason: error.message, retryMs })
      // Another process may reach a node that this one does not.
      await release(lease)
      await clock.sleep(retryMs, signal)
    }
  }
  await release(lease)
}

/** Nine times as long as the round took, so that a large catalog asks in a tenth of the time at most. */
export const restAfter = ({ pollMs: { min, max } }: Pace, roundMs: number): number =>
  Math.max(min, Math.min(9 * roundMs, max))

type Reader = { readonly step: () => Promise<boolean> }
type ReaderDeps = Omit<Following, 'follow' | 'facilitators'> & {
  readonly facilitators: ReadonlySet<string>
}

/** The clients take a fifth of a second to load, so they are loaded only for a chain that is read. */
async function openEvmReader({ url, signal, pace, ...deps }: ReaderDeps): Promise<Reader> {
  const { createNode } = await import('./evm-node.ts')
  const node = createNode({ url, clock: deps.clock, signal, gapMs: pace.gapMs })
  return new ChainReader({ ...deps, node })
}

async function openSolanaReader({ url, signal, settings, ...deps }: ReaderDeps): Promise<Reader> {
  const { createSolanaNode } = await import('./solana/node.ts')
  const { SolanaReader } = await import('./solana/reader.ts')
  const node = createSolanaNode({ url, clock: deps.clock, signal })
  return new SolanaReader({ ...deps, ...settings, node })
}

/** Waits and renews the lease; ends early if the lease was just acquired. */
async function restBetween(
  lease: ProcessLease,
  clock: Clock,
  signal: AbortSignal,
  pollMs: number,
): Promise<void> {
  const wasOurs = await lease.isOurs()
  for (let restedMs = 0; restedMs < pollMs && !signal.aborted; restedMs += RENEW_EVERY_MS) {
    await clock.sleep(RENEW_EVERY_MS, signal)
    if (!signal.aborted && (await lease.isOurs()) && !wasOurs) return
  }
}

/** Without the store, the lease expires. */
const release = (lease: ProcessLease): Promise<void> => lease.release().catch(() => {})
