// Probes for tests, and what stores and judges are told of them.
import type { Entry } from '../src/domain/listing/service.ts'
import { judge, type Measurement, type ProbeHistory } from '../src/domain/standing/judge.ts'
import { EMPTY_TALLY, type ProbeRecord, TALLY_FIELDS, type Tally } from '../src/domain/standing/standing.ts'
import type { PaymentFacts } from '../src/domain/standing/trust.ts'
import type { ScheduledJudgement, Store } from '../src/store/store.ts'

/** A good one, any part replaceable. */
export const probeOf = (serviceId: string, parts: Partial<ProbeRecord> = {}): ProbeRecord => ({
  serviceId,
  at: '2026-11-01T00:00:00.000Z',
  outcome: 'payable',
  httpStatus: 402,
  latencyMs: 20,
  priceSeen: null,
  asListed: true,
  reasons: [],
  ...parts,
})

/** What a judge says who leaves the entry as it is. */
export const unchanged = (entry: Entry, parts: Partial<ScheduledJudgement> = {}): ScheduledJudgement => ({
  entry,
  events: [],
  facts: { tally: EMPTY_TALLY, ageDays: 0, payments: null },
  finding: { payTo: null, price: null },
  dueAt: null,
  ...parts,
})

/** Records a probe with what a judge says of it, whatever the entry is by then. */
export const recordProbe = (
  { probes }: Pick<Store, 'probes'>,
  probe: ProbeRecord,
  judge: (entry: Entry, history: ProbeHistory) => ScheduledJudgement,
  holder?: string,
) => probes.record(probe.serviceId, entry => ({ probe, judge: history => judge(entry, history) }), holder)

/** Records a probe as the rounds do. */
export const recordJudged = (
  store: Pick<Store, 'probes'>,
  probe: ProbeRecord,
  { dueAt = null, ...measured }: Partial<Measurement> & { dueAt?: Date | null } = {},
) =>
  recordProbe(store, probe, (kept, history) => ({
    ...judge(kept, { probe, terms: undefined, ...measured }, history),
    dueAt,
  }))

/** The payments of which a judge of the service is told. */
export async function paymentsTold(
  store: Pick<Store, 'probes'>,
  serviceId: string,
  at: string,
): Promise<PaymentFacts | null> {
  let told: PaymentFacts | null = null
  await recordProbe(store, probeOf(serviceId, { at }), (kept, { payments }) => {
    told = payments
    return unchanged(kept)
  })
  return told
}

/** What several probes add up to. */
export const addTallies = (tallies: readonly Tally[]): Tally =>
  Object.fromEntries(
    TALLY_FIELDS.map(field => [field, tallies.reduce((sum, tally) => sum + tally[field], 0)]),
  ) as Tally
