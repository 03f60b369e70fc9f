// Measurement, judgement and storage are three steps: nothing waits for a stranger inside a transaction.

import { chainKey } from '../domain/chains.ts'
import { isProofDue, judgeProof, type ProofReading } from '../domain/domain-proof.ts'
import { isMoved } from '../domain/edit.ts'
import { type Terms, urlToCall } from '../domain/finding.ts'
import { type Judgement, judge, type Measurement, Outdated, type ProbeHistory } from '../domain/judge.ts'
import { addressKey, sameAddress } from '../domain/same-address.ts'
import type { Entry } from '../domain/service.ts'
import { MAX_RESOURCES, type ResourceTerms } from '../domain/terms.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Judged, Kept, Seq, Store } from '../store/store.ts'
import { withUnread } from './documented-terms.ts'
import type { Patience } from './host-gate.ts'
import { nextIntervalMs } from './intervals.ts'
import type { Outcome, Probed } from './outcome.ts'
import type { ParsedRequirements } from './payment-requirements.ts'
import type { Probe } from './prober.ts'
import type { ReadProof } from './proof-reader.ts'
import { shown } from './untrusted-text.ts'

/** What was measured, and where: the entry may move in the meantime. */
export type MeasuredThere = Measurement & {
  /** The same answers, judged by the listing as it is now. @throws Outdated where it has moved since */
  readonly against: (entry: Entry) => Measurement
  /** undefined where it was not looked for. */
  readonly proof: ProofReading | undefined
}

export interface ServiceProber {
  /**
   * Asks, when its host may be asked. Whether its domain speaks for it is looked for in its turn, or at once where the
   * caller asks for all. @throws HostBusy
   */
  measure(
    kept: Pick<Kept, 'entry' | 'finding'>,
    patience: Patience,
    options?: { readonly all?: boolean },
  ): Promise<MeasuredThere>
  /**
   * Judges by the listing as it is now, and stores; resolves to undefined where the entry was removed or has moved in the
   * meantime, or the holder has lost its lease: then nothing is kept. No other edit loses what was measured.
   */
  record(measured: MeasuredThere, holder?: string): Promise<Seq | undefined>
}

export function createServiceProber({
  store,
  probe,
  readProof,
  clock,
  random = Math.random,
}: {
  readonly store: Pick<Store, 'probes' | 'terms'>
  readonly probe: Probe
  /** Where domains are asked for their word. */
  readonly readProof?: ReadProof
  readonly clock: Clock
  readonly random?: () => number
}): ServiceProber {
  return {
    async measure({ entry, finding }, patience, { all = false } = {}) {
      const { endpoint, pricing, x402Config } = entry
      const known = finding ? { resource: finding.resource } : {}
      // Where no terms were read yet, nothing is known of what it sells.
      const isNew = (finding?.payTo ?? null) === null
      const before = isNew ? undefined : await store.terms.of(entry.id)
      const kept = before?.resources ?? []
      const target = { endpoint, pricing, ...x402Config, ...known, kept, isNew }
      const outcome = await probe(target, patience)
      const at = clock.now()
      const against = (now: Entry) => {
        if (!isWhereItWas(entry, now)) throw new Outdated('The service has moved since it was probed.')
        return toMeasured(now, withKept(judgedFor(outcome, now), kept), at)
      }
      // Who asks for peace is not asked for more, and who was not told our name is not told it now.
      const isAnnounced = target.isNew || outcome.requests.some(({ as }) => as === 'directory')
      const isDue = outcome.httpStatus !== 429 && (all || (isAnnounced && isProofDue(entry, clock.now())))
      const proof = isDue ? await readProof?.(entry, patience) : undefined
      return { ...against(entry), proof, against }
    },

    async record(measured, holder) {
      const judgeNow = (entry: Entry, history: ProbeHistory): Judged => {
        const now = measured.against(entry)
        const judgement = judge(entry, now, history)
        const { status } = judgement.entry.standing
        const intervalMs = nextIntervalMs(now.probe, status, history.latest, random())
        // What its owner took out of service, or an operator hid, is not asked until it is brought back.
        const isAsked = entry.retired === null && entry.hidden === undefined
        const dueAt = isAsked ? new Date(clock.now().getTime() + intervalMs) : null
        return { ...judgement, ...withProof(judgement, { ...now, proof: measured.proof }, history), dueAt }
      }
      const { serviceId } = measured.probe
      const probe = {
        serviceId,
        against: (entry: Entry) => measured.against(entry).probe,
        resourceUrl: urlToCall(measured.terms),
      }
      return store.probes.record(probe, judgeNow, holder)
    },
  }
}

