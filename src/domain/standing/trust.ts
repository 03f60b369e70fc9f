// The trust score: facts about payers, the components, and the breakdown that the API shows.

import { z } from 'zod'
import { type Message, say } from '../../messages/message.ts'
import { addressProblem } from '../chains/addresses.ts'
import { chainLabel } from '../chains/chains.ts'
import { declinedReason } from '../hosts/domain-proof.ts'
import { isNeverProbed } from '../hosts/endpoint.ts'
import { type Entry, serviceSchema } from '../listing/service.ts'
import { CURRENCY_FAMILIES, currencyKey } from '../money/money.ts'
import { dateTime, messageFieldsSchema, toReason } from '../problems.ts'
import { comparePrice } from '../terms/terms.ts'
import { comparePayee } from '../terms/terms-view.ts'
import { DAY_MS } from '../time.ts'
import {
  deliveryReason,
  deliveryShare,
  isFailing,
  isMostlyUndelivered,
  wilsonLowerBound,
} from './delivery.ts'
import {
  type CountedPayers,
  type CreditGround,
  EMPTY_TALLY,
  FAIR_MS,
  FAST_MS,
  type Level,
  levelSchema,
  STATUSES,
  type Status,
  type Tally,
} from './standing.ts'

export type PaymentFacts = {
  /** Settlements that count for it. */
  readonly settlements: number
  /** Distinct wallets that paid it. */
  readonly payers: number
  /** Why payers count for it; null if they do not: nothing shows that it is the service that they paid, or it is not verified. */
  readonly credited: CreditGround | null
  /** Payers that got money back from the payee, directly or along settlements: a ring of wallets that pay each other. */
  readonly inRing: number
  /** Other payers whose payments are too small in total to count as a customer. */
  readonly tooSmall: number
  /** The remaining payers. */
  readonly unrelated: number
  /** Those of them that have paid `ESTABLISHED` sellers on as many days, and this one first `ESTABLISHED_DAYS` ago. */
  readonly established: number
  /** When the first of the established ones first paid it, ISO 8601 UTC; null while there are none. */
  readonly since: string | null
  /** Those of the remaining payers that paid within the last `PAID_DAYS`. */
  readonly recent: number
  /** The largest share of one remaining payer in the volume of all of them, from 0 to 1. */
  readonly largestShare: number
}

/** A payer with more than this share of the volume does not count. */
const MAX_SHARE = 0.5

/** Number of transfers over which money is followed from the payee back to a payer. */
export const RING_HOPS = 3

const isConcentrated = ({ unrelated, largestShare }: PaymentFacts): boolean =>
  unrelated > 0 && largestShare > MAX_SHARE

/** How many sellers a wallet has paid, and on how many days, to count in full as a payer. */
export const ESTABLISHED = 3
/** Days since its first payment to the service. Wallets with a record can be had at once for any number of services; time cannot. */
export const ESTABLISHED_DAYS = 30
/** A newcomer counts as a tenth, and beyond ten less: a hundred as two, a thousand as three. New wallets cost a tenth of a cent each. */
const newcomersWeight = (newcomers: number): number =>
  newcomers < 10 ? newcomers / 10 : Math.log10(newcomers)
/** A service is `paid` if a payer that counts has paid within these days. */
export const PAID_DAYS = 90

/** The payers that earn points; undefined if there are none. */
export function countPayers(facts: PaymentFacts | null): CountedPayers | undefined {
  if (!facts?.credited) return undefined
  const { established, newcomers } = divided(facts)
  const payers = established + newcomers
  if (payers === 0) return undefined
  return {
    weight: established + newcomersWeight(newcomers),
    recent: Math.min(facts.recent, payers),
    ...(established > 0 && facts.since && { since: facts.since }),
  }
}

/** The largest payer, which does not count if it pays most, may be one of the established ones. */
function divided(facts: PaymentFacts): { readonly established: number; readonly newcomers: number } {
  const payers = facts.unrelated - (isConcentrated(facts) ? 1 : 0)
  const established = Math.min(facts.established, payers)
  return { established, newcomers: payers - established }
}

/** In dollars, euros or any other currency, and in yen. */
const MIN_SPENT = 0.01
const MIN_SPENT_YEN = 1

