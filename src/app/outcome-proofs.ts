// Assembly of proofs of payment for reported outcomes, from the operator's nodes.
import { compareCandidates, creditTo, priceFit, toCandidate } from '../chain/credit.ts'
import { openSettlementFinder } from '../chain/find-settlement.ts'
import type { OutcomeProofs } from '../directory/outcome-proof.ts'
import { findAsset } from '../domain/chains/assets.ts'
import { chainKey } from '../domain/chains/chains.ts'
import type { Entry } from '../domain/listing/service.ts'
import type { Clock } from '../runtime/clock.ts'
import type { SettlementRecord } from '../store/payments.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'
import { loadFacilitators } from './facilitators.ts'

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
    return creditTo(payment, candidates, clock.now()) === entry.id ? 'own' : 'others'
  }

  return {
    reads: finder.reads,
    async settlement(entry, reference) {
      const settlement = await finder.find(reference)
      if (typeof settlement === 'string') return settlement
      const { at, amount, chain, asset } = settlement
      return { at, amount, currency: findAsset(chain, asset)!.symbol, fit: await fitOf(entry, settlement) }
    },
    [Symbol.dispose]: () => finder[Symbol.dispose](),
  }
}
