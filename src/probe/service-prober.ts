// Probes one service, and then has it judged and stored in a transaction, so that no transaction waits for a remote server.

import { addressKey, sameAddress } from '../domain/chains/addresses.ts'
import { chainKey } from '../domain/chains/chains.ts'
import { declinedReason, isProofDue, judgeProof, type ProofReading } from '../domain/hosts/domain-proof.ts'
import { isMoved } from '../domain/listing/edit.ts'
import type { Entry } from '../domain/listing/service.ts'
import {
  type FirstRequest,
  type Judgement,
  judge,
  type Measurement,
  type ProbeHistory,
  type ReadTerms,
} from '../domain/standing/judge.ts'
import type { ProbeRecord } from '../domain/standing/standing.ts'
import { isByProcessor, MAX_RESOURCES, type ResourceTerms } from '../domain/terms/terms.ts'
import type { Clock } from '../runtime/clock.ts'
import type { MeasuredProbe, ScheduledJudgement, Seq, Store, StoredEntry } from '../store/store.ts'
import type { Conclusion, ProbeResult } from './conclude.ts'
import type { ReadProof } from './documents/proof-reader.ts'
import { withUnread } from './documents/resource-terms.ts'
import { declinedIntervalMs, nextIntervalMs } from './next-probe.ts'
import type { Probe } from './probe.ts'
import type { Patience } from './requests/host-gate.ts'
import type { ParsedRequirements } from './terms/payment-requirements.ts'
import { shown } from './untrusted.ts'

/** What a probe found, until it is recorded: its owner may edit the entry in the meantime. */
export type ServiceMeasurement = {
  /** Of the entry as it was. */
  readonly probe: ProbeRecord
  /**
   * What the same responses say of the entry as it is now; undefined if it has moved since. An edit in place discards nothing: a
   * provider that sees the requests of a probe, and answers badly, could otherwise edit its price each time before that is recorded.
   */
  readonly of: (now: Entry) => Measurement | undefined
  /** undefined if it was not checked. */
  readonly proof: ProofReading | undefined
}

export interface ServiceProber {
  /**
   * Probes the service once its host is free. The domain proof is read when due, or at once with `readsProof`.
   * @throws HostBusy
   */
  probe(
    stored: Pick<StoredEntry, 'entry' | 'finding'>,
    patience: Patience,
    options?: { readonly readsProof?: boolean },
  ): Promise<ServiceMeasurement>
  /**
   * Judges by the current listing and stores the result. Resolves to undefined, and stores nothing, if the entry was
   * removed or moved in the meantime, or the holder has lost its lease. Other edits do not lose the measurement.
   */
  record(measured: ServiceMeasurement, holder?: string): Promise<Seq | undefined>
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
  /** Reads domain proofs; absent if they are not checked. */
  readonly readProof?: ReadProof
  readonly clock: Clock
  readonly random?: () => number
}): ServiceProber {
  return {
    async probe({ entry, finding }, patience, { readsProof = false } = {}) {
      const lookForProof = async () => readProof?.(entry, patience, { isRequested: readsProof })
      const found = entry.declinesProbes ? await lookForProof() : undefined
      // What the file said before holds while its host is busy.
      if (entry.declinesProbes && (!found || found.declinesProbes))
        return toUnsent(entry, finding, found, clock.now())
      const { endpoint, pricing, x402Config } = entry
      const hasNoTerms = (finding?.payTo ?? null) === null
      const before = hasNoTerms ? undefined : await store.terms.of(entry.id)
      const storedTerms = before?.resources ?? []
      const target = {
        endpoint,
        pricing,
        ...x402Config,
        firstRequest: knownRequest(entry, finding, hasNoTerms),
        storedTerms,
        hasNoTerms,
      }
      const conclusion = await probe(target, patience)
      const at = clock.now()
      // A host that limits our rate gets no further requests, and one that was probed anonymously does not learn our name now, unless
      // all probes are like that: it may ask not to be probed.
      const isUsual = (finding?.refusals ?? 0) > 0 || finding?.firstRequest?.asCustomer === true
      const isAnnounced = hasNoTerms || conclusion.requests[0]?.as === 'directory' || isUsual
      const isOpen = conclusion.httpStatus !== 429 || isUsual
      const isDue = !found && isOpen && (readsProof || (isAnnounced && isProofDue(entry, at)))
      const proof = isDue ? await lookForProof() : found
      const isDeclined = proof?.declinesProbes === true
      const toMeasured = (listed: Entry, concluded: Conclusion): Measurement => ({
        ...toMeasurement(listed, withStored(concluded, storedTerms), at),
        isDeclined,
      })
      const measured = toMeasured(entry, conclusion)
      return {
        probe: measured.probe,
        of(now) {
          if (!isUnmoved(entry, now)) return undefined
          return isListedAlike(entry, now) ? measured : toMeasured(now, concludeFor(conclusion, now))
        },
        proof,
      }
    },

    record({ probe: { serviceId }, of, proof }, holder) {
      const measure = (entry: Entry): MeasuredProbe | undefined => {
        const measured = of(entry)
        return (
          measured && { probe: measured.probe, judge: history => judgeNow(entry, measured, proof, history) }
        )
      }
      return store.probes.record(serviceId, measure, holder)
    },
  }

  function judgeNow(
    entry: Entry,
    measured: Measurement,
    proof: ProofReading | undefined,
    history: ProbeHistory,
  ): ScheduledJudgement {
    const judgement = judge(entry, measured, history)
    const { status } = judgement.entry.standing
    const intervalMs = measured.isDeclined
      ? declinedIntervalMs(random())
      : nextIntervalMs(measured.probe, status, history.latest, random())
    // Retired and hidden services are not probed until they are restored.
    const isProbed = entry.retired === null && entry.hidden === undefined
    const dueAt = isProbed ? new Date(clock.now().getTime() + intervalMs) : null
    return { ...judgement, ...withProof(judgement, measured, proof, history), dueAt }
  }
}

