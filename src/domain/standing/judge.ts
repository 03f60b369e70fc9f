// Judges a service by its probes: status, score, events, and what is remembered for the next judgement. Pure, so that every process and
// every store computes the same standing.

import { type Message, say, together } from '../../messages/message.ts'
import { addressProblem, sameAddress } from '../chains/addresses.ts'
import { chainKey } from '../chains/chains.ts'
import type { ServiceEvent } from '../feed.ts'
import { declinedReason } from '../hosts/domain-proof.ts'
import { creditGround } from '../listing/backing.ts'
import { type Entry, laterOf, toService } from '../listing/service.ts'
import { compareDecimals } from '../money/money.ts'
import type { Purchase } from '../purchases/purchases.ts'
import { digestOf, type Price, type Seen, type StoredTerms, toSeenResources } from '../terms/terms.ts'
import { arrivalEvents, arrivedAt, type FurtherPayee, namesPayee, withArrivals } from '../terms/terms-view.ts'
import { DAY_MS, dayOf } from '../time.ts'
import { isFailing } from './delivery.ts'
import { withDelivery } from './judge-delivery.ts'
import {
  isCounted,
  isFailed,
  medianLatency,
  type ProbeRecord,
  type Standing,
  type Status,
  type Tally,
  toOrderedLatency,
} from './standing.ts'
import { countPayers, type PaymentFacts, scoreOf, type TrustFacts, weighTrust } from './trust.ts'

// What a probe found: what the next probe and its judgement need to know of it, and which events follow from it.

/** The terms of a readable 402 response. */
export type ReadTerms = {
  /** The addresses to pay on the registered network. */
  readonly payTo: readonly string[]
  /** null if the asset is not known. */
  readonly price: Price | null
  /** Chains other than the registered one. */
  readonly furtherChains: readonly string[]
  /** The payees on these chains. */
  readonly furtherPayees?: readonly FurtherPayee[]
  /** The complete terms. */
  readonly seen: Omit<StoredTerms, 'seenAt'> & Pick<Seen, 'asks' | 'price'>
}

/** A request of a probe. */
export type ProbeRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  /** The body to send, if an empty object is not sufficient. */
  readonly body?: string
  readonly contentType?: string
  /** The headers that its schema requires, by lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** The tool of an MCP server; the body then contains its arguments. */
  readonly tool?: string
  /** The URL without sample values, and the path with its placeholders. */
  readonly place?: { readonly url: string; readonly routeTemplate?: string }
}

/** The request to which a service responds with its terms. */
export type FirstRequest = Omit<ProbeRequest, 'method'> & {
  readonly method?: ProbeRequest['method']
  /** A customer saw another response: only requests as a customer can tell whether it is fixed. */
  readonly asCustomer?: true
  /** Another request that a customer may make and that got a bad response: it is repeated until it is fixed. */
  readonly recheck?: ProbeRequest
}

/** What the next probe needs to know of the previous ones. */
export type Finding = {
  /** What the next probe sends first; absent before the first probe. */
  readonly firstRequest?: FirstRequest | undefined
  /** The last terms that could be read; null if there were none. */
  readonly payTo: readonly string[] | null
  readonly price: Price | null
  /** All payees ever seen on other chains; absent before the first terms. */
  readonly furtherPayees?: readonly FurtherPayee[]
  /** Number of refused probes in a row; absent if the last one was not refused. */
  readonly refusals?: number
  /** When it last lost `verified` by another response, the newest last, at most two; absent if it never did. */
  readonly losses?: readonly string[]
  /** Digest of the stored terms. */
  readonly digest?: string
}

const NO_FINDING: Finding = { payTo: null, price: null }

export function toFinding(
  terms: ReadTerms | undefined,
  firstRequest: FirstRequest | undefined,
  before: Finding | null,
): Finding {
  if (!terms) {
    const { refusals: _, losses: __, ...rest } = before ?? NO_FINDING
    return { ...rest, firstRequest }
  }
  return {
    firstRequest,
    payTo: terms.payTo,
    price: terms.price ?? before?.price ?? null,
    digest: digestOf(terms.seen.resources),
  }
}

export const toSeen = (
  { seen: { resources, asks, price } }: ReadTerms,
  at: string,
  payees: readonly FurtherPayee[],
): Seen => ({
  at,
  price,
  asks,
  resources: toSeenResources(resources, requirements => arrivedAt(payees, requirements)),
})