/** What only documents tell is read less often than it is asked. */
const withKept = (outcome: Outcome, kept: readonly ResourceTerms[]): Outcome =>
  outcome.hasReadDocuments || outcome.payments.length === 0
    ? outcome
    : { ...outcome, resources: withUnread(outcome.resources, kept) }

/** A probe that took long is settled after one that began later: what it found is no news. */
function withProof(
  { entry, events }: Judgement,
  { proof, probe: { at, outcome } }: Measurement & Pick<MeasuredThere, 'proof'>,
  { newestAt }: ProbeHistory,
): Pick<Judgement, 'entry' | 'events'> {
  if (at < newestAt) return { entry, events }
  const judged = judgeProof(entry, proof, { at, isPayable: outcome === 'payable' })
  return { entry: judged.entry, events: [...events, ...judged.events] }
}

/** An entry that was moved away and back is not where it was measured: what counts there begins with its return. */
const isWhereItWas = (before: Entry, now: Entry): boolean =>
  before.movedAt === now.movedAt && !isMoved(before, now)

const judgedFor = (outcome: Probed, { pricing, x402Config }: Entry): Outcome =>
  outcome.against({ pricing, ...x402Config })

export function toMeasured(entry: Entry, outcome: Outcome, now: Date): Measurement {
  return {
    probe: {
      serviceId: entry.id,
      at: now.toISOString(),
      outcome: outcome.outcome,
      httpStatus: outcome.httpStatus,
      latencyMs: outcome.latencyMs,
      priceSeen: outcome.priceSeen,
      asListed: outcome.outcome === 'payable' && outcome.price === 'same',
      reasons: outcome.reasons,
    },
    // Of terms that cannot be read whole nothing is known.
    terms:
      outcome.payments.length > 0 && outcome.outcome !== 'unpayable' ? toTerms(entry, outcome) : undefined,
    resource: outcome.resource,
  }
}

/** They are kept with the service, and told when they change. */
const MAX_PAY_TO = 16

function toTerms(entry: Entry, outcome: Outcome): Terms {
  const { network } = entry.x402Config
  const { payments, priceSeen, currencySeen, furtherChains, resources, asks, price } = outcome
  const onNetwork = payments.filter(({ chain }) => chain === chainKey(network))
  return {
    payTo: [...new Set(onNetwork.map(({ payTo }) => shown(payTo)))].sort().slice(0, MAX_PAY_TO),
    price: priceSeen !== null && currencySeen !== null ? { amount: priceSeen, currency: currencySeen } : null,
    furtherChains,
    furtherPayees: furtherPayees(payments, entry),
    seen: {
      x402Version: outcome.x402Version ?? 2,
      resources: resources.slice(0, MAX_RESOURCES),
      asks,
      price,
    },
  }
}

/** The listed address on another chain is nobody new. */
function furtherPayees(
  payments: readonly ParsedRequirements[],
  { x402Config: { network, paymentAddress } }: Entry,
) {
  const own = chainKey(network)
  const byKey = new Map(
    payments
      .filter(({ chain, payTo }) => chain !== own && !sameAddress(payTo, paymentAddress, chain))
      .map(({ chain, payTo }) => [
        `${chain} ${addressKey(payTo, chain)}`,
        { chain: shown(chain), payTo: shown(payTo) },
      ]),
  )
  return [...byKey.values()].slice(0, MAX_PAY_TO)
}
