// Judges a service by its probes: pure, so that every process and every store computes the same standing.
import { chainKey } from '../chains/chains.ts'
import type { ServiceEvent } from '../events.ts'
import { type Entry, laterOf } from '../listing/service.ts'
import { toService } from '../listing/views.ts'
import type { Purchase } from '../purchases/purchases.ts'
import { arrivalEvents, withArrivals } from '../terms/further-payees.ts'
import { namesPayee } from '../terms/payee-seen.ts'
import type { Seen, SeenTerms } from '../terms/terms.ts'
import { termsEvents } from '../terms/terms-events.ts'
import { withDelivery } from './delivery-evidence.ts'
import {
  countRefusals,
  type Finding,
  furtherPayeesOf,
  NO_FINDING,
  type Resource,
  type Terms,
  toFinding,
  toSeen,
  toStoredTerms,
  urlToCall,
} from './finding.ts'
import { judgeStatus, REFUSALS_TO_UNVERIFIED, riskEvents, statusEvents } from './judge-status.ts'
import { latencyOf, toOrderedLatency } from './latency.ts'
import type { PaymentFacts } from './payment-facts.ts'
import { dayOf, type ProbeRecord, type Tally } from './probes.ts'
import type { Status } from './standing.ts'
import { scoreOf, TRUST_FORMULA, type TrustFacts, weighTrust } from './trust.ts'

/**
 * The stored probes of a service at its present endpoint and payee, including the one that is judged. Probes that a fast clock dated
 * in the future count only in the sums.
 */
export type ProbeHistory = {
  /** The newest probes that count, newest first, at most `LOOK_BACK`. */
  readonly latest: readonly ProbeRecord[]
  /** Response times of the newest answered probes in milliseconds, newest first, at most `LATENCY_ANSWERS`. */
  readonly latencies: readonly number[]
  /** Over all stored probes. */
  readonly tally: Tally
  /** The last day (UTC) with a payable response. */
  readonly lastPayableDay: string | null
  /** When the newest probe was made, including one that does not count. */
  readonly newestAt: string
  /** Payments to the service; null if its chain is not read. */
  readonly payments: PaymentFacts | null
  /** Of the service, and of others at its place; newest first. */
  readonly purchases: readonly Purchase[]
  readonly finding: Finding | null
}

export type Judgement = {
  readonly entry: Entry
  readonly events: readonly ServiceEvent[]
  readonly facts: TrustFacts
  readonly finding: Finding
  /** The terms to store; absent if none could be read, or if newer ones are stored. */
  readonly terms?: { readonly terms: SeenTerms; readonly isChanged: boolean }
}

/** Thrown when the listing has changed since the probe: nothing of the probe is stored. */
export class Outdated extends Error {}

/** For `catch`: discards an outdated probe, and throws any other error again. */
export function ignoreOutdated(error: unknown): undefined {
  if (!(error instanceof Outdated)) throw error
}

export type Measurement = {
  readonly probe: ProbeRecord
  /** undefined if no terms could be read. */
  readonly terms: Terms | undefined
  readonly resource: Resource | null
}

export function judge(
  stored: Entry,
  { probe, terms, resource }: Measurement,
  history: ProbeHistory,
): Judgement {
  const { at } = probe
  const entry = withDelivery(stored, history.purchases, { at, resourceUrl: urlToCall(terms) })
  // A slow probe is judged after one that began later: it adds to the sums, and its findings are not news.
  const isNewest = at >= history.newestAt
  const refusals = countRefusals(probe, isNewest, history.finding)
  const isRefused = refusals >= REFUSALS_TO_UNVERIFIED
  const verifiableFrom = waitsUntil(history.finding?.losses)
  const isWaiting =
    entry.standing.status !== 'verified' && verifiableFrom !== undefined && at < verifiableFrom
  const statusByProbes = judgeStatus(entry, probe, history.latest)
  const status = (isRefused || isWaiting) && statusByProbes === 'verified' ? 'unverified' : statusByProbes
  const facts = {
    ...toFacts(entry, history),
    ...(isWaiting && { verifiableFrom }),
    ...(isNewest && toRefused(probe)),
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
  const seen = isSeen ? toSeen(terms, { at, payees, before: entry.seen }) : entry.seen
  const lostAt = lostSince(entry, probe, { status, seen })
  const latency = latencyOf(history.latencies)
  const judged: Entry = {
    ...entry,
    standing,
    supportedChains,
    ...(seen && { seen: withLoss(seen, lostAt) }),
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
          ...toLosses(history.finding, isLost(entry, probe, status) ? [at] : []),
        }
      : (history.finding ?? NO_FINDING),
    ...(isSeen && { terms: toStoredTerms(terms, at, history.finding) }),
  }
}

/**
 * When it ceased to be verified because its endpoint answered otherwise, or when its endpoint ceased to name the listed payee; undefined
 * while it is verified, and if it was never so.
 */
function lostSince(
  entry: Entry,
  probe: ProbeRecord,
  { status, seen }: { status: Status; seen: Seen | undefined },
): string | undefined {
  if (status === 'verified') return undefined
  const isReplaced = namesPayee(entry.seen, entry.x402Config) && !namesPayee(seen, entry.x402Config)
  return isLost(entry, probe, status) || isReplaced ? probe.at : entry.seen?.lostAt
}

/** Whether the probe ended the verification by another response; failures in a row make it inactive instead. */
const isLost = ({ standing }: Entry, { outcome }: ProbeRecord, status: Status): boolean =>
  standing.status === 'verified' && status === 'unverified' && outcome !== 'payable'

const toRefused = ({ outcome, httpStatus }: ProbeRecord): Pick<TrustFacts, 'refused'> =>
  outcome === 'refused' && httpStatus !== null ? { refused: httpStatus } : {}

const WEEK_MS = 7 * 86_400_000

/**
 * Mistakes happen, so one loss of `verified` is made good by the next good response. After two within a week the service waits for a
 * day: otherwise it could be honest only while its owner triggers probes, and would be verified for 98 % of the time.
 */
function waitsUntil([first, second]: readonly string[] = []): string | undefined {
  if (first === undefined || second === undefined) return undefined
  const isRepeated = Date.parse(second) - Date.parse(first) < WEEK_MS
  return isRepeated ? new Date(Date.parse(second) + DAY_MS).toISOString() : undefined
}

function toLosses(finding: Finding | null, lost: readonly string[]): Pick<Finding, 'losses'> {
  const losses = [...(finding?.losses ?? []), ...lost].slice(-2)
  return losses.length > 0 ? { losses } : {}
}

function withLoss({ lostAt: _, ...seen }: Seen, lostAt: string | undefined): Seen {
  return lostAt === undefined ? seen : { ...seen, lostAt }
}

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

/** The registered network first, then previous chains that are still there, then new ones: the order alone is not a change. */
function chainsOf({ x402Config: { network }, supportedChains }: Entry, { furtherChains }: Terms): string[] {
  const seen = new Map(furtherChains.map(chain => [chainKey(chain), chain]))
  seen.delete(chainKey(network))
  const previous = supportedChains.slice(1).filter(chain => seen.delete(chainKey(chain)))
  return [network, ...previous, ...seen.values()]
}
