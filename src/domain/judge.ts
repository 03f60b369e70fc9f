// Judges a service by what its probes found: pure, so that every process and every store comes to the same standing.
import { type Message, say, together } from '../messages/message.ts'
import { addressProblem } from './addresses.ts'
import { chainKey } from './chains.ts'
import { isFailing } from './delivery.ts'
import type { ServiceEvent } from './events.ts'
import {
  arrivalEvents,
  arrivedAt,
  type FurtherPayee,
  payeesElsewhere,
  withArrivals,
} from './further-payees.ts'
import { latencyOf, toOrderedLatency } from './latency.ts'
import type { PaymentFacts } from './payment-facts.ts'
import { dayOf, isCounted, isFailed, type ProbeRecord, type Tally } from './probes.ts'
import { type Entry, laterOf } from './service.ts'
import type { Status } from './standing.ts'
import { digestOf, type Price, type Seen, type SeenTerms, toSeenResources } from './terms.ts'
import { type Form, formOf, termsEvents } from './terms-events.ts'
import { scoreOf, TRUST_FORMULA, type TrustFacts, weighTrust } from './trust.ts'
import { toService } from './views.ts'

/** What a readable 402 answer asked for. */
export type Terms = {
  /** The addresses to pay on the registered network. */
  readonly payTo: readonly string[]
  /** null where the asset is not known. */
  readonly price: Price | null
  /** Chains besides the registered one. */
  readonly furtherChains: readonly string[]
  /** Who is paid there. */
  readonly furtherPayees?: readonly FurtherPayee[]
  /** All of it. */
  readonly seen: Omit<SeenTerms, 'seenAt'> & Pick<Seen, 'asks' | 'price'>
}

/** Where a service answers with its terms, if not at its endpoint by GET. */
export type Resource = {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  /** What has to be sent, where an empty object is not enough. */
  readonly body?: string
  readonly contentType?: string
  /** Those that its schema requires, by their names in small letters. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of an MCP server; the body then holds its arguments. */
  readonly tool?: string
  /** The URL without what was filled in, and the path with its placeholders. */
  readonly place?: { readonly url: string; readonly routeTemplate?: string }
  /** Seen otherwise by a customer: only who asks as one can find it mended. */
  readonly asCustomer?: true
  /** Which client that customer used: another one may be answered otherwise. */
  readonly client?: string
  /** Of a name with several: the one that was answered badly from, which is asked until it is mended. */
  readonly address?: string
  /** A method that documents declare for it, and that is never sent. */
  readonly unasked?: string
  /** Another request that a customer may make, and that was answered badly: it is made until it is mended. */
  readonly besides?: Pick<Resource, 'url' | 'body' | 'contentType' | 'headers' | 'tool' | 'place'> & {
    readonly method: 'GET' | 'POST'
    /** It was not answered to the end, once. */
    readonly isOpen?: true
  }
  /** What a customer and the prober were answered differed, and could not be asked again. */
  readonly differed?: true
}

/** What the next probe should know of those before it. */
export type Finding = {
  readonly resource: Resource | null
  /** The last terms that could be read; null where there were none yet. */
  readonly payTo: readonly string[] | null
  readonly price: Price | null
  /** Who was ever paid on other chains; absent where that was not looked at yet. */
  readonly furtherPayees?: readonly FurtherPayee[]
  /** How many probes in a row were refused; absent where the last one was not. */
  readonly refusals?: number
  /** Schemes, input and output; absent where they were not looked at yet. */
  readonly form?: Form
  /** Of the terms as they are kept. */
  readonly digest?: string
}

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

const FAILURES_TO_INACTIVE = 3
const ANSWERS_TO_RETURN = 2
/** What refuses so often is proved no more: whoever answers us with a closed door may answer its customers with anything. */
const REFUSALS_TO_UNVERIFIED = 3
/** One more than any rule of the standing needs: the interval between probes still grows with the fourth failure. */
export const LOOK_BACK = 4

export type Measured = {
  readonly probe: ProbeRecord
  /** undefined where no terms could be read. */
  readonly terms: Terms | undefined
  readonly resource: Resource | null
}

