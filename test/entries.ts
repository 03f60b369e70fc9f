// Entries for tests: believable by default, any part replaceable.
import { createIdSource } from '../src/domain/ids.ts'
import { createEntry, type Entry, type ServiceDraft } from '../src/domain/listing/service.ts'
import type { Standing } from '../src/domain/standing/standing.ts'

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

/** Payers that prove as much as the trust score says, so that search ranks by it: proof is at most 60 by payers alone. */
export const toPaid = (trustScore = 0): Pick<Standing, 'payers'> =>
  trustScore > 0 ? { payers: { weight: 51 ** Math.min(trustScore / 60, 1) - 1, recent: 0 } } : {}

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