/** The minimum total of a wallet to count as a payer. The listed price is no bound, because a provider can set it arbitrarily low. */
export const minSpent = (currency: string): number =>
  (CURRENCY_FAMILIES.yen as readonly string[]).includes(currencyKey(currency)) ? MIN_SPENT_YEN : MIN_SPENT

// The published trust formula: facts about a service earn points, each with a reason. docs/trust.md explains it.

/** The facts of the last judgement; stored beside the entry, in `judgements`, so that the breakdown always adds up to the score. */
export type TrustFacts = {
  readonly tally: Tally
  /** Whole days between the registration, or the last move, and the last response that was as registered. */
  readonly ageDays: number
  /** Payments to the service; null if its chain is not read. */
  readonly payments: PaymentFacts | null
  /** Set while it has to wait, after it lost `verified` repeatedly: ISO 8601 UTC. */
  readonly verifiableFrom?: string
  /** The status with which the last probe was refused; absent if it was not. */
  readonly refused?: number
  /** What a facilitator's list says of a verified service; absent where it says nothing. */
  readonly claimed?: { readonly source: string; readonly payers: number }
}

/** Incremented when the formula or the facts that it takes change: the next start recomputes every score. */
export const TRUST_FORMULA = 7

const NO_FACTS: TrustFacts = { tally: EMPTY_TALLY, ageDays: 0, payments: null }

/** They add up to 100. Probes alone give 40: anybody gets them who keeps an endpoint running. The rest takes payers and purchases. */
export const TRUST_POINTS = {
  verification: 10,
  uptime: 12,
  stability: 8,
  latency: 5,
  age: 5,
  payers: 20,
  delivery: 40,
} as const
type PointsName = keyof typeof TRUST_POINTS

const FULL_AGE_DAYS = 90
/** Wallets of which a facilitator tells count for a tenth of the points at most, and where none were seen here alone. */
const CLAIMED_SHARE = 0.1
const FULL_CLAIMED = 50
/** A response with another payee weighs as much as this many with another price. */
const MISMATCH_WEIGHT = 10

const claimed = z.int().min(0).nullable()

export const trustSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    trustScore: serviceSchema.shape.trustScore.describe('Sum of the points, the same as on the service'),
    level: levelSchema.describe(
      'danger: must not be paid; listed: nothing is proved; verified: asks exactly what is listed; paid: verified, and unrelated wallets paid for it within 90 days; delivers: verified, and a purchase within 30 days delivered',
    ),
    status: z.enum(STATUSES).describe('verified: it asks to be paid as listed'),
    judgedAt: dateTime.describe('When the points were computed'),
    components: z
      .array(
        z
          .object({
            name: z
              .enum([...(Object.keys(TRUST_POINTS) as PointsName[]), 'sample'])
              .describe('What is scored'),
            points: z
              .int()
              .min(0)
              .nullable()
              .describe('Points for it; null if it is not known: the reason says why'),
            most: z.int().min(0).describe('Maximum points of this component'),
            reason: z.string().describe('Why these points, and where possible how to get more'),
            ...messageFieldsSchema.shape,
          })
          .meta({ id: 'TrustComponent', title: 'A part of the trust score' }),
      )
      .describe('What the score is made of'),
    payers: z
      .int()
      .min(0)
      .nullable()
      .describe('Distinct wallets that have settled a payment to it on chain; null if its chain is not read'),
    lastPaymentAt: dateTime
      .nullable()
      .describe('When the last settlement was seen on chain; null if none was, or no chain is read'),
    claims: z
      .array(
        z.object({
          source: z.string().describe('Address of the list that says so'),
          at: dateTime.describe('When it was read'),
          calls: claimed.describe('Paid calls within 30 days'),
          payers: claimed.describe('Wallets that paid within 30 days'),
          lastCalledAt: dateTime.nullable().describe('The last paid call'),
          droppedAt: dateTime
            .nullable()
            .describe(
              'Since when the list no longer has it; null: it has. Lists drop what nobody paid for in a while, so this says nothing about the endpoint',
            ),
        }),
      )
      .describe(
        'What followed lists publish about it by their own count: not checked here, and never added to what was seen here',
      ),
  })
  .meta({ id: 'Trust', title: 'Components of the trust score of a service' })
export type Trust = Readonly<z.output<typeof trustSchema>>
type Component = Omit<Trust['components'][number], 'reason' | 'code' | 'values'> & {
  readonly reason: Message
}