export function judge(entry: Entry, { probe, terms, resource }: Measured, history: ProbeHistory): Judgement {
  const { at } = probe
  // A probe that took long is settled after one that began later: it adds to the sums, and what it found is no news.
  const isNewest = at >= history.newestAt
  const refusals = countRefusals(probe, isNewest, history.finding)
  const isRefused = refusals >= REFUSALS_TO_UNVERIFIED
  const answered = judgeStatus(entry, probe, history.latest)
  const status = isRefused && answered === 'verified' ? 'unverified' : answered
  const facts = toFacts(entry, history)
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
  const isChanged = JSON.stringify(toService(judged)) !== JSON.stringify(toService(entry))
  return {
    entry: isChanged ? { ...judged, updatedAt: laterOf(entry.updatedAt, at) } : judged,
    events: [
      ...statusEvents(
        entry,
        status,
        isRefused ? probe : (history.latest[0] ?? probe),
        history.latest,
        refusals,
      ),
      ...(isSeen ? termsEvents(entry.x402Config.network, terms, history.finding ?? NO_FINDING, at) : []),

      ...(isSeen ? arrivalEvents(payeesBefore, payees, at) : []),
    ],
    facts,
    finding: isNewest
      ? {
          ...toFinding(entry, terms, resource, history.finding),
          ...(isSeen && { furtherPayees: payees }),
          ...(refusals > 0 && { refusals }),
        }
      : (history.finding ?? NO_FINDING),
    ...(isSeen && { terms: toKept(terms, at, history.finding) }),
  }
}

const NO_FINDING: Finding = { resource: null, payTo: null, price: null }

function toFinding(
  entry: Entry,
  terms: Terms | undefined,
  resource: Resource | null,
  before: Finding | null,
): Finding {
  if (!terms) {
    const { refusals: _, ...kept } = before ?? NO_FINDING
    return { ...kept, resource }
  }
  return {
    resource,
    payTo: terms.payTo,
    price: terms.price ?? before?.price ?? null,
    form: formOf(terms.seen.resources, entry.x402Config.network),
    digest: digestOf(terms.seen.resources),
  }
}

const toSeen = (
  { seen: { resources, asks, price } }: Terms,
  at: string,
  payees: readonly FurtherPayee[],
): Seen => ({
  at,
  price,
  asks,
  resources: toSeenResources(resources, way => arrivedAt(payees, way)),
})

/** undefined where no terms were seen yet. */
const furtherPayeesOf = (entry: Entry, finding: Finding | null): readonly FurtherPayee[] | undefined =>
  finding?.furtherPayees ??
  (finding?.payTo == null ? undefined : payeesElsewhere(entry.seen, entry.x402Config.network))

function toKept({ seen: { x402Version, resources } }: Terms, seenAt: string, before: Finding | null) {
  const isChanged = before?.digest !== digestOf(resources)
  return { terms: { seenAt, x402Version, resources }, isChanged }
}

const countRefusals = (probe: ProbeRecord, isNewest: boolean, finding: Finding | null): number => {
  const before = finding?.refusals ?? 0
  if (!isNewest) return before
  return isCounted(probe) ? 0 : before + 1
}

/** The newest probe that counts decides, whichever is being settled. */
function judgeStatus(entry: Entry, settled: ProbeRecord, latest: readonly ProbeRecord[]): Status {
  const { status } = entry.standing
  if (entry.retired !== null) return 'inactive'
  const [probe] = latest
  if (!probe || !isCounted(settled)) return status
  const failures = runOf(latest, isFailed)
  if (failures > 0) return failures >= FAILURES_TO_INACTIVE ? 'inactive' : status
  if (status === 'inactive' && runOf(latest, each => !isFailed(each)) < ANSWERS_TO_RETURN) return status
  return probe.outcome === 'payable' && canBeVerified(entry) ? 'verified' : 'unverified'
}

/** How many of the newest probes in a row are so. */
export function runOf(latest: readonly ProbeRecord[], isSo: (probe: ProbeRecord) => boolean): number {
  const end = latest.findIndex(probe => !isSo(probe))
  return end < 0 ? latest.length : end
}

/** What was paid and did not deliver, again and again, is not proved by asking for the right payment. */
const canBeVerified = ({ x402Config: { paymentAddress, network }, delivery }: Entry): boolean =>
  addressProblem(paymentAddress, network) === undefined && !isFailing(delivery)

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

function statusEvents(
  entry: Entry,
  status: Status,
  probe: ProbeRecord,
  latest: readonly ProbeRecord[],
  refusals: number,
): ServiceEvent[] {
  const before = entry.standing.status
  if (status === before) return []
  const seen = probe.reasons
  const reason: Message =
    entry.retired !== null
      ? say('retired')
      : status === 'inactive'
        ? say('failed_in_a_row', { count: runOf(latest, isFailed), seen })
        : refusals >= REFUSALS_TO_UNVERIFIED
          ? say('refused_in_a_row', { count: refusals, seen })
          : before === 'inactive'
            ? say('answered_again', { count: ANSWERS_TO_RETURN, seen })
            : together(seen)
  return [{ type: 'status', at: probe.at, reason, before, after: status }]
}
