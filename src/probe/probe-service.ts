// Measurement, judgement and storage are three steps: nothing waits for a stranger inside a transaction.
import type { Clock } from '../clock.ts'
import { chainKey } from '../domain/chains.ts'
import { judge, type Measured, type ProbeHistory, type Terms } from '../domain/judge.ts'
import type { Entry } from '../domain/service.ts'
import type { Judged, Kept, Seq, Store } from '../store/store.ts'
import type { Patience } from './host-gate.ts'
import { nextIntervalMs } from './intervals.ts'
import type { Outcome, Probe } from './prober.ts'
import { shown } from './strangers-text.ts'

/** What was measured, and where: an owner may point the entry somewhere else in the meantime. */
export type MeasuredThere = Measured & { readonly place: Place }
type Place = Pick<Entry, 'endpoint' | 'x402Config'>

export interface ServiceProber {
  /** Asks, when its host may be asked. @throws HostBusy */
  measure(kept: Pick<Kept, 'entry' | 'finding'>, patience: Patience): Promise<MeasuredThere>
  /**
   * Judges and stores; resolves to undefined where the entry was removed or moved in the meantime, or the holder has lost
   * its lease: then nothing is kept.
   */
  settle(measured: MeasuredThere, holder?: string): Promise<Seq | undefined>
}

export function createServiceProber({
  store,
  probe,
  clock,
  random = Math.random,
}: {
  readonly store: Pick<Store, 'probes'>
  readonly probe: Probe
  readonly clock: Clock
  readonly random?: () => number
}): ServiceProber {
  return {
    async measure({ entry, finding }, patience) {
      const { endpoint, pricing, x402Config } = entry
      const resource = finding?.resource
      const target = { endpoint, pricing, ...x402Config, ...(resource && { resource }) }
      const measured = toMeasured(entry, await probe(target, patience), clock.now())
      return { ...measured, place: { endpoint, x402Config } }
    },

    async settle(measured, holder) {
      const judgeNow = (entry: Entry, history: ProbeHistory): Judged => {
        if (!isSamePlace(entry, measured.place)) throw new Moved()
        const judgement = judge(entry, measured, history)
        const { status } = judgement.entry.standing
        const intervalMs = nextIntervalMs(measured.probe, status, history.latest, random())
        // What its owner took out of service is not asked until the owner brings it back.
        const dueAt = entry.retired === null ? new Date(clock.now().getTime() + intervalMs) : null
        return { ...judgement, dueAt }
      }
      return store.probes.settle(measured.probe, judgeNow, holder).catch(error => {
        if (error instanceof Moved) return undefined
        throw error
      })
    },
  }
}

/** Thrown out of the transaction of a probe, so that nothing of it is kept. */
class Moved extends Error {}

const isSamePlace = (a: Place, b: Place): boolean =>
  a.endpoint === b.endpoint &&
  a.x402Config.network === b.x402Config.network &&
  a.x402Config.paymentAddress === b.x402Config.paymentAddress

/** An answer that also asks to pay somebody undeclared on the registered network does not prove the registered address. */
export function toMeasured(entry: Entry, outcome: Outcome, now: Date): Measured {
  const isMixed = outcome.outcome === 'payable' && outcome.undeclaredAddresses.length > 0
  return {
    probe: {
      serviceId: entry.id,
      at: now.toISOString(),
      outcome: isMixed ? 'mismatched' : outcome.outcome,
      httpStatus: outcome.httpStatus,
      latencyMs: outcome.latencyMs,
      priceSeen: outcome.priceSeen,
      asListed: outcome.outcome === 'payable' && !isMixed && outcome.priceDrift === null,
      reasons: outcome.reasons,
    },
    terms: outcome.payments.length > 0 ? toTerms(entry, outcome) : undefined,
    resource: outcome.resource,
  }
}

/** They are kept with the service, and told when they change. */
const MAX_PAY_TO = 16

function toTerms({ x402Config: { network } }: Entry, outcome: Outcome): Terms {
  const { payments, priceSeen, currencySeen, furtherChains } = outcome
  const onNetwork = payments.filter(({ chain }) => chain === chainKey(network))
  return {
    payTo: [...new Set(onNetwork.map(({ payTo }) => shown(payTo)))].sort().slice(0, MAX_PAY_TO),
    price: priceSeen !== null && currencySeen !== null ? { amount: priceSeen, currency: currencySeen } : null,
    furtherChains,
  }
}
