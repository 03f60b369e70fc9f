// What the directory itself measures of a service: its standing, its probes, its response times.
import { z } from 'zod'
import type { Message } from '../../messages/message.ts'
import { count, dateTime } from '../problems.ts'

export const STATUSES = ['verified', 'unverified', 'inactive'] as const
export type Status = (typeof STATUSES)[number]

/** What is proved about a service, in the word that people and agents decide by; each level includes those before, from `listed` on. */
export const LEVELS = ['danger', 'listed', 'verified', 'paid', 'delivers'] as const
export type Level = (typeof LEVELS)[number]

/** The levels whose filter a service of this level passes. */
export const levelsUpTo = (level: Level): readonly Level[] =>
  level === 'danger' ? [level] : LEVELS.slice(1, LEVELS.indexOf(level) + 1)

export const levelSchema = z
  .enum(LEVELS)
  .describe('What is proved, from nothing (listed) to deliveries; danger: must not be paid')

/** Wallets that paid a service, as far as they count as customers. */
export type CountedPayers = {
  /** An established wallet counts as one, a newcomer as a tenth. */
  readonly weight: number
  /** How many of them paid within the 90 days before the judgement. */
  readonly recent: number
  /** When the first of the established ones first paid it, ISO 8601 UTC; absent while none is established. */
  readonly since?: string
}

export type Standing = {
  readonly status: Status
  /** Whole number, 0–100. */
  readonly trustScore: number
  /** Percentage of good probes, 0–100 with two decimals; 0 before the first. */
  readonly uptimeScore: number
  /** Time of the newest probe; before the first, of the registration. ISO 8601 UTC. */
  readonly lastChecked: string
  readonly txCount: number
  /** Exact decimal in units of the currency. */
  readonly totalRevenue: string
  /** At the last judgement; absent if there were none, or if its chain is not read. */
  readonly payers?: CountedPayers
}

export const initialStanding = (at: string): Standing => ({
  status: 'unverified',
  trustScore: 0,
  uptimeScore: 0,
  lastChecked: at,
  txCount: 0,
  totalRevenue: '0',
})

// The record of a probe, and sums over many of them.

export const PROBE_OUTCOMES = ['payable', 'mismatched', 'unpayable', 'unreachable', 'refused'] as const
export type ProbeOutcome = (typeof PROBE_OUTCOMES)[number]

export const probeSchema = z.object({
  at: dateTime.describe('When the endpoint was probed'),
  outcome: z.enum(PROBE_OUTCOMES).describe('What the probe found'),
  httpStatus: z.int().nullable().describe('null if there was no response'),
  latencyMs: z.number().nullable().describe('Milliseconds until the response; null: there was none'),
  priceSeen: z.string().nullable().describe('Requested price per request, if the asset is known'),
  asListed: z
    .boolean()
    .describe(
      'Whether it requested exactly the listed price to the registered address; false at a lower price too, which is payable all the same',
    ),
})
export type ProbeRecord = Readonly<z.output<typeof probeSchema>> & {
  readonly serviceId: string
  readonly reasons: readonly Message[]
}

/** A refusal (401, 403, 429) proves nothing, so it counts neither way. */
export const isCounted = ({ outcome }: Pick<ProbeRecord, 'outcome'>): boolean => outcome !== 'refused'

/** No response, or a response without terms that the service is gone (410) or broken (5xx). */
export const isFailed = ({ outcome, httpStatus }: Pick<ProbeRecord, 'outcome' | 'httpStatus'>): boolean =>
  outcome === 'unreachable' ||
  (outcome === 'unpayable' && httpStatus !== null && (httpStatus === 410 || httpStatus >= 500))

/** A response within `FAST_MS` counts fully for speed, one within `FAIR_MS` by half. */
export const FAST_MS = 500
export const FAIR_MS = 2_000

/** Sums over probes. Everything that is judged over a long time is judged by sums, so that stored days can replace their probes. */
export const tallySchema = z.object({
  up: count.describe('Probes with a response'),
  failed: count.describe('Probes that failed: no response, 410, or 5xx without terms'),
  refused: count.describe('Probes that were refused (401, 403, 429); they count neither way'),
  payable: count.describe('Responses that requested the listed payment, or less'),
  mismatched: count.describe(
    'Responses that requested payment to another address or network, or more than listed',
  ),
  asListed: count.describe('Payable responses at exactly the listed price, not below it'),
  fast: count.describe(`Responses within ${FAST_MS} ms`),
  fair: count.describe(`Responses within ${FAIR_MS} ms but not within ${FAST_MS} ms`),
  latencyTotalMs: count.describe('Sum of the response times'),
})
export type Tally = Readonly<z.output<typeof tallySchema>>

