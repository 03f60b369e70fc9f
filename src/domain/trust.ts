// The published trust formula: what is known about a service becomes points, each with its reason. docs/trust.md explains it.
import { z } from 'zod'
import { type Message, say } from '../messages/message.ts'
import { addressProblem } from './addresses.ts'
import { EMPTY_TALLY, FAIR_MS, FAST_MS, type Tally } from './probes.ts'
import { type Entry, serviceSchema } from './service.ts'
import { STATUSES, type Status } from './standing.ts'
import { toldSchema, toTold } from './told.ts'

/** What the score was made of when it was last made; kept with the entry, so that the breakdown always adds up to it. */
export type TrustFacts = {
  readonly tally: Tally
  /** Whole days between the registration, or the last move, and the last answer that was as registered. */
  readonly ageDays: number
  /** Different wallets that paid on chain; null where no chain is read. */
  readonly payers: number | null
}

const NO_FACTS: TrustFacts = { tally: EMPTY_TALLY, ageDays: 0, payers: null }

export const TRUST_POINTS = {
  verification: 30,
  uptime: 25,
  stability: 15,
  latency: 10,
  age: 10,
  payers: 10,
} as const
type ComponentName = keyof typeof TRUST_POINTS | 'sample'

const FULL_AGE_DAYS = 90
const FULL_PAYERS = 100
/** One answer that pays somebody else weighs as much as this many at another price. */
const MISMATCH_WEIGHT = 10

export const trustSchema = z
  .object({
    id: z.string(),
    trustScore: serviceSchema.shape.trustScore.describe('The sum of the points, the same as on the service'),
    status: z.enum(STATUSES),
    judgedAt: z.string().meta({ format: 'date-time' }).describe('When the points were given'),
    components: z.array(
      z
        .object({
          name: z.enum([...(Object.keys(TRUST_POINTS) as (keyof typeof TRUST_POINTS)[]), 'sample']),
          points: z.int().min(0),
          most: z.int().min(0).describe('The most points that this component can give'),
          reason: z.string().describe('Why these points, and where it helps, how to get more'),
          ...toldSchema.shape,
        })
        .meta({ id: 'TrustComponent' }),
    ),
    payers: z.int().min(0).describe('Different wallets that have paid it on chain by now'),
    lastPaymentAt: z
      .string()
      .meta({ format: 'date-time' })
      .nullable()
      .describe('When the last payment was seen on chain; null where none was, or no chain is read'),
  })
  .meta({ id: 'Trust', title: 'Where the trust score of a service comes from' })
export type Trust = Readonly<z.output<typeof trustSchema>>
type Component = Omit<Trust['components'][number], 'reason' | 'code' | 'values'> & {
  readonly reason: Message
}

/**
 * The lower end of Wilson's 95 % interval for a share: a few good samples promise little, many promise nearly what they show.
 * It rises with every good sample and falls with every other one.
 */
export function surelyAtLeast(good: number, all: number): number {
  if (all === 0 || good === 0) return 0
  const z2 = 1.96 ** 2
  const share = good / all
  const spread = Math.sqrt((share * (1 - share) + z2 / (4 * all)) / all)
  return (share + z2 / (2 * all) - 1.96 * spread) / (1 + z2 / all)
}

export function weighTrust(
  entry: Pick<Entry, 'x402Config' | 'retired' | 'movedAt'>,
  status: Status,
  { tally, ageDays, payers }: TrustFacts,
): Component[] {
  const counted = tally.up + tally.failed
  return [
    component('verification', status === 'verified' ? 1 : 0, verificationReason(entry, status, tally)),
    component('uptime', surelyAtLeast(tally.up, counted), uptimeReason(tally)),
    component(
      'stability',
      surelyAtLeast(tally.asListed, counted + tally.mismatched * (MISMATCH_WEIGHT - 1)),
      stabilityReason(tally),
    ),
    component(
      'latency',
      counted === 0 ? 0 : (tally.fast + tally.fair / 2) / counted,
      counted === 0
        ? say('not_measured')
        : say('speed', {
            probes: counted,
            fast: tally.fast,
            fastMs: FAST_MS,
            fair: tally.fair,
            fairSeconds: FAIR_MS / 1000,
          }),
    ),
    component(
      'age',
      Math.min(ageDays / FULL_AGE_DAYS, 1),
      say(entry.movedAt === undefined ? 'age_since_registration' : 'age_since_move', {
        days: ageDays,
        fullDays: FULL_AGE_DAYS,
      }),
    ),
    component(
      'payers',
      payers === null ? 0 : Math.min(Math.log1p(payers) / Math.log1p(FULL_PAYERS), 1),
      payers === null ? say('payers_unknown') : say('payers', { payers, fullPayers: FULL_PAYERS }),
    ),
  ]
}

export const scoreOf = (components: readonly Component[]): number =>
  components.reduce((sum, { points }) => sum + points, 0)

/** What was seen on chain, as of now: the points wait for the next probe. */
export type SeenPayments = Pick<Trust, 'payers' | 'lastPaymentAt'>

const NO_PAYMENTS: SeenPayments = { payers: 0, lastPaymentAt: null }

/** @param facts null where it was never judged */
export function toTrust(
  entry: Entry,
  facts: TrustFacts | null,
  { payers, lastPaymentAt }: SeenPayments = NO_PAYMENTS,
): Trust {
  const { status, trustScore, lastChecked: judgedAt } = entry.standing
  const components: Component[] = entry.sample
    ? [{ name: 'sample', points: trustScore, most: 100, reason: say('sample') }]
    : weighTrust(entry, status, facts ?? NO_FACTS)
  return {
    id: entry.id,
    trustScore: scoreOf(components),
    status,
    judgedAt,
    components: components.map(({ reason, ...component }) => ({ ...component, ...toTold(reason) })),
    payers,
    lastPaymentAt,
  }
}

const component = (name: Exclude<ComponentName, 'sample'>, share: number, reason: Message): Component => ({
  name,
  points: Math.round(TRUST_POINTS[name] * share),
  most: TRUST_POINTS[name],
  reason,
})

function verificationReason(
  { x402Config, retired }: Pick<Entry, 'x402Config' | 'retired'>,
  status: Status,
  tally: Tally,
): Message {
  if (retired !== null) return say('retired')
  const problem = addressProblem(x402Config.paymentAddress, x402Config.network)
  if (problem) return say('never_verifiable', { problem })
  if (status === 'verified') return say('verified')
  if (status === 'inactive') return say('failing')
  return say(tally.up + tally.failed === 0 ? 'not_probed' : 'not_as_registered')
}

function uptimeReason({ up, failed }: Tally): Message {
  if (up + failed === 0) return say('not_probed')
  return say('uptime', { answered: up, probes: up + failed })
}

function stabilityReason({ up, failed, asListed, payable, mismatched }: Tally): Message {
  if (up + failed === 0) return say('not_probed')
  const otherPrice = payable - asListed
  return say('stability', {
    probes: up + failed,
    asListed,
    otherPrice,
    mismatched,
    mismatchWeight: MISMATCH_WEIGHT,
  })
}
