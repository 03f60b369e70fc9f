// How many requests does the public node of a chain get, on the first day and on each further one?
import { ChainReader } from '../src/chain/chain-reader.ts'
import { PayeeListings } from '../src/chain/credit.ts'
import { createNode } from '../src/chain/evm-node.ts'
import { PUBLIC, restAfter } from '../src/chain/indexer.ts'
import { NodeError } from '../src/chain/node.ts'
import { assetsOn } from '../src/domain/chains/assets.ts'
import { findChain } from '../src/domain/chains/chains.ts'
import type { Clock } from '../src/runtime/clock.ts'
import { openStore } from '../src/store/open.ts'
import { draft, entry } from '../test/entries.ts'

const CHAIN = 'eip155:8453'
const BLOCK_MS = 2_000
const DAY_MS = 86_400_000
const DAYS = 2
/** Limits as strict as those of public nodes: blocks per request for logs, and requests a second. */
const MAX_BLOCKS = 2_000
const MAX_PER_SECOND = 5

/** A time that passes only while somebody sleeps. The time that a node is given to respond does not end. */
function createPassing(): Clock & { ms: number } {
  const clock = {
    ms: Date.UTC(2026, 10, 1),
    now: () => new Date(clock.ms),
    sleep: (ms: number) => {
      if (ms === 20_000) return new Promise<void>(() => {})
      clock.ms += ms
      return Promise.resolve()
    },
  }
  return clock
}

function openLimitedNode(clock: { readonly ms: number }) {
  const counts = { requests: 0, refused: 0, limited: 0, busiest: 0 }
  const perSecond = new Map<number, number>()
  const respond = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_chainId') return '0x2105'
    if (method === 'eth_getLogs') return []
    const number = `0x${Math.floor(clock.ms / BLOCK_MS).toString(16)}`
    return params[0] === 'finalized' ? { number, timestamp: '0x0', transactions: [] } : null
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const {
        id,
        method,
        params = [],
      } = (await request.json()) as {
        id: number
        method: string
        params?: unknown[]
      }
      counts.requests++
      const second = Math.floor(clock.ms / 1_000)
      const now = (perSecond.get(second) ?? 0) + 1
      perSecond.clear()
      perSecond.set(second, now)
      counts.busiest = Math.max(counts.busiest, now)
      if (now > MAX_PER_SECOND) {
        counts.limited++
        return new Response('', { status: 429 })
      }
      const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
      if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= MAX_BLOCKS) {
        counts.refused++
        return Response.json({
          jsonrpc: '2.0',
          id,
          error: { code: -32_602, message: 'block range is too wide' },
        })
      }
      return Response.json({ jsonrpc: '2.0', id, result: respond(method, params) })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, counts, stop: () => server.stop(true) }
}

/** Every service has a wallet of its own, and its payers count: more addresses than services of that number have. */
async function measure(services: number): Promise<void> {
  const clock = createPassing()
  const node = openLimitedNode(clock)
  await using store = await openStore('sqlite::memory:', { clock })
  const listings = new PayeeListings([CHAIN])
  for (let each = 1; each <= services; each++) {
    const paymentAddress = `0x5${each.toString(16).padStart(39, '0')}`
    const listed = {
      ...entry(draft({ x402Config: { paymentAddress, network: 'base' } }), {
        standing: { status: 'verified' },
      }),
      owner: `eip155:${paymentAddress}`,
    }
    listings.apply([{ id: listed.id, entry: listed, seq: each } as never])
  }
  const reader = new ChainReader({
    chain: findChain(CHAIN)!,
    assets: assetsOn(CHAIN),
    facilitators: new Set(),
    node: createNode({ url: node.url, clock, signal: new AbortController().signal, gapMs: PUBLIC.gapMs }),
    store,
    listings,
    clock,
    settings: { backfillBlocks: 50_000 },
  })
  const fromMs = clock.ms
  let startedMs = clock.ms
  let failures = 0
  for (let day = 1; day <= DAYS; day++) {
    const before = { ...node.counts }
    while (clock.ms < fromMs + day * DAY_MS) {
      try {
        if (await reader.step()) continue
        clock.ms += restAfter(PUBLIC, clock.ms - startedMs)
        startedMs = clock.ms
      } catch (error) {
        if (!(error instanceof NodeError)) throw error
        failures++
        clock.ms += PUBLIC.retryMs.first
      }
    }
    const { requests, refused, limited, busiest } = node.counts
    console.log(
      `${services} services, day ${day}: ${requests - before.requests} requests, ${refused - before.refused} ranges refused, ${limited - before.limited} over the rate, at most ${busiest} a second, ${failures} failures`,
    )
  }
  await node.stop()
}

const sizes = process.argv.slice(2).map(Number)
for (const services of sizes.length > 0 ? sizes : [100, 10_000, 100_000]) await measure(services)
