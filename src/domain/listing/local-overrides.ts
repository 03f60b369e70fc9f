// Local overrides: fields that were changed here about an entry of a source keep their value; the others follow the source.
import { isDeepStrictEqual } from 'node:util'
import { toDraft } from './edit.ts'
import type { Entry, Origin, ServiceDraft } from './service.ts'

/** An amount means nothing without its currency, and an address nothing without its network: they are overridden together. */
const PARTS = {
  name: ({ name }: ServiceDraft) => ({ name }),
  description: ({ description }: ServiceDraft) => ({ description }),
  endpoint: ({ endpoint }: ServiceDraft) => ({ endpoint }),
  category: ({ category }: ServiceDraft) => ({ category }),
  price: ({ pricing: { currency, pricePerRequest } }: ServiceDraft) => ({
    pricing: { currency, pricePerRequest },
  }),
  freeQuota: ({ pricing: { freeQuota } }: ServiceDraft) => ({ pricing: { freeQuota } }),
  x402Config: ({ x402Config }: ServiceDraft) => ({ x402Config }),
} satisfies Record<string, (draft: ServiceDraft) => unknown>
export type DraftPart = keyof typeof PARTS

const DRAFT_PARTS = Object.keys(PARTS) as DraftPart[]
/** Whether the service is retired; not part of a source's description, but a source can remove it. */
const SERVICE_PART = 'status'
export const OVERRIDABLE_PARTS = [...DRAFT_PARTS, SERVICE_PART] as const

const isSame = (part: DraftPart, a: ServiceDraft, b: ServiceDraft): boolean =>
  isDeepStrictEqual(PARTS[part](a), PARTS[part](b))

const isOverridden = ({ provenance: { origin } }: Pick<Entry, 'provenance'>, part: string): boolean =>
  origin?.held?.includes(part) ?? false

/** Returns whether it was retired or restored here. */
export const overridesStatus = (entry: Pick<Entry, 'provenance'>): boolean =>
  isOverridden(entry, SERVICE_PART)

/** The changed entry, with the changed parts recorded as overrides of its source. */
export function recordOverrides(before: Entry, after: Entry): Entry {
  const { origin } = after.provenance
  if (!origin) return after
  const overrides = OVERRIDABLE_PARTS.filter(
    part =>
      isOverridden(before, part) ||
      (part === SERVICE_PART
        ? before.retired !== after.retired
        : !isSame(part, toDraft(before), toDraft(after))),
  )
  return { ...after, provenance: { ...after.provenance, origin: withOverrides(origin, overrides) } }
}

/**
 * Applies the description of a source, except for overridden parts; an override ends where both sides agree.
 * @param kept further parts that stay as they are this time
 */
export function applyOverrides(
  entry: Entry,
  sourceDraft: ServiceDraft,
  kept: readonly DraftPart[] = [],
): { readonly draft: ServiceDraft; readonly overrides: readonly string[] } {
  const own = toDraft(entry)
  const overrides = OVERRIDABLE_PARTS.filter(
    part => isOverridden(entry, part) && (part === SERVICE_PART || !isSame(part, own, sourceDraft)),
  )
  let draft = sourceDraft
  for (const part of DRAFT_PARTS) {
    if (!overrides.includes(part) && !kept.includes(part)) continue
    const overridden: Partial<Pick<ServiceDraft, 'pricing'>> = PARTS[part](own) as never
    draft = { ...draft, ...overridden, pricing: { ...draft.pricing, ...overridden.pricing } }
  }
  return { draft, overrides }
}

export const withOverrides = ({ held: _, ...origin }: Origin, overrides: readonly string[]): Origin => ({
  ...origin,
  ...(overrides.length > 0 && { held: overrides }),
})
