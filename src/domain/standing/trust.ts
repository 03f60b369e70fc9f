// The trust score: facts about payers, the components, and the breakdown that the API shows.

import { z } from 'zod'
import { type Message, say, together } from '../../messages/message.ts'
import { addressProblem } from '../chains/addresses.ts'
import { isNeverProbed } from '../hosts/endpoint.ts'
import { type Entry, serviceSchema } from '../listing/service.ts'
import { CURRENCY_FAMILIES, currencyKey } from '../money/money.ts'
import { messageFieldsSchema, toReason } from '../problems.ts'
import { deliveryReason, deliveryShare, isFailing, wilsonLowerBound } from './delivery.ts'
import { EMPTY_TALLY, FAIR_MS, FAST_MS, STATUSES, type Status, type Tally } from './standing.ts'

export type PaymentFacts = {
  /** Settlements that count for it. */
  readonly settlements: number
  /** Distinct wallets that paid it. */
  readonly payers: number
  /** Whether its wallet has claimed it by a signature; without a claim, payers do not count. */
  readonly isClaimed: boolean
  /** Payers that got money back from the payee, directly or along settlements: a ring of wallets that pay each other. */
  readonly inRing: number
  /** Other payers whose payments are too small in total to count as a customer. */
  readonly tooSmall: number
  /** The remaining payers. */
  readonly unrelated: number
  /** The largest share of one remaining payer in the volume of all of them, from 0 to 1. */
  readonly largestShare: number
}

/** A payer with more than this share of the volume does not count. */
const MAX_SHARE = 0.5

/** Number of transfers over which money is followed from the payee back to a payer. */
export const RING_HOPS = 3

const isConcentrated = ({ unrelated, largestShare }: PaymentFacts): boolean =>
  unrelated > 0 && largestShare > MAX_SHARE

/** The number of payers that earn points. */
function countedPayers(facts: PaymentFacts): number {
  if (!facts.isClaimed) return 0
  return facts.unrelated - (isConcentrated(facts) ? 1 : 0)
}

/** In dollars, euros or any other currency, and in yen. */
const MIN_SPENT = 0.01
const MIN_SPENT_YEN = 1

/** The minimum total of a wallet to count as a payer. The listed price is no bound, because a provider can set it arbitrarily low. */
export const minSpent = (currency: string): number =>
  (CURRENCY_FAMILIES.yen as readonly string[]).includes(currencyKey(currency)) ? MIN_SPENT_YEN : MIN_SPENT

// The published trust formula: facts about a service earn points, each with a reason. docs/trust.md explains it.

/** The facts of the last judgement; stored with the entry, so that the breakdown always adds up to the score. */
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
  /** The version of the formula; a score of another version remains until the next probe. */
  readonly formula: typeof TRUST_FORMULA
}

/** Incremented when the formula changes. */
export const TRUST_FORMULA = 2

const NO_FACTS: TrustFacts = { tally: EMPTY_TALLY, ageDays: 0, payments: null, formula: TRUST_FORMULA }

/** They add up to 100. Delivery, which only a purchase can prove, has the most points. */
export const TRUST_POINTS = {
  verification: 4,
  uptime: 14,
  stability: 10,
  latency: 6,
  age: 6,
  payers: 20,
  delivery: 40,
} as const
type PointsName = keyof typeof TRUST_POINTS
const OTHER_COMPONENTS = ['sample', 'earlier'] as const
type ComponentName = PointsName | (typeof OTHER_COMPONENTS)[number]

const FULL_AGE_DAYS = 90
const FULL_PAYERS = 200
/** The share of points that cost an attacker nothing which counts without unrelated payers, and the number of payers at which all count. */
const UNPAID_SHARE = 1 / 6
const PROVING_PAYERS = 20
/** A response with another payee weighs as much as this many with another price. */
const MISMATCH_WEIGHT = 10

export const trustSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    trustScore: serviceSchema.shape.trustScore.describe('Sum of the points, the same as on the service'),
    status: z.enum(STATUSES).describe('verified: it asks to be paid as listed'),
    judgedAt: z.string().meta({ format: 'date-time' }).describe('When the points were computed'),
    components: z
      .array(
        z
          .object({
            name: z
              .enum([...(Object.keys(TRUST_POINTS) as PointsName[]), ...OTHER_COMPONENTS])
              .describe('What is scored'),
            points: z.int().min(0).describe('Points for it'),
            most: z.int().min(0).describe('Maximum points of this component'),
            reason: z.string().describe('Why these points, and where possible how to get more'),
            ...messageFieldsSchema.shape,
          })
          .meta({ id: 'TrustComponent', title: 'A part of the trust score' }),
      )
      .describe('What the score is made of'),
    payers: z.int().min(0).describe('Distinct wallets that have settled a payment to it on chain'),
    lastPaymentAt: z
      .string()
      .meta({ format: 'date-time' })
      .nullable()
      .describe('When the last settlement was seen on chain; null if none was, or no chain is read'),
  })
  .meta({ id: 'Trust', title: 'Components of the trust score of a service' })
