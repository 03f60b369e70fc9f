// What is changed here about an entry that follows a source stays as it was set here; the rest goes on following.
import { isDeepStrictEqual } from 'node:util'
import { toDraft } from './edit.ts'
import type { Entry, Origin, ServiceDraft } from './service.ts'

/** An amount means nothing without its currency, nor an address without its network: they are held together. */
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
export const HELD_PARTS = [...DRAFT_PARTS, SERVICE_PART] as const

const isSame = (part: DraftPart, a: ServiceDraft, b: ServiceDraft): boolean =>
  isDeepStrictEqual(PARTS[part](a), PARTS[part](b))

const isHeld = ({ provenance: { origin } }: Entry, part: string): boolean =>
  origin?.held?.includes(part) ?? false

/** Asks whether it was retired or restored here. */
export const holdsStatus = (entry: Entry): boolean => isHeld(entry, SERVICE_PART)

/** The changed entry, with what was changed about it held against its source. */
export function holdChanges(before: Entry, after: Entry): Entry {
  const { origin } = after.provenance
  if (!origin) return after
  const held = HELD_PARTS.filter(
    part =>
      isHeld(before, part) ||
      (part === SERVICE_PART
        ? before.retired !== after.retired
        : !isSame(part, toDraft(before), toDraft(after))),
  )
  return { ...after, provenance: { ...after.provenance, origin: withHeld(origin, held) } }
}

/** What a source says about an entry, but for what is held; a part on which both agree is let go. */
export function yieldToHeld(
  entry: Entry,
  told: ServiceDraft,
): { readonly draft: ServiceDraft; readonly held: readonly string[] } {
  const own = toDraft(entry)
  const held = HELD_PARTS.filter(
    part => isHeld(entry, part) && (part === SERVICE_PART || !isSame(part, own, told)),
  )
  let draft = told
  for (const part of DRAFT_PARTS) {
    if (!held.includes(part)) continue
    const kept: Partial<Pick<ServiceDraft, 'pricing'>> = PARTS[part](own) as never
    draft = { ...draft, ...kept, pricing: { ...draft.pricing, ...kept.pricing } }
  }
  return { draft, held }
}

export const withHeld = ({ held: _, ...origin }: Origin, held: readonly string[]): Origin => ({
  ...origin,
  ...(held.length > 0 && { held }),
})
