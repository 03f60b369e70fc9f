// Services whose payments are read from a local chain by the real indexer, and judged by the real formula.
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openIndexer } from '../../src/chain/indexer.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { toTrust } from '../../src/domain/standing/trust.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { draft, entry } from '../entries.ts'
import { probeOf, recordJudged } from '../probes.ts'
import type { EvmChain } from './evm-chain.ts'

export const CHAIN = 'eip155:8453'
/** A cent, in millionths. */
export const PRICE = 10_000n

const hurried: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 10), signal),
}

export const newWallet = (): LocalAccount => privateKeyToAccount(generatePrivateKey())

export type JudgedServices = Awaited<ReturnType<typeof openJudgedServices>>

/** What is planted on the chain is taken back at the end. */
export async function openJudgedServices(chain: EvmChain) {
  const snapshot = await chain.client.snapshot()
  let aheadMs = 0
  const now = () => new Date(systemClock.now().getTime() + aheadMs)
  const store = await openStore('sqlite::memory:', { clock: { ...systemClock, now } })
  let running: AsyncDisposable | undefined
  let probes = 0

  /** A listing at a cent a request; `owner` claims it where it is the wallet itself. */
  async function list(paymentAddress: string, owner: string | null, price = '0.01'): Promise<Entry> {
    const pricing = { currency: 'USDC', pricePerRequest: price, freeQuota: 0 }
    const made = entry(draft({ pricing, x402Config: { paymentAddress, network: 'base' } }), {
      standing: { status: 'verified' },
    })
    const listed = { ...made, owner }
    await store.insert([listed])
    return listed
  }
  const claim = (wallet: string, price?: string) => list(wallet, `eip155:${wallet.toLowerCase()}`, price)

  /** Probes it once with a good answer, and tells what it has. */
  async function judged({ id }: Entry) {
    const at = new Date(now().getTime() + ++probes).toISOString()
    await recordJudged(store, probeOf(id, { at }))
    const { entry: kept, facts } = (await store.find(id))!
    const { components } = toTrust(kept, facts)
    const payers = components.find(({ name }) => name === 'payers')!
    const { txCount, totalRevenue, trustScore } = kept.standing
    const { established = 0, newcomers = 0 } = payers.values as { established?: number; newcomers?: number }
    const counted = established + newcomers
    return {
      txCount,
      totalRevenue,
      trustScore,
      points: payers.points,
      ...payers.values,
      counted,
      code: payers.code,
    }
  }

  return {
    store,
    list,
    claim,
    judged,
    /** Lets days pass, here and on the chain. */
    async pass(days: number): Promise<void> {
      aheadMs += days * 86_400_000
      await chain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.ceil(now().getTime() / 1000)) })
      await chain.client.mine({ blocks: 1 })
    },
    /** What a service has that nobody ever paid. */
    unpaidScore: async (): Promise<number> => (await judged(await claim(newWallet().address))).trustScore,
    start(facilitators: readonly string[] = []): void {
      running = openIndexer({
        store,
        clock: hurried,
        rpcUrls: { [CHAIN]: chain.url },
        settings: { backfillBlocks: 10_000 },
        facilitators: new Map([[CHAIN, new Set(facilitators.map(each => each.toLowerCase()))]]),
        report: () => {},
      })
    },
    /** Everything on the chain is read, of everybody who is listed or claimed by now. */
    async caughtUp(sides: number): Promise<void> {
      const head = await chain.head()
      for (;;) {
        const cursor = await store.payments.cursor(CHAIN)
        const payees = await store.payments.payees(CHAIN)
        const isRead = payees.length >= sides && payees.every(({ readFrom, goal }) => readFrom <= goal)
        if (cursor && cursor.block >= head && isRead) return
        await new Promise<void>(resolve => setTimeout(resolve, 5))
      }
    },
    /** How each settlement to the wallet was made, the newest first. */
    methods: async (wallet: string) =>
      (await store.payments.received(CHAIN, wallet.toLowerCase(), 99)).map(({ method }) => method),
    async [Symbol.asyncDispose]() {
      await running?.[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      await chain.client.revert({ id: snapshot })
    },
  }
}