export type Trust = Readonly<z.output<typeof trustSchema>>
type Component = Omit<Trust['components'][number], 'reason' | 'code' | 'values'> & {
  readonly reason: Message
}

export function weighTrust(
  entry: Pick<Entry, 'endpoint' | 'x402Config' | 'retired' | 'movedAt' | 'delivery'>,
  status: Status,
  { tally, ageDays, payments, verifiableFrom, refused }: TrustFacts,
): Component[] {
  const counted = tally.up + tally.failed
  const payers = payments === null ? 0 : countedPayers(payments)
  const proven = provenShare(payers)
  const unprobed =
    refused === undefined ? unprobedReason(entry.endpoint) : say('answers_with_refusal', { status: refused })
  // Keeping an endpoint up costs nothing: its results count in full only once others have paid for it.
  const unproved = (
    name: Exclude<PointsName, 'payers' | 'verification' | 'delivery'>,
    share: number,
    reason: Message,
  ): Component =>
    component(
      name,
      share * proven,
      share > 0 && proven < 1 ? together([reason, partReason(payments, proven)]) : reason,
    )
  return [
    component(
      'verification',
      status === 'verified' ? 1 : 0,
      verificationReason(entry, status, verifiableFrom) ??
        (counted === 0 || refused !== undefined ? unprobed : say('not_as_registered')),
    ),
    unproved('uptime', wilsonLowerBound(tally.up, counted), counted === 0 ? unprobed : uptimeReason(tally)),
    unproved(
      'stability',
      wilsonLowerBound(tally.asListed, counted + tally.mismatched * (MISMATCH_WEIGHT - 1)),
      counted === 0 ? unprobed : stabilityReason(tally),
    ),
    unproved('latency', counted === 0 ? 0 : (tally.fast + tally.fair / 2) / counted, latencyReason(tally)),
    unproved(
      'age',
      Math.min(ageDays / FULL_AGE_DAYS, 1),
      say(entry.movedAt === undefined ? 'age_since_registration' : 'age_since_move', {
        days: ageDays,
        fullDays: FULL_AGE_DAYS,
      }),
    ),
    component('payers', logShare(payers, FULL_PAYERS), payersReason(payments)),
    component('delivery', deliveryShare(entry.delivery), deliveryReason(entry.delivery)),
  ]
}

const logShare = (count: number, full: number): number => Math.min(Math.log1p(count) / Math.log1p(full), 1)

const provenShare = (payers: number): number =>
  UNPAID_SHARE + (1 - UNPAID_SHARE) * logShare(payers, PROVING_PAYERS)

/** Why only a share of the points is given. Payers that are not counted are no way to the rest. */
function partReason(payments: PaymentFacts | null, proven: number): Message {
  const percent = Math.round(proven * 100)
  return payments === null
    ? say('counts_in_part_unread', { percent })
    : say('counts_in_part', { percent, provingPayers: PROVING_PAYERS })
}

export const scoreOf = (components: readonly Component[]): number =>
  components.reduce((sum, { points }) => sum + points, 0)

/** Payments on chain at present; the points change with the next probe. */
type SeenPayments = Pick<Trust, 'payers' | 'lastPaymentAt'>

const NO_PAYMENTS: SeenPayments = { payers: 0, lastPaymentAt: null }

/** @param facts null if it was never judged */
export function toTrust(
  entry: Entry,
  facts: TrustFacts | null,
  { payers, lastPaymentAt }: SeenPayments = NO_PAYMENTS,
): Trust {
  const { status, lastChecked: judgedAt } = entry.standing
  const components = componentsOf(entry, facts)
  return {
    id: entry.id,
    trustScore: scoreOf(components),
    status,
    judgedAt,
    components: components.map(({ reason, ...component }) => ({ ...component, ...toReason(reason) })),
    payers,
    lastPaymentAt,
  }
}

function componentsOf(entry: Entry, facts: TrustFacts | null): Component[] {
  const { status, trustScore: points } = entry.standing
  const whole = (name: ComponentName, reason: Message) => [{ name, points, most: 100, reason }]
  if (entry.sample) return whole('sample', say('sample'))
  if (facts !== null && facts.formula !== TRUST_FORMULA) return whole('earlier', say('earlier_formula'))
  return weighTrust(entry, status, facts ?? NO_FACTS)
}

const component = (name: PointsName, share: number, reason: Message): Component => ({
  name,
  points: Math.round(TRUST_POINTS[name] * share),
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
  const probes = up + failed
  if (probes === 0) return say('not_measured')
  return say('speed', { probes, fast, fastMs: FAST_MS, fair, fairSeconds: FAIR_MS / 1000 })
}

function payersReason(payments: PaymentFacts | null): Message {
  if (payments === null) return say('payers_unknown')
  const { settlements, payers, isClaimed, inRing, tooSmall, largestShare } = payments
  if (!isClaimed) return say('payers_unclaimed', { settlements, payers })
  return say('payers', {
    counted: countedPayers(payments),
    payers,
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