function toStoredTerms(
  { seen: { x402Version, resources } }: ReadTerms,
  seenAt: string,
  before: Finding | null,
) {
  const isChanged = before?.digest !== digestOf(resources)
  return { stored: { seenAt, x402Version, resources }, isChanged }
}

const countRefusals = (probe: ProbeRecord, isNewest: boolean, finding: Finding | null): number => {
  const before = finding?.refusals ?? 0
  if (!isNewest) return before
  return isCounted(probe) ? 0 : before + 1
}

// Events for changed terms: payee and price.

/** Compares the terms with the previous ones, not with the listing: events report changes, probes report differences to the listing. */
function termsEvents(
  network: string,
  now: Pick<ReadTerms, 'payTo' | 'price'>,
  before: Pick<Finding, 'payTo' | 'price'>,
  at: string,
): ServiceEvent[] {
  const events: ServiceEvent[] = []
  const { payTo, price } = before
  if (payTo !== null && !sameAddresses(payTo, now.payTo, network)) {
    const reason = say('pay_to_changed', { before: payTo, after: now.payTo })
    events.push({ type: 'pay_to', at, reason, before: payTo, after: now.payTo })
  }
  if (price && now.price && !samePrice(price, now.price)) {
    const reason = say('price_changed', { before: priceText(price), after: priceText(now.price) })
    events.push({ type: 'price', at, reason, before: price, after: now.price })
  }
  return events
}

function sameAddresses(a: readonly string[], b: readonly string[], network: string): boolean {
  const covers = (all: readonly string[], some: readonly string[]) =>
    some.every(address => all.some(other => sameAddress(address, other, network)))
  return covers(a, b) && covers(b, a)
}

const samePrice = (a: Price, b: Price) =>
  a.currency === b.currency && compareDecimals(a.amount, b.amount) === 0

const priceText = ({ amount, currency }: Price) => `${amount} ${currency}`

const FAILURES_TO_INACTIVE = 3
const ANSWERS_TO_RETURN = 2
/** Verification ends after this many refusals in a row: a service that refuses us may respond to its customers with anything. */
const REFUSALS_TO_UNVERIFIED = 3

/** One more than any rule of the standing needs: the interval between probes still grows with the fourth failure. */
export const LOOK_BACK = 4

/** The newest probe that counts decides, also where an older one is being judged. */
function judgeStatus(entry: Entry, judged: ProbeRecord, latest: readonly ProbeRecord[]): Status {
  const { status } = entry.standing
  if (entry.retired !== null) return 'inactive'
  const [probe] = latest
  if (!probe || !isCounted(judged)) return status
  const failures = runLength(latest, isFailed)
  if (failures > 0) return failures >= FAILURES_TO_INACTIVE ? 'inactive' : status
  if (status === 'inactive' && runLength(latest, each => !isFailed(each)) < ANSWERS_TO_RETURN) return status
  return probe.outcome === 'payable' && canBeVerified(entry) ? 'verified' : 'unverified'
}

/** How many of the newest probes in a row match. */
export function runLength(latest: readonly ProbeRecord[], matches: (probe: ProbeRecord) => boolean): number {
  const end = latest.findIndex(probe => !matches(probe))
  return end < 0 ? latest.length : end
}

/** A service that repeatedly took payment without delivering is not verified by correct payment requirements. */
const canBeVerified = ({ x402Config: { paymentAddress, network }, delivery }: Entry): boolean =>
  addressProblem(paymentAddress, network) === undefined && !isFailing(delivery)

type JudgedProbe = {
  readonly entry: Entry
  /** After this judgement. */
  readonly status: Status
  readonly probe: ProbeRecord
  readonly latest: readonly ProbeRecord[]
  /** Number of refused probes in a row, newest first. */
  readonly refusals: number
  readonly isDeclined: boolean
}

