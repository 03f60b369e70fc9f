// The nouns of the product: what a provider hands in (draft), what we keep (Entry), what we show (Service).
import { z } from 'zod'
import { CATEGORY_ID, CATEGORY_ID_SCHEMA, isCategoryId } from './categories.ts'
import type { Delivery } from './delivery.ts'
import { endpointSchema } from './endpoint.ts'
import { DECIMAL } from './money.ts'
import { expecting } from './problems.ts'
import { initialStanding, STATUSES, type Standing } from './standing.ts'
import type { Seen } from './terms.ts'
import { prose, visible } from './text.ts'
import type { Wording } from './wording.ts'

const pricePerRequest = z
  .string({ error: expecting('price_not_text') })
  .regex(DECIMAL, expecting('price_malformed'))
  .describe('Decimal amount as a string, kept and returned exactly as given')
const currency = visible(32, 'currency_code', { spaced: true }).describe('Currency code, like USDC')
const freeQuota = z
  .int({ error: expecting('count_expected') })
  .min(0, expecting('count_expected'))
  .describe('Free requests before payment is asked for')

const x402Config = z
  .object(
    {
      paymentAddress: visible(128, 'wallet_address').describe('Wallet that receives the payments'),
      network: visible(64, 'network_name', { spaced: true }).describe(
        'Blockchain network: a name, alias or CAIP-2 id, like base or eip155:8453',
      ),
    },
    { error: expecting('not_payment_object') },
  )
  .meta({ id: 'X402Config' })

const NO_CATEGORY = expecting('category_malformed')

const about = {
  name: prose(255, { lines: false }).describe('What the service is called'),
  description: prose(2000, { lines: true }).describe('What the service does, in any language'),
  endpoint: endpointSchema.describe('Base URL of the API'),
  category: z
    .string({ error: expecting('category_expected') })
    .overwrite(id => id.trim())
    .regex(CATEGORY_ID, NO_CATEGORY)
    .refine(isCategoryId, { error: NO_CATEGORY, abort: true })
    .meta(CATEGORY_ID_SCHEMA)
    .describe('Category id; GET /api/categories lists those in use'),
}

export const draftSchema = z
  .object(
    {
      ...about,
      pricing: z.object(
        { currency, pricePerRequest, freeQuota: freeQuota.nullish().transform(quota => quota ?? 0) },
        { error: expecting('not_pricing_object') },
      ),
      x402Config,
    },
    { error: expecting('not_json_object') },
  )
  .meta({ id: 'ServiceDraft', title: 'What a provider sends to register a service' })
export type ServiceDraft = z.output<typeof draftSchema>

const timestamp = z.string().meta({ format: 'date-time' })
export const serviceSchema = z
  .object({
    id: z.string().describe('Assigned by the directory; ids sort by age'),
    ...about,
    pricing: z.object({ currency, pricePerRequest, freeQuota }),
    x402Config,
    trustScore: z.int().min(0).max(100),
    status: z.enum(STATUSES),
    supportedChains: z
      .array(z.string())
      .describe('The registered network first, then every further chain seen'),
    createdAt: timestamp,
    updatedAt: timestamp.describe('Moves only when this object changes'),
  })
  .meta({ id: 'Service', title: 'A registered service' })
export type Service = Readonly<z.output<typeof serviceSchema>>

/** Where an entry came from. */
export type Provenance = {
  readonly source: 'registered' | 'imported' | 'sample'
  readonly sourceUrl: string | null
  readonly firstSeen: string
  /** What it is at its source; absent where nothing follows that source. */
  readonly origin?: Origin
  /** Sources that say they are at home with this id too; absent where none does. */
  readonly contestedBy?: readonly string[]
}

/** What an entry that follows a source is there. */
export type Origin = {
  /** Tells it from all others of the source. */
  readonly key: string
  /** The source's own number of the change that is reflected here; 0 where it has none. */
  readonly seq: number
  /** The source speaks for it itself; absent where it has it from elsewhere, or cannot say. */
  readonly home?: true
  /** Where it is at home, as the source tells that has it from elsewhere; absent where it does not say. */
  readonly homeUrl?: string
  /** Its id there, where it has another. */
  readonly homeKey?: string
  /** Paths of what was changed here, which the source changes no more; absent where nothing was. */
  readonly held?: readonly string[]
}

/** What we keep: the public object, its standing, and what is told in sub-resources or not at all. */
export type Entry = ServiceDraft & {
  readonly id: string
  readonly supportedChains: readonly string[]
  readonly standing: Standing
  readonly createdAt: string
  readonly updatedAt: string
  /** When it came to the endpoint, address and network that it has; absent: with its registration. Nothing older counts. */
  readonly movedAt?: string
  /** Absent where its words are as old as it is where it is. */
  readonly worded?: Wording
  /** The id of the API key that registered it; null where nobody did (sample, import). */
  readonly owner: string | null
  readonly provenance: Provenance
  /** Sample entries are never probed. */
  readonly sample: boolean
  /** The owner's message when the owner took it out of service; null while it is offered. */
  readonly retired: string | null
  /** What its endpoint was last seen asking for; absent before the first readable answer where it is now. */
  readonly seen?: Seen
  /** Milliseconds within which half of its newest answers came, as `toOrderedLatency` rounds them; absent before the first. */
  readonly latencyMs?: number
  /** What purchases have shown; absent where it was never bought where it is now. */
  readonly delivery?: Delivery
  /** Absent unless the domain that it is on speaks for it. */
  readonly proof?: DomainProof
  /** Absent unless an operator hid it: then it is in no read, and its detail says why. */
  readonly hidden?: Hidden
}

/** That whoever runs the domain of the endpoint names the entry, or the wallet that it pays. */
export type DomainProof = {
  /** Since when it is known. */
  readonly at: string
  readonly by: 'well_known' | 'dns'
  readonly names: 'wallet' | 'id'
  /** How often in a row it was not found any more; absent where it was. */
  readonly misses?: number
}

/** When an operator took an entry out of sight, and why. */
export type Hidden = { readonly at: string; readonly why: string }

export function createEntry(
  draft: ServiceDraft,
  {
    id,
    now,
    owner = null,
    source = 'registered',
  }: { id: string; now: Date; owner?: string | null; source?: Provenance['source'] },
): Entry {
  const at = now.toISOString()
  return {
    ...draft,
    id,
    supportedChains: [draft.x402Config.network],
    standing: initialStanding(at),
    createdAt: at,
    updatedAt: at,
    owner,
    provenance: { source, sourceUrl: null, firstSeen: at },
    sample: source === 'sample',
    retired: null,
  }
}

/** What was measured before a change can be judged after it, and clocks are set back: a time that is told never goes back. */
export const laterOf = (told: string, at: Date | string): string => {
  const next = typeof at === 'string' ? at : at.toISOString()
  return next > told ? next : told
}
