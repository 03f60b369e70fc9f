// What is changed here about an entry that follows a source stays as it was set here; the rest goes on following.
import { isDeepStrictEqual } from 'node:util'
import { toDraft } from './edit.ts'
import type { Entry, Origin, ServiceDraft } from './service.ts'

/** An amount means nothing without its currency, nor an address without its network: they are overridden together. */
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
type DraftPart = keyof typeof PARTS

const DRAFT_PARTS = Object.keys(PARTS) as DraftPart[]
/** Whether it is in service; no part of what a source describes, but a source can end it. */
const SERVICE_PART = 'status'
export const OVERRIDABLE_PARTS = [...DRAFT_PARTS, SERVICE_PART] as const

const isSame = (part: DraftPart, a: ServiceDraft, b: ServiceDraft): boolean =>
  isDeepStrictEqual(PARTS[part](a), PARTS[part](b))

const isOverridden = ({ provenance: { origin } }: Pick<Entry, 'provenance'>, part: string): boolean =>
  origin?.held?.includes(part) ?? false

/** Returns whether it was retired or restored here. */
export const overridesStatus = (entry: Pick<Entry, 'provenance'>): boolean =>
  isOverridden(entry, SERVICE_PART)

/** The changed entry, with what was changed about it recorded as an override of its source. */
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

/** What a source says about an entry, but for what is overridden here; an override on which both agree ends. */
export function applyOverrides(
  entry: Entry,
  told: ServiceDraft,
): { readonly draft: ServiceDraft; readonly overrides: readonly string[] } {
  const own = toDraft(entry)
  const overrides = OVERRIDABLE_PARTS.filter(
    part => isOverridden(entry, part) && (part === SERVICE_PART || !isSame(part, own, told)),
  )
  let draft = told
  for (const part of DRAFT_PARTS) {
    if (!overrides.includes(part)) continue
    const kept: Partial<Pick<ServiceDraft, 'pricing'>> = PARTS[part](own) as never
    draft = { ...draft, ...kept, pricing: { ...draft.pricing, ...kept.pricing } }
  }
  return { draft, overrides }
}

export const withOverrides = ({ held: _, ...origin }: Origin, overrides: readonly string[]): Origin => ({
  ...origin,
  ...(overrides.length > 0 && { held: overrides }),
})