export function weighTrust(
  entry: Pick<Entry, 'endpoint' | 'x402Config' | 'retired' | 'movedAt' | 'delivery' | 'declinesProbes'>,
  status: Status,
  { tally, ageDays, payments, verifiableFrom, refused, claimed }: TrustFacts,
): Component[] {
  const counted = tally.up + tally.failed
  const isDeclined = entry.declinesProbes === true
  const unprobed = isDeclined
    ? declinedReason(entry)
    : refused === undefined
      ? unprobedReason(entry.endpoint)
      : say('answers_with_refusal', { status: refused })
  const measured = (name: PointsName, share: number, reason: Message): Component =>
    counted === 0 ? component(name, null, unprobed) : component(name, share, reason)
  return [
    component(
      'verification',
      status === 'verified' ? 1 : 0,
      verificationReason(entry, status, verifiableFrom) ??
        (counted === 0 || refused !== undefined || isDeclined ? unprobed : say('not_as_registered')),
    ),
    measured('uptime', wilsonLowerBound(tally.up, counted), uptimeReason(tally)),
    measured(
      'stability',
      wilsonLowerBound(tally.asListed, counted + tally.mismatched * (MISMATCH_WEIGHT - 1)),
      stabilityReason(tally),
    ),
    measured('latency', (tally.fast + tally.fair / 2) / counted, latencyReason(tally)),
    component(
      'age',
      Math.min(ageDays / FULL_AGE_DAYS, 1),
      say('age', {
        since: entry.movedAt === undefined ? 'registration' : 'move',
        days: ageDays,
        fullDays: FULL_AGE_DAYS,
      }),
    ),
    claimed && (payments?.settlements ?? 0) === 0
      ? component(
          'payers',
          CLAIMED_SHARE * Math.min(claimed.payers / FULL_CLAIMED, 1),
          say('payers_claimed', claimed),
        )
      : component(
          'payers',
          payments === null ? null : payersShare(countPayers(payments)),
          payersReason(payments, entry.x402Config.network),
        ),
    component(
      'delivery',
      entry.delivery?.last ? deliveryShare(entry.delivery) : null,
      deliveryReason(entry.delivery),
    ),
  ]
}

export const scoreOf = (components: readonly Component[]): number =>
  components.reduce((sum, { points }) => sum + (points ?? 0), 0)

/** Payments on chain at present; the points change with the next probe. */
type SeenPayments = { readonly payers: number; readonly lastPaymentAt: string | null }

/** @param facts null if it was never judged */
export function toTrust(
  entry: Entry,
  facts: TrustFacts | null,
  { payers, lastPaymentAt }: SeenPayments = { payers: 0, lastPaymentAt: null },
): Trust {
  const { status, lastChecked: judgedAt } = entry.standing
  const components = componentsOf(entry, facts)
  return {
    id: entry.id,
    trustScore: scoreOf(components),
    level: levelOf(entry),
    status,
    judgedAt,
    components: components.map(({ reason, ...component }) => ({ ...component, ...toReason(reason) })),
    payers: facts?.payments == null && payers === 0 ? null : payers,
    lastPaymentAt,
    claims: claimsOf(entry),
  }
}

function claimsOf({ provenance: { sourceUrl, origin } }: Entry): Trust['claims'] {
  const { claim, droppedAt } = origin ?? {}
  if (sourceUrl === null || (!claim && droppedAt === undefined)) return []
  const { at = droppedAt!, calls = null, payers = null, lastCalledAt = null } = claim ?? {}
  return [{ source: sourceUrl, at, calls, payers, lastCalledAt, droppedAt: droppedAt ?? null }]
}

function componentsOf(entry: Entry, facts: TrustFacts | null): Component[] {
  const { status, trustScore: points } = entry.standing
  if (entry.sample) return [{ name: 'sample', points, most: 100, reason: say('sample') }]
  return weighTrust(entry, status, facts ?? NO_FACTS)
}

/** @param share null if it is not known */
const component = (name: PointsName, share: number | null, reason: Message): Component => ({
  name,
  points: share === null ? null : Math.round(TRUST_POINTS[name] * share),
  most: TRUST_POINTS[name],
  reason,
})

