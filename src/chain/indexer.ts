// Follows the chains for which the operator has nodes, as long as the directory runs.

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
  readonly settings: ReaderSettings
  readonly facilitators: Facilitators
  readonly report: Report
}

/** The pause after everything is read. */
const POLL_MS = 15_000
const RETRY_MS = { first: 1_000, max: 5 * 60_000 }
const PAGE = 1_000

/**
 * Any number of processes may open it; one at a time reads a chain. After a failure any process may retry, with increasing delays; no
 * failure here ends the process.
 */
export function openIndexer(options: IndexerOptions): AsyncDisposable {
  const { store, report } = options
  const stopping = new AbortController()
  const chains = Object.keys(options.rpcUrls).flatMap(id => findChain(id) ?? [])
  const listings = new PayeeListings(chains.map(({ id }) => id))
  const follow = createCatchUp(store, listings)

  const running = chains.map(chain => {
    const assets = assetsOn(chain.id)
    if (assets.length > 0)
      return followChain({ ...options, chain, assets, listings, follow, signal: stopping.signal })
    report('warn', 'no asset of this chain is known, so its payments are not read', { chain: chain.name })
    return undefined
  })
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** Returns a function that brings the listings up to date with the store; concurrent calls share the work. */
function createCatchUp(store: Pick<Store, 'changes'>, listings: PayeeListings): () => Promise<void> {
  let cursor: Seq = 0
  let following: Promise<void> | undefined
  const catchUp = async () => {
    for (;;) {
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

type Following = IndexerOptions & {
  readonly chain: Chain
  readonly assets: readonly Asset[]
  readonly listings: PayeeListings
  readonly follow: () => Promise<void>
  readonly signal: AbortSignal
}

async function followChain({ chain, follow, clock, signal, ...rest }: Following): Promise<void> {
  const report: Report = (level, message, fields) =>
    rest.report(level, message, { chain: chain.name, ...fields })
  const facilitators = rest.facilitators.get(chain.id) ?? new Set<string>()
  const open = chain.family === 'solana' ? openSolanaReader : openEvmReader
  const reader = await open({ ...rest, chain, clock, signal, facilitators })
  const lease = createProcessLease({ leases: rest.store.leases, name: `payments ${chain.id}`, clock })
  report('info', 'reading payments', {})
  for (let failures = 0; !signal.aborted; ) {
    try {
      if (await lease.isOurs()) {
        await follow()
        const isMoreLeft = await reader.step()
        if (failures > 0) report('info', 'reading payments again', {})
        failures = 0
        if (isMoreLeft) continue
      }
      await restBetween(lease, clock, signal)
    } catch (error) {
      if (signal.aborted) break
      const retryMs = Math.min(RETRY_MS.first * 2 ** failures++, RETRY_MS.max)
      // A node's failure is logged by its message; any other error in full.
      if (error instanceof NodeError) report('warn', 'the node fails', { reason: error.message, retryMs })
      else report('error', 'payments cannot be read', { error, retryMs })
      // Another process may reach a node that this one does not.
      await release(lease)
      await clock.sleep(retryMs, signal)
    }
  }
  await release(lease)
}

type Reader = { readonly step: () => Promise<boolean> }
type ReaderParts = Omit<Following, 'follow' | 'facilitators'> & {
  readonly facilitators: ReadonlySet<string>
}

/** The clients take a fifth of a second to load, so they are loaded only for a chain that is read. */
async function openEvmReader({ rpcUrls, signal, ...parts }: ReaderParts): Promise<Reader> {
  const { createNode } = await import('./evm-node.ts')
  const node = createNode({ url: rpcUrls[parts.chain.id]!, clock: parts.clock, signal })
  return new ChainReader({ ...parts, node })
}

async function openSolanaReader({ rpcUrls, signal, settings, ...parts }: ReaderParts): Promise<Reader> {
  const { createSolanaNode } = await import('./solana/node.ts')
  const { SolanaReader } = await import('./solana/reader.ts')
  const node = createSolanaNode({ url: rpcUrls[parts.chain.id]!, clock: parts.clock, signal })
  return new SolanaReader({ ...parts, ...settings, node })
}

/** Waits and renews the lease; ends early if the lease was just acquired. */
async function restBetween(lease: ProcessLease, clock: Clock, signal: AbortSignal): Promise<void> {
  const wasOurs = await lease.isOurs()
  for (let restedMs = 0; restedMs < POLL_MS && !signal.aborted; restedMs += RENEW_EVERY_MS) {
    await clock.sleep(RENEW_EVERY_MS, signal)
    if (!signal.aborted && (await lease.isOurs()) && !wasOurs) return
  }
}

/** Without the store, the lease expires. */
const release = (lease: ProcessLease): Promise<void> => lease.release().catch(() => {})