function statusEvents({ entry, status, probe, latest, refusals, isDeclined }: JudgedProbe): ServiceEvent[] {
  const before = entry.standing.status
  if (status === before) return []
  const seen = probe.reasons
  const reason: Message =
    entry.retired !== null
      ? say('retired', { message: entry.retired })
      : isDeclined
        ? declinedReason(entry)
        : status === 'inactive'
          ? say('failed_in_a_row', { count: runLength(latest, isFailed), seen })
          : refusals >= REFUSALS_TO_UNVERIFIED
            ? say('refused_in_a_row', { count: refusals, seen })
            : probe.outcome === 'payable' && entry.delivery && isFailing(entry.delivery)
              ? say('not_delivering', { count: entry.delivery.failedInARow, seen: [] })
              : before === 'inactive'
                ? say('answered_again', { count: ANSWERS_TO_RETURN, seen })
                : together(seen)
  return [{ type: 'status', at: probe.at, reason, before, after: status }]
}

/**
 * Published once, with the first failing probe, so that the operator of a verified service can fix it before its customers see a
 * change. The probe is the newest.
 */
function riskEvents({ entry, status, probe, latest, refusals }: JudgedProbe): ServiceEvent[] {
  if (entry.standing.status !== 'verified' || status !== 'verified') return []
  const limit = isFailed(probe) ? FAILURES_TO_INACTIVE : REFUSALS_TO_UNVERIFIED
  const run = isFailed(probe) ? runLength(latest, isFailed) : isCounted(probe) ? 0 : refusals
  if (run !== 1) return []
  const reason = say('verified_at_risk', { left: limit - run, seen: probe.reasons })
  return [{ type: 'at_risk', at: probe.at, reason, before: status, after: status }]
}

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
  readonly terms?: { readonly stored: StoredTerms; readonly isChanged: boolean }
}

export type Measurement = {
  readonly probe: ProbeRecord
  /** undefined if no terms could be read. */
  readonly terms: ReadTerms | undefined
  /** What the next probe sends first; absent if nothing was sent yet. */
  readonly firstRequest?: FirstRequest | undefined
  /** The origin asks not to be probed; the probe was not sent, or together with the request that read so. */
  readonly isDeclined?: boolean
}

