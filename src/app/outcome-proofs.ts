// Assembly of proofs of payment for reported outcomes, from the operator's nodes.

import { readFileSync } from 'node:fs'
import { compareCandidates, creditTo, priceFit, toCandidate } from '../chain/credit.ts'
import { type Facilitators, readFacilitators } from '../chain/facilitators.ts'
import { openSettlementFinder } from '../chain/find-settlement.ts'
import { findAsset } from '../domain/chains/assets.ts'
import { chainKey } from '../domain/chains/chains.ts'
import type { Entry } from '../domain/listing/service.ts'
import { toAtomic } from '../domain/money/money.ts'
import type { OutcomeProofs } from '../domain/purchases/purchases-view.ts'
import type { Clock } from '../runtime/clock.ts'
import type { SettlementRecord } from '../store/payments.ts'
import type { Store } from '../store/store.ts'
import { type Config, ConfigError } from './config.ts'

export function openOutcomeProofs(
  config: Config,
  store: Pick<Store, 'paidTo'>,
  clock: Clock,
): OutcomeProofs & Disposable {
  const { rpcUrls } = config
  const facilitators = loadFacilitators(config.facilitatorsFile)
  const finder = openSettlementFinder({ rpcUrls, facilitators, clock })

  /** If several services share a wallet, a payment belongs to the one with exactly this price, or to the one it is credited to. */
  async function fitOf(entry: Entry, payment: SettlementRecord) {
    const own = toCandidate(entry)
    const fit = own ? priceFit(own, payment.amount) : 'others'
    if (fit !== 'near') return fit === 'exact' ? 'own' : fit
    const sharing = await store.paidTo([entry.x402Config.paymentAddress.trim()])
    const candidates = sharing
      .filter(other => chainKey(other.x402Config.network) === payment.chain)
      .flatMap(other => toCandidate(other) ?? [])
      .sort(compareCandidates)
    return creditTo(payment, candidates) === entry.id ? 'own' : 'others'
  }

  return {
    reads: finder.reads,
    async settlement(entry, reference) {
      const settlement = await finder.find(reference)
      if (typeof settlement === 'string') return settlement
      const { at, amount: price, chain, asset } = settlement
      const { symbol: currency, decimals } = findAsset(chain, asset)!
      const amount = toAtomic(price, decimals)!
      return { at, asset, amount, price, currency, fit: await fitOf(entry, settlement) }
    },
    [Symbol.dispose]: () => finder[Symbol.dispose](),
  }
}

// The operator's table of facilitators.

/** @throws ConfigError */
export function loadFacilitators(path: string | undefined): Facilitators {
  if (path === undefined) return readFacilitators()
  const read = <T>(from: () => T): T => {
    try {
      return from()
    } catch (error) {
      throw new ConfigError([`FACILITATORS: ${path} ${(error as Error).message}.`])
    }
  }
  const text = read(() => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      throw new Error(`cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  })
  return read(() => readFacilitators(text))
}
