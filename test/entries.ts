// Entries for tests: believable by default, any part replaceable.
import { createIdSource } from '../src/domain/ids.ts'
import { createEntry, type Entry, type ServiceDraft } from '../src/domain/listing/service.ts'
import { wilsonLowerBound } from '../src/domain/standing/delivery.ts'
import type { Standing } from '../src/domain/standing/standing.ts'
import { DELIVERY_PROOF, ESTABLISHED, PAYERS_PROOF } from '../src/domain/standing/trust.ts'

let newId = createIdSource()

/** After each test file (`test/leftovers.ts`): no id is earlier than the one before, and a file may have been in the future. */
export function forgetIds(): void {
  newId = createIdSource()
}

export const draft = (parts: Partial<ServiceDraft> = {}): ServiceDraft => ({
  name: 'Tokyo Weather',
  description: 'Seven-day forecast for every city in Japan',
  endpoint: 'https://weather.example/v1',
  category: 'weather',
  pricing: { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 0 },
  x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base' },
  ...parts,
})

/** Payers that prove as much as the trust score says, so that search ranks by it: at most `PAYERS_PROOF`. */
export const toPaid = (trustScore = 0, since?: string): Pick<Standing, 'payers'> =>
  trustScore > 0
    ? { payers: { weight: (ESTABLISHED * trustScore) / PAYERS_PROOF, recent: 0, ...(since && { since }) } }
    : {}

/** The entry with payers, and above what these can prove with purchases, that prove about as much as the trust score says. */
export function withProof({ delivery: _, ...entry }: Entry, trustScore: number, since?: string): Entry {
  const at = entry.createdAt
  const count = [1, 2, 3, 4, 6, 10, 20].findLast(
    each => trustScore >= PAYERS_PROOF + DELIVERY_PROOF * wilsonLowerBound(each, each),
  )
  const last = { id: 'pur', at, outcome: 'delivered' } as const
  return {
    ...entry,
    standing: { ...entry.standing, ...toPaid(trustScore, since) },
    ...(count !== undefined && {
      delivery: { purchases: count, delivered: count, failedInARow: 0, deliveredAt: at, last, told: [] },
    }),
  }
}

export function entry(
  parts: Partial<ServiceDraft> = {},
  rest: { now?: Date; standing?: Partial<Standing>; supportedChains?: readonly string[] } = {},
): Entry {
  const now = rest.now ?? new Date('2026-11-01T00:00:00Z')
  const created = createEntry(draft(parts), { id: newId(now), now })
  return {
    ...created,
    standing: { ...created.standing, ...toPaid(rest.standing?.trustScore), ...rest.standing },
    supportedChains: rest.supportedChains ?? created.supportedChains,
  }
}

/** An entry that is stored. */
export async function listed(
  store: { insert(entries: readonly Entry[]): Promise<unknown> },
  ...parts: Parameters<typeof entry>
): Promise<Entry> {
  const stored = entry(...parts)
  await store.insert([stored])
  return stored
}