export function judge(stored: Entry, measured: Measurement, history: ProbeHistory): Judgement {
  const { probe, terms, firstRequest } = measured
  const { at } = probe
  const { declinesProbes, ...bought } = withDelivery(stored, history.purchases, at)
  // A slow probe is judged after one that began later: it adds to the sums, and its findings are not news.
  const isNewest = at >= history.newestAt
  const isDeclined = isNewest ? measured.isDeclined === true : declinesProbes === true
  const entry: Entry = isDeclined ? { ...bought, declinesProbes: true } : bought
  const refusals = countRefusals(probe, isNewest, history.finding)
  const isRefused = refusals >= REFUSALS_TO_UNVERIFIED
  const verifiableFrom = waitsUntil(history.finding?.losses)
  const isWaiting =
    entry.standing.status !== 'verified' && verifiableFrom !== undefined && at < verifiableFrom
  const byProbes = judgeStatus(entry, probe, history.latest)
  const earned = (isRefused || isWaiting) && byProbes === 'verified' ? 'unverified' : byProbes
  // Nothing is found out about who is not probed; what was seen before still counts against it.
  const status = isDeclined && entry.retired === null ? 'unverified' : earned
  const facts = {
    ...toFacts(entry, status, history, new Date(at)),
    ...(isWaiting && { verifiableFrom }),
    ...(isNewest && toRefused(probe)),
  }
  const standing = {
    ...weigh(entry, status, facts),
    uptimeScore: uptimeOf(history.tally),
    lastChecked: isNewest ? at : entry.standing.lastChecked,
  }
  const supportedChains =
    isNewest && probe.outcome === 'payable' && terms ? chainsOf(entry, terms) : entry.supportedChains
  const isSeen = isNewest && terms !== undefined
  const payeesBefore = history.finding?.furtherPayees
  const payees = withArrivals(payeesBefore, terms?.furtherPayees ?? [], at)
  const seen = isSeen ? toSeen(terms, at, payees) : entry.seen
  const lostAt = lostSince(entry, probe, { status: earned, seen })
  const latency = medianLatency(history.latencies)
  const judged: Entry = {
    ...entry,
    standing,
    supportedChains,
    ...(seen && { seen: withLoss(seen, lostAt) }),
    ...(latency !== undefined && { latencyMs: toOrderedLatency(latency) }),
  }
  const context = { entry, status, probe, latest: history.latest, refusals, isDeclined }
  const isChanged = JSON.stringify(toService(judged)) !== JSON.stringify(toService(entry))
  return {
    entry: isChanged ? { ...judged, updatedAt: laterOf(entry.updatedAt, at) } : judged,
    events: [
      ...statusEvents({ ...context, probe: isRefused || isDeclined ? probe : (history.latest[0] ?? probe) }),
      ...(isNewest ? riskEvents(context) : []),
      ...(isSeen ? termsEvents(entry.x402Config.network, terms, history.finding ?? NO_FINDING, at) : []),
      ...(isSeen ? arrivalEvents(payeesBefore, payees, at) : []),
    ],
    facts,
    finding: isNewest
      ? {
          ...toFinding(terms, firstRequest, history.finding),
          ...(isSeen && { furtherPayees: payees }),
          ...(refusals > 0 && { refusals }),
          ...toLosses(history.finding, isLost(entry, probe, earned) ? [at] : []),
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

const WEEK_MS = 7 * DAY_MS

/**
 * Mistakes happen, so after one loss of `verified` the next good response restores it. After two within a week the service waits for
 * a day: otherwise it could be honest only while its owner triggers probes, and would be verified for 98 % of the time.
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

/** What the facts are worth. */
function weigh(entry: Entry, status: Status, facts: TrustFacts): Standing {
  const { payers: _, ...unpaid } = entry.standing
  const payers = countPayers(facts.payments)
  return {
    ...unpaid,
    ...(payers && { payers }),
    status,
    trustScore: scoreOf(weighTrust(entry, status, facts)),
  }
}

type Sums = Pick<ProbeHistory, 'tally' | 'lastPayableDay' | 'payments'>

/** The same status by the present formula, from stored sums. @param before facts of another formula; null if it was never judged */
export function judgeAgain(
  entry: Entry,
  before: object | null,
  sums: Sums,
  now: Date,
): Pick<Judgement, 'entry' | 'facts'> {
  const { status } = entry.standing
  const { claimed: _, ...kept }: Partial<TrustFacts> = before ?? {}
  const facts = { ...kept, ...toFacts(entry, status, sums, now) }
  const standing = weigh(entry, status, facts)
  const isChanged = standing.trustScore !== entry.standing.trustScore
  return {
    entry: { ...entry, standing, ...(isChanged && { updatedAt: laterOf(entry.updatedAt, now) }) },
    facts,
  }
}

function toFacts(entry: Entry, status: Status, history: Sums, now: Date): TrustFacts {
  const { tally, lastPayableDay } = history
  const payments = history.payments && {
    ...history.payments,
    credited: status === 'verified' ? history.payments.credited : null,
  }
  const ageMs =
    lastPayableDay === null
      ? 0
      : Date.parse(lastPayableDay) - Date.parse(dayOf(entry.movedAt ?? entry.createdAt))
  return {
    tally,
    ageDays: Math.max(0, Math.floor(ageMs / DAY_MS)),
    payments,
    ...(status === 'verified' && toReportedPayers(entry, now)),
  }
}

/** What a list counts covers 30 days; of one that is no longer followed it says nothing after as many more. */
const CLAIM_MS = 30 * DAY_MS

/** Of other lists anybody may be the author. */
function toReportedPayers(entry: Entry, now: Date): Pick<TrustFacts, 'claimed'> {
  const { sourceUrl, origin } = entry.provenance
  const { claim } = origin ?? {}
  const isCurrent =
    claim && origin?.droppedAt === undefined && Date.parse(claim.at) > now.getTime() - CLAIM_MS
  const payers = (isCurrent && claim.payers) || 0
  return sourceUrl !== null && payers > 0 && creditGround(entry) === 'facilitator'
    ? { claimed: { source: sourceUrl, payers } }
    : {}
}

/** The registered network first, then previous chains that are still there, then new ones: the order alone is not a change. */
function chainsOf(
  { x402Config: { network }, supportedChains }: Entry,
  { furtherChains }: ReadTerms,
): string[] {
  const seen = new Map(furtherChains.map(chain => [chainKey(chain), chain]))
  seen.delete(chainKey(network))
  const previous = supportedChains.slice(1).filter(chain => seen.delete(chainKey(chain)))
  return [network, ...previous, ...seen.values()]
}