/** What an earlier probe found, else what a list names below the endpoint; undefined if neither. */
const knownRequest = (
  { provenance: { origin } }: Entry,
  finding: StoredEntry['finding'],
  hasNoTerms: boolean,
): FirstRequest | undefined =>
  finding?.firstRequest ??
  (hasNoTerms && origin?.resource !== undefined ? { url: origin.resource } : undefined)

/** Documents are read less often than the resource is probed. */
const withStored = (conclusion: Conclusion, storedTerms: readonly ResourceTerms[]): Conclusion =>
  conclusion.hasReadDocuments || conclusion.payments.length === 0
    ? conclusion
    : { ...conclusion, resources: withUnread(conclusion.resources, storedTerms) }

/** Nothing was sent but the request for the file: like a refusal, it counts neither way. */
function toUnsent(
  entry: Entry,
  finding: StoredEntry['finding'],
  proof: ProofReading | undefined,
  now: Date,
): ServiceMeasurement {
  const measured: Measurement = {
    probe: {
      serviceId: entry.id,
      at: now.toISOString(),
      outcome: 'refused',
      httpStatus: null,
      latencyMs: null,
      priceSeen: null,
      asListed: false,
      reasons: [declinedReason(entry)],
    },
    terms: undefined,
    firstRequest: finding?.firstRequest,
    isDeclined: true,
  }
  return { probe: measured.probe, of: current => (isUnmoved(entry, current) ? measured : undefined), proof }
}

/** A slow probe may be recorded after one that started later; its proof is outdated then. */
function withProof(
  { entry, events }: Judgement,
  { isDeclined, probe: { at, outcome } }: Measurement,
  proof: ProofReading | undefined,
  { newestAt }: ProbeHistory,
): Pick<Judgement, 'entry' | 'events'> {
  // Where probes are declined not every file that may hold a proof is read.
  if (at < newestAt || isDeclined) return { entry, events }
  const judged = judgeProof(entry, proof, { at, isPayable: outcome === 'payable' })
  return { entry: judged.entry, events: [...events, ...judged.events] }
}

/** An entry that was moved away and back counts as moved: its history starts again. */
const isUnmoved = (before: Entry, now: Entry): boolean =>
  before.movedAt === now.movedAt && !isMoved(before, now)

const isListedAlike = (before: Entry, now: Entry): boolean =>
  JSON.stringify([before.pricing, before.x402Config]) === JSON.stringify([now.pricing, now.x402Config])

const concludeFor = (probed: ProbeResult, { pricing, x402Config }: Entry): Conclusion =>
  probed.forListing({ pricing, ...x402Config })

export function toMeasurement(entry: Entry, conclusion: Conclusion, now: Date): Measurement {
  return {
    probe: {
      serviceId: entry.id,
      at: now.toISOString(),
      outcome: conclusion.outcome,
      httpStatus: conclusion.httpStatus,
      latencyMs: conclusion.latencyMs,
      priceSeen: conclusion.priceSeen,
      asListed: conclusion.outcome === 'payable' && conclusion.price === 'same',
      reasons: conclusion.reasons,
    },
    // Terms that cannot be read completely are not stored.
    terms:
      conclusion.payments.length > 0 && conclusion.outcome !== 'unpayable'
        ? toTerms(entry, conclusion)
        : undefined,
    firstRequest: conclusion.firstRequest,
  }
}

/** Stored with the service, and reported when they change. */
const MAX_PAY_TO = 16

function toTerms(entry: Entry, conclusion: Conclusion): ReadTerms {
  const { network } = entry.x402Config
  const { payments, priceSeen, currencySeen, furtherChains, resources, asks, price } = conclusion
  const onNetwork = payments.filter(({ chain }) => chain === chainKey(network))
  return {
    payTo: [...new Set(onNetwork.map(({ payTo }) => shown(payTo)))].sort().slice(0, MAX_PAY_TO),
    price: priceSeen !== null && currencySeen !== null ? { amount: priceSeen, currency: currencySeen } : null,
    furtherChains,
    furtherPayees: furtherPayees(payments, entry),
    seen: {
      x402Version: conclusion.x402Version,
      resources: resources.slice(0, MAX_RESOURCES),
      asks,
      price,
    },
  }
}

/** The listed address on another chain is not a further payee. */
function furtherPayees(
  payments: readonly ParsedRequirements[],
  { x402Config: { network, paymentAddress } }: Entry,
) {
  const own = chainKey(network)
  const byKey = new Map(
    payments
      .filter(
        payment =>
          payment.chain !== own &&
          !isByProcessor(payment) &&
          !sameAddress(payment.payTo, paymentAddress, payment.chain),
      )
      .map(({ chain, payTo }) => [
        `${chain} ${addressKey(payTo, chain)}`,
        { chain: shown(chain), payTo: shown(payTo) },
      ]),
  )
  // All of them, at most MAX_OPTIONS: one that is left out would not be new when a payment is judged.
  return [...byKey.values()]
}
