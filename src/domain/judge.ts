// Judges a service by what its probes found: pure, so that every process and every store comes to the same standing.
import { chainKey } from './chains.ts'
import { withDelivery } from './delivery-evidence.ts'
import type { ServiceEvent } from './events.ts'
import {
  countRefusals,
  type Finding,
  furtherPayeesOf,
  NO_FINDING,
  type Resource,
  type Terms,
  toFinding,
  toKept,
  toSeen,
  urlToCall,
} from './finding.ts'
import { arrivalEvents, withArrivals } from './further-payees.ts'
import { judgeStatus, REFUSALS_TO_UNVERIFIED, riskEvents, statusEvents } from './judge-status.ts'
import { latencyOf, toOrderedLatency } from './latency.ts'
import type { PaymentFacts } from './payment-facts.ts'
import { dayOf, type ProbeRecord, type Tally } from './probes.ts'
import type { Purchase } from './purchases.ts'
import { type Relapses, waitsUntil, withAnswer, withRelapse } from './relapses.ts'
import { type Entry, laterOf } from './service.ts'
import type { Seen, SeenTerms } from './terms.ts'
import { termsEvents } from './terms-events.ts'
import { scoreOf, TRUST_FORMULA, type TrustFacts, weighTrust } from './trust.ts'
import { toService } from './views.ts'

/**
 * What is kept about the probes of a service where it is now, the one that is judged included. What a clock that was ahead
 * has dated later than now is left out of everything but the sums.
 */
export type ProbeHistory = {
  /** The newest probes that count, newest first, as many as the rules look back (`LOOK_BACK`). */
  readonly latest: readonly ProbeRecord[]
  /** Milliseconds that the newest answers took (`LATENCY_ANSWERS` of them), newest first. */
  readonly latencies: readonly number[]
  /** Over everything kept. */
  readonly tally: Tally
  /** The last day (UTC) with a payable answer. */
  readonly lastPayableDay: string | null
  /** When the newest probe was measured, one that does not count included. */
  readonly newestAt: string
  /** Who pays it; null where its chain is not read. */
  readonly payments: PaymentFacts | null
  /** Of the service, and others at its place; newest first. */
  readonly purchases: readonly Purchase[]
  readonly finding: Finding | null
}

export type Judgement = {
  readonly entry: Entry
  readonly events: readonly ServiceEvent[]
  readonly facts: TrustFacts
  readonly finding: Finding
  /** What to keep of the terms that were seen; absent where none could be read, or newer ones are kept. */
  readonly terms?: { readonly terms: SeenTerms; readonly isChanged: boolean }
}

/** Thrown by who judges a probe of a listing that has changed since: nothing of the probe is kept. */
export class Outdated extends Error {}

/** For `catch`: such a probe is as if it had never been. */
export function unlessOutdated(error: unknown): undefined {
  if (!(error instanceof Outdated)) throw error
}

export type Measured = {
  readonly probe: ProbeRecord
  /** undefined where no terms could be read. */
  readonly terms: Terms | undefined
  readonly resource: Resource | null
}

export function judge(kept: Entry, { probe, terms, resource }: Measured, history: ProbeHistory): Judgement {
  const { at } = probe
  const entry = withDelivery(kept, history.purchases, { at, resourceUrl: urlToCall(terms) })
  // A probe that took long is settled after one that began later: it adds to the sums, and what it found is no news.
  const isNewest = at >= history.newestAt
  const refusals = countRefusals(probe, isNewest, history.finding)
  const isRefused = refusals >= REFUSALS_TO_UNVERIFIED
  const relapses = isNewest ? withAnswer(history.finding?.relapses, probe) : history.finding?.relapses
  const waits = relapses && waitsUntil(relapses)
  const isWaiting = entry.standing.status !== 'verified' && waits !== undefined && at < waits
  const answered = judgeStatus(entry, probe, history.latest)
  const status = (isRefused || isWaiting) && answered === 'verified' ? 'unverified' : answered
  const facts = {
    ...toFacts(entry, history),
    ...(isWaiting && relapses && { waiting: { until: waits, relapses: relapses.at.length } }),
  }
  const standing = {
    ...entry.standing,
    status,
    trustScore: scoreOf(weighTrust(entry, status, facts)),
    uptimeScore: uptimeOf(history.tally),
    lastChecked: isNewest ? at : entry.standing.lastChecked,
  }
  const supportedChains =
    isNewest && probe.outcome === 'payable' && terms ? chainsOf(entry, terms) : entry.supportedChains
  const isSeen = isNewest && terms !== undefined
  const payeesBefore = furtherPayeesOf(entry, history.finding)
  const payees = withArrivals(payeesBefore, terms?.furtherPayees ?? [], at)
  const seen: Seen | undefined = isSeen ? toSeen(terms, at, payees) : entry.seen
  const latency = latencyOf(history.latencies)
  const judged: Entry = {
    ...entry,
    standing,
    supportedChains,
    ...(seen && { seen }),
    ...(latency && { latencyMs: toOrderedLatency(latency) }),
  }
  const settled = { entry, status, probe, latest: history.latest, refusals }
  const isChanged = JSON.stringify(toService(judged)) !== JSON.stringify(toService(entry))
  return {
    entry: isChanged ? { ...judged, updatedAt: laterOf(entry.updatedAt, at) } : judged,
    events: [
      ...statusEvents({ ...settled, probe: isRefused ? probe : (history.latest[0] ?? probe) }),
      ...(isNewest ? riskEvents(settled) : []),
      ...(isSeen ? termsEvents(entry.x402Config.network, terms, history.finding ?? NO_FINDING, at) : []),
      ...(isSeen ? arrivalEvents(payeesBefore, payees, at) : []),
    ],
    facts,
    finding: isNewest
      ? {
          ...toFinding(entry, terms, resource, history.finding),
          ...(isSeen && { furtherPayees: payees }),
          ...(refusals > 0 && { refusals }),
          ...toKeptRelapses(withRelapse(relapses!, probe, entry.standing.status, status)),
        }
      : (history.finding ?? NO_FINDING),
    ...(isSeen && { terms: toKept(terms, at, history.finding) }),
  }
}

const toKeptRelapses = (relapses: Relapses): Pick<Finding, 'relapses'> =>
  relapses.at.length > 0 ? { relapses } : {}

/** Percent with two decimals. */
function uptimeOf({ up, failed }: Tally): number {
  return up === 0 ? 0 : Math.round((up / (up + failed)) * 10_000) / 100
}

const DAY_MS = 86_400_000

function toFacts(entry: Entry, { tally, lastPayableDay, payments }: ProbeHistory): TrustFacts {
  const ageMs =
    lastPayableDay === null
      ? 0
      : Date.parse(lastPayableDay) - Date.parse(dayOf(entry.movedAt ?? entry.createdAt))
  return { tally, ageDays: Math.max(0, Math.floor(ageMs / DAY_MS)), payments, formula: TRUST_FORMULA }
}

/** The registered network first, then what was listed before and is still there, then what is new: order alone is no news. */
function chainsOf({ x402Config: { network }, supportedChains }: Entry, { furtherChains }: Terms): string[] {
  const seen = new Map(furtherChains.map(chain => [chainKey(chain), chain]))
  seen.delete(chainKey(network))
  const kept = supportedChains.slice(1).filter(chain => seen.delete(chainKey(chain)))
  return [network, ...kept, ...seen.values()]
}