export const TALLY_FIELDS = Object.keys(tallySchema.shape) as (keyof Tally)[]

/** The probes of one day (UTC). */
export type ProbeDay = Tally & {
  /** Like 2026-11-01. */
  readonly day: string
}

export const EMPTY_TALLY = Object.fromEntries(TALLY_FIELDS.map(field => [field, 0])) as Tally

export function toTally(probe: ProbeRecord): Tally {
  if (!isCounted(probe)) return { ...EMPTY_TALLY, refused: 1 }
  if (isFailed(probe)) return { ...EMPTY_TALLY, failed: 1 }
  const { outcome, latencyMs, asListed } = probe
  const isPayable = outcome === 'payable'
  const isFast = latencyMs !== null && latencyMs <= FAST_MS
  const isFair = latencyMs !== null && latencyMs <= FAIR_MS
  return {
    ...EMPTY_TALLY,
    up: 1,
    payable: isPayable ? 1 : 0,
    mismatched: outcome === 'mismatched' ? 1 : 0,
    asListed: isPayable && asListed ? 1 : 0,
    fast: isFast ? 1 : 0,
    fair: isFair && !isFast ? 1 : 0,
    latencyTotalMs: Math.round(latencyMs ?? 0),
  }
}

/** Services that wait for a probe are counted up to this number. */
export const MAX_DUE = 10_000

/** The state of probing, over all processes on the store. */
export const probingStateSchema = z
  .object({
    by: z
      .enum(['this', 'another', 'nobody'])
      .describe('The process that probes: this one, another on the same store, or none at present'),
    due: count
      .max(MAX_DUE)
      .describe(
        `Services that wait for a probe, as the process that probes counts them every few seconds, up to ${MAX_DUE}; with "nobody" they are not counted, and with the state "degraded" the number is out of date`,
      ),
    lastHour: z
      .object({
        payable: count.describe('Probes that found the listed terms'),
        mismatched: count.describe('Probes that found other terms'),
        unpayable: count.describe('Probes that found no readable terms'),
        unreachable: count.describe('Probes without a response'),
        refused: count.describe('Probes that were refused'),
      } satisfies Record<ProbeOutcome, typeof count>)
      .describe('Scheduled probes of the last hour, by outcome; probes on request are not included'),
    lastProbeAt: z.iso.datetime().nullable().describe('Time of the last stored probe; null before the first'),
  })
  .meta({ id: 'Probing', title: 'State of probing' })
export type ProbingState = Readonly<z.output<typeof probingStateSchema>>
export type ProbeCounts = Readonly<Record<ProbeOutcome, number>>

export const createProbeCounts = (): Record<ProbeOutcome, number> =>
  Object.fromEntries(PROBE_OUTCOMES.map(outcome => [outcome, 0])) as Record<ProbeOutcome, number>

/** Probe counters, for metrics of the process. */
export type ProbeMeter = {
  /** Probes of this process since its start, by outcome. */
  readonly outcomes: ProbeCounts
  state(): ProbingState
}

/** Number of newest responses of which the median is a service's latency: about two days of probes. */
export const LATENCY_ANSWERS = 50

/** Above every timeout of a probe. */
export const MAX_LATENCY_MS = 60_000

/** Rounded to two digits, so that entries do not change their order with every probe. */
export const toOrderedLatency = (medianMs: number): number =>
  Math.min(Math.max(1, Number(medianMs.toPrecision(2))), MAX_LATENCY_MS)

/** In milliseconds; undefined if there was no response. @param latencies newest first; null if there was no response */
export function medianLatency(latencies: readonly (number | null)[]): number | undefined {
  const sorted = latencies
    .filter(each => each !== null)
    .slice(0, LATENCY_ANSWERS)
    .sort((a, b) => a - b)
  return sorted.length === 0 ? undefined : Math.round(sorted[Math.ceil(sorted.length / 2) - 1]!)
}

/** Why payments to the payee count for an entry, strongest first. */
export const CREDIT_GROUNDS = ['claim', 'facilitator', 'domain'] as const
export type CreditGround = (typeof CREDIT_GROUNDS)[number]