function verificationReason(
  { x402Config, retired, delivery }: Pick<Entry, 'x402Config' | 'retired' | 'delivery'>,
  status: Status,
  verifiableFrom: string | undefined,
): Message | undefined {
  if (retired !== null) return say('retired', { message: retired })
  const problem = addressProblem(x402Config.paymentAddress, x402Config.network)
  if (problem) return say('never_verifiable', { problem })
  if (status === 'verified') return say('verified')
  if (status === 'inactive') return say('failing')
  if (delivery && isFailing(delivery))
    return say('not_delivering', { count: delivery.failedInARow, seen: [] })
  return verifiableFrom === undefined ? undefined : say('verified_from', { at: verifiableFrom })
}

/** @returns why an endpoint without probes has none */
export const unprobedReason = (endpoint: string): Message =>
  say(isNeverProbed(endpoint) ? 'host_reserved' : 'not_probed')

function uptimeReason({ up, failed }: Tally): Message {
  return say('uptime', { answered: up, probes: up + failed })
}

function latencyReason({ up, failed, fast, fair }: Tally): Message {
  return say('speed', { probes: up + failed, fast, fastMs: FAST_MS, fair, fairSeconds: FAIR_MS / 1000 })
}

function payersReason(payments: PaymentFacts | null, network: string): Message {
  if (payments === null) return say('payers_unknown', { network: chainLabel(network) })
  const { settlements, payers, credited, inRing, tooSmall, largestShare } = payments
  if (!credited) return say('payers_uncredited', { settlements, payers })
  return say('payers', {
    payers,
    credited,
    ...divided(payments),
    fullPayers: FULL_PAYERS,
    inRing,
    tooSmall,
    largestPercent: isConcentrated(payments) ? Math.round(largestShare * 100) : 0,
  })
}

function stabilityReason({ up, failed, asListed, payable, mismatched }: Tally): Message {
  const otherPrice = payable - asListed
  return say('stability', {
    probes: up + failed,
    asListed,
    otherPrice,
    mismatched,
    mismatchWeight: MISMATCH_WEIGHT,
  })
}

// The level of a service, in one word: what must not be paid, what is proved, and by whom. Pure, from the stored entry alone.

/**
 * terms: its endpoint asks for another wallet or network, or for more than is listed.
 * delivery: it was paid and did not deliver, several times in a row.
 */
export type Danger = 'terms' | 'delivery'

/** What was seen of an inactive service is outdated. */
export function dangerOf({ standing, seen, pricing, x402Config, delivery }: Entry): Danger | undefined {
  if (standing.status === 'inactive') return undefined
  const ways = seen?.resources[0]?.ways
  if (ways && !comparePayee(ways, x402Config).address) return 'terms'
  if (seen?.asks && comparePrice(seen.asks, pricing) === 'higher') return 'terms'
  return isFailing(delivery) ? 'delivery' : undefined
}

const DELIVERED_MS = 30 * DAY_MS

/** As of the last judgement, so that the level is the same on every node and after every restart. */
export function levelOf(entry: Entry): Level {
  const { standing, delivery } = entry
  if (dangerOf(entry) !== undefined) return 'danger'
  if (standing.status !== 'verified') return 'listed'
  const deliveredMs = Date.parse(delivery?.deliveredAt ?? '')
  if (Date.parse(standing.lastChecked) - deliveredMs <= DELIVERED_MS) return 'delivers'
  return (standing.payers?.recent ?? 0) > 0 ? 'paid' : 'verified'
}

/** The weight of payers at which they give full points. */
const FULL_PAYERS = 50

/** The share of full points for payers, from 0 to 1. */
const payersShare = (payers: CountedPayers | undefined): number =>
  payers ? Math.min(Math.log1p(payers.weight) / Math.log1p(FULL_PAYERS), 1) : 0

/** What purchases prove at most, of a hundred. */
export const DELIVERY_PROOF = 60
/** What payers prove: all of it from `ESTABLISHED` on, because further wallets cost an attacker next to nothing. */
export const PAYERS_PROOF = 35

/**
 * Evidence that costs an attacker something, from 0 to 100: payers and purchases. Search weighs relevance by it. The trust score, most
 * of which anybody gets who keeps an endpoint running, only breaks ties there and orders results of a sentence without words.
 */
export function proofOf({ standing, delivery }: Pick<Entry, 'standing' | 'delivery'>): number {
  if (isMostlyUndelivered(delivery)) return 0
  const byPayers = Math.min((standing.payers?.weight ?? 0) / ESTABLISHED, 1)
  return Math.round(PAYERS_PROOF * byPayers + DELIVERY_PROOF * deliveryShare(delivery))
}
