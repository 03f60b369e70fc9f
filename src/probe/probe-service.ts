// Measurement, judgement and storage in a row: probes one service and settles what came out.
import type { Clock } from '../clock.ts'
import { chainKey } from '../domain/chains.ts'
import { endpointHost } from '../domain/endpoint.ts'
import { judge, type Measured, type Terms } from '../domain/judge.ts'
import type { Entry } from '../domain/service.ts'
import type { Kept, Seq, Store } from '../store/store.ts'
import type { HostGate } from './host-gate.ts'
import { nextIntervalMs } from './intervals.ts'
import type { Outcome, Probe } from './prober.ts'

export type ServiceProbed = {
  readonly measured: Measured
  /** undefined where the entry was removed in the meantime. */
  readonly seq: Seq | undefined
}

export type ServiceProber = (
  kept: Pick<Kept, 'entry' | 'finding'>,
  signal?: AbortSignal,
) => Promise<ServiceProbed>

export function createServiceProber({
  store,
  probe,
  gate,
  clock,
  random = Math.random,
}: {
  readonly store: Pick<Store, 'probes'>
  readonly probe: Probe
  readonly gate: HostGate
  readonly clock: Clock
  readonly random?: () => number
}): ServiceProber {
  return async ({ entry, finding }, signal) => {
    const leave = await gate.enter(endpointHost(entry.endpoint), signal)
    let outcome: Outcome
    try {
      const { endpoint, pricing, x402Config } = entry
      const resource = finding?.resource
      outcome = await probe({ endpoint, pricing, ...x402Config, ...(resource && { resource }) }, signal)
    } finally {
      leave()
    }
    const now = clock.now()
    const measured = toMeasured(entry, outcome, now)
    const seq = await store.probes.settle(measured.probe, (current, history) => {
      const judgement = judge(current, measured, history)
      const { status } = judgement.entry.standing
      const intervalMs = nextIntervalMs(measured.probe, status, history.latest, random())
      // What its owner took out of service is not asked until the owner brings it back.
      const dueAt = current.retired === null ? new Date(now.getTime() + intervalMs) : null
      return { ...judgement, dueAt }
    })
    return { measured, seq }
  }
}

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

function toTerms({ x402Config: { network } }: Entry, outcome: Outcome): Terms {
  const { payments, priceSeen, currencySeen, furtherChains } = outcome
  const onNetwork = payments.filter(({ chain }) => chain === chainKey(network))
  return {
    payTo: [...new Set(onNetwork.map(({ payTo }) => payTo))].sort(),
    price: priceSeen !== null && currencySeen !== null ? { amount: priceSeen, currency: currencySeen } : null,
    furtherChains,
  }
}
