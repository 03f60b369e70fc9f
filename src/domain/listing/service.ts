// The nouns of the product: what a provider sends (draft), what we store (Entry), what we show (Service).
import { z } from 'zod'
import { tellInEnglish } from '../../messages/message.ts'
import { addressProblem } from '../chains/addresses.ts'
import { invalid, type Problem, toProblem } from '../errors.ts'
import { endpointSchema, privateEndpointProblem } from '../hosts/endpoint.ts'
import { forEachLanguage, LANGUAGES } from '../languages/languages.ts'
import { DECIMAL } from '../money/money.ts'
import { dateTime, expecting, fieldsOf, ignoredFields, toProblems } from '../problems.ts'
import type { Delivery } from '../standing/delivery.ts'
import { initialStanding, STATUSES, type Standing } from '../standing/standing.ts'
import type { Seen } from '../terms/terms.ts'
import { prose, visible, type Wording } from '../text/text.ts'
import { CATEGORY_ID, CATEGORY_ID_SCHEMA, categoryLabels, isCategoryId } from './categories.ts'

const pricePerRequest = z
  .string({ error: expecting('price_malformed') })
  .regex(DECIMAL, expecting('price_malformed'))
  .describe('Decimal amount as a string, stored and returned exactly as given')
const currency = visible(32, 'currency_code', { spaced: true }).describe('Currency code, like USDC')
const freeQuota = z
  .int({ error: expecting('whole_number_expected', { min: 0 }) })
  .min(0, expecting('whole_number_expected', { min: 0 }))
  .describe('Free requests before payment is required')

const x402Config = z
  .object(
    {
      paymentAddress: visible(128, 'wallet_address').describe('Wallet that receives the payments'),
      network: visible(64, 'network_name', { spaced: true }).describe(
        'Blockchain network: a name, alias or CAIP-2 id, like base or eip155:8453',
      ),
    },
    { error: expecting('object_expected', { fields: ['paymentAddress', 'network'] }) },
  )
  .meta({ id: 'X402Config', title: 'Where a service is paid' })

const CATEGORY = expecting('category_expected')

const about = {
  name: prose(255, { lines: false }).describe('Name of the service'),
  description: prose(2000, { lines: true }).describe('What the service does, in any language'),
  endpoint: endpointSchema.describe('The full URL that is called and paid'),
  category: z
    .string({ error: CATEGORY })
    .overwrite(id => id.trim())
    .regex(CATEGORY_ID, CATEGORY)
    .refine(isCategoryId, { error: CATEGORY, abort: true })
    .meta(CATEGORY_ID_SCHEMA)
    .describe('Category id; GET /api/categories lists those in use'),
}

export const draftSchema = z
  .object({
    ...about,
    pricing: z
      .object(
        {
          currency,
          pricePerRequest,
          freeQuota: freeQuota
            .nullish()
            .transform(quota => quota ?? 0)
            .describe('Requests before payment is required; default: 0'),
        },
        { error: expecting('object_expected', { fields: ['currency', 'pricePerRequest'] }) },
      )
      .describe('Price of a request'),
    x402Config: x402Config.describe('Where and on which network it is paid'),
  })
  .meta({ id: 'ServiceDraft', title: 'A registration' })
export type ServiceDraft = z.output<typeof draftSchema>

export const serviceSchema = z
  .object({
    id: z.string().describe('Assigned by the directory; ids sort by age'),
    ...about,
    pricing: z.object({ currency, pricePerRequest, freeQuota }).describe('Price of a request'),
    x402Config: x402Config.describe('Where and on which network it is paid'),
    trustScore: z.int().min(0).max(100).describe('Trust, 0 to 100'),
    status: z.enum(STATUSES).describe('verified: it asks to be paid as listed'),
    supportedChains: z
      .array(z.string())
      .describe('The registered network first, then every further chain seen'),
    createdAt: dateTime.describe('When it was registered'),
    updatedAt: dateTime.describe('Changes only when this object changes'),
  })
  .meta({ id: 'Service', title: 'A registered service' })
export type Service = Readonly<z.output<typeof serviceSchema>>

/** Where an entry came from. */
type Provenance = {
  readonly source: 'registered' | 'imported' | 'sample'
  readonly sourceUrl: string | null
  readonly firstSeen: string
  /** Its record at the source; absent if the source is not followed. */
  readonly origin?: Origin
}

/** What a list publishes about the use of a service within 30 days, by its own count. */
export type SourceClaim = {
  /** When it was read: ISO 8601 UTC. */
  readonly at: string
  readonly calls: number | null
  readonly payers: number | null
  readonly lastCalledAt: string | null
}

/** The record of a followed entry at its source. */
export type Origin = {
  /** Its key at the source. */
  readonly key: string
  /** The source's own number of the last change applied here; 0 if it has none. */
  readonly seq: number
  /** Set if the source is another directory. */
  readonly home?: true
  /** A paid resource that the list names below the endpoint: the endpoint of a merged service is a folder, which may answer nothing. */
  readonly resource?: string
  readonly claim?: SourceClaim
  /** Since when the list that it came from has it no more. Lists drop what nobody paid for in a while; the endpoint may be fine. */
  readonly droppedAt?: string
}

/** The stored record: the public object, its standing, and data that is only in sub-resources or not public. */
export type Entry = ServiceDraft & {
  readonly id: string
  readonly supportedChains: readonly string[]
  readonly standing: Standing
  readonly createdAt: string
  readonly updatedAt: string
  /** When it came to its present endpoint, address and network; absent: at registration. Findings from before do not count. */
  readonly movedAt?: string
  /** Absent where its name and description are as old as its present endpoint. */
  readonly worded?: Wording
  /** The key or wallet that owns it; null for samples and imports. */
  readonly owner: string | null
  readonly provenance: Provenance
  /** Invented and never probed. The merchants of the sample are probed, so it is false of them. */
  readonly sample: boolean
  /** The message with which it was retired; null while it is in service. */
  readonly retired: string | null
  /** The terms that its endpoint last declared; absent before the first readable response since it was listed or moved. */
  readonly seen?: Seen
  /** Median of its newest response times in milliseconds, rounded by `toOrderedLatency`; absent before the first response. */
  readonly latencyMs?: number
  /** The results of purchases; absent if it was never bought since it was listed or moved. */
  readonly delivery?: Delivery
  /** Absent unless its domain vouches for it. */
  readonly proof?: DomainProof
  /** The origin of its endpoint asked not to be probed, when its file was last read. */
  readonly declinesProbes?: true
  /** Absent unless an operator hid it: it is then excluded from all reads, and its detail states why. */
  readonly hidden?: Hidden
}

/** Proof that the domain of the endpoint names the entry, or its payee wallet. */
export type DomainProof = {
  /** Since when the proof exists. */
  readonly at: string
  readonly names: 'wallet' | 'id'
  /** How many times in a row it was missing; absent if it was found last. */
  readonly misses?: number
}

/** When an operator hid an entry, and why. */
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

/** Published times never go back, although probes can be judged after a later change and clocks can be set back. */
export const laterOf = (current: string, at: Date | string): string => {
  const next = typeof at === 'string' ? at : at.toISOString()
  return next > current ? next : current
}

// Public views of an entry: exactly the fields of the contract, in its order.

export const toService = (entry: Entry): Service => ({
  id: entry.id,
  name: entry.name,
  description: entry.description,
  endpoint: entry.endpoint,
  category: entry.category,
  pricing: {
    currency: entry.pricing.currency,
    pricePerRequest: entry.pricing.pricePerRequest,
    freeQuota: entry.pricing.freeQuota,
  },
  x402Config: { paymentAddress: entry.x402Config.paymentAddress, network: entry.x402Config.network },
  trustScore: entry.standing.trustScore,
  status: entry.standing.status,
  supportedChains: [...entry.supportedChains],
  createdAt: entry.createdAt,
  updatedAt: entry.updatedAt,
})

/** Returns whether the public object has changed, appeared or disappeared. */
export const isObjectChanged = (before: Entry, after: Entry): boolean =>
  (before.hidden === undefined) !== (after.hidden === undefined) ||
  JSON.stringify(toService(before)) !== JSON.stringify(toService(after))

export const statusRecordSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    trustScore: serviceSchema.shape.trustScore.describe('Trust, 0 to 100'),
    status: z.enum(STATUSES).describe('verified: it asks to be paid as listed'),
    uptimeScore: z
      .number()
      .min(0)
      .max(100)
      .describe(
        'Percentage of good probes among the stored ones at its present endpoint; 0 before the first',
      ),
    lastChecked: dateTime.describe('Time of the last probe; before it, of the registration'),
    txCount: z.int().min(0).describe('Settled payments seen on chain'),
    totalRevenue: z.number().min(0).describe('Sum of those payments, in units of the currency'),
  })
  .meta({ id: 'StatusRecord', title: 'What the directory has measured about a service' })
export type StatusRecord = Readonly<z.output<typeof statusRecordSchema>>

export const toStatusRecord = ({ id, standing }: Entry): StatusRecord => ({
  id,
  trustScore: standing.trustScore,
  status: standing.status,
  uptimeScore: standing.uptimeScore,
  lastChecked: standing.lastChecked,
  txCount: standing.txCount,
  totalRevenue: Number(standing.totalRevenue),
})

const exportEntrySchema = z
  .object({
    id: z.string().describe('Id of the service'),
    name: z.string().describe('Name of the service'),
    endpoint: z.string().describe('The listed endpoint'),
    category: z.string().describe('A readable label, not the id'),
    pricing: z
      .object({
        currency: z.string().describe('Currency of the price, like USDC'),
        pricePerRequest: z.string().describe('Price of a request, in whole units'),
      })
      .describe('Price of a request'),
    x402Config: z
      .object({
        paymentAddress: z.string().describe('The listed payment address'),
        network: z.string().describe('The listed network'),
      })
      .describe('Where and on which network it is paid'),
    trustScore: serviceSchema.shape.trustScore.describe('Trust, 0 to 100'),
    status: z.enum(STATUSES).describe('verified: it asks to be paid as listed'),
  })
  .meta({ id: 'ExportEntry', title: 'A service in an export' })
export type ExportEntry = Readonly<z.output<typeof exportEntrySchema>>

export const exportDocumentSchema = z
  .object({
    version: z.string().describe('Version of the format'),
    source: z.string().describe('Name of the exporting directory'),
    exportedAt: dateTime.describe('When it was exported'),
    endpoints: z.array(exportEntrySchema).describe('All listed services'),
  })
  .meta({ id: 'ExportDocument', title: 'The complete catalog' })

export const categorySchema = z
  .object({
    id: z.string().describe('What the category parameter and field take'),
    labels: z
      .object(forEachLanguage(code => z.string().describe(`In ${LANGUAGES[code].inEnglish}`)))
      .describe('Its names, by language'),
    count: z.int().min(0).describe('Services in it'),
  })
  .meta({ id: 'Category', title: 'A category' })

export const EXPORT_VERSION = '1.0'

export const toExportEntry = (service: Service): ExportEntry => ({
  id: service.id,
  name: service.name,
  endpoint: service.endpoint,
  category: categoryLabels(service.category).en,
  pricing: { currency: service.pricing.currency, pricePerRequest: service.pricing.pricePerRequest },
  x402Config: { paymentAddress: service.x402Config.paymentAddress, network: service.x402Config.network },
  trustScore: service.trustScore,
  status: service.status,
})

// Reads a registration body: reports all problems at once, and reports unknown fields without refusing them.

export type DraftPolicy = {
  /** Whether endpoints on private and loopback addresses may be registered. */
  readonly allowPrivateEndpoints: boolean
  /** Whether an address that is malformed for its known chain is refused; otherwise a notice is returned. */
  readonly strictAddresses: boolean
}

export type ParsedDraft = {
  readonly draft: ServiceDraft
  /** Paths of the fields that were sent and ignored. */
  readonly ignored: readonly string[]
  /** Sentences for the provider about values that were accepted but look wrong. */
  readonly notices: readonly string[]
}

const KNOWN_FIELDS = fieldsOf(draftSchema)

/** @throws DirectoryError `invalid_request` that lists every problem. */
export function readDraft(body: unknown, policy: DraftPolicy): ParsedDraft {
  const parsed = draftSchema.safeParse(body)
  const problems: Problem[] = parsed.success ? [] : toProblems(parsed.error, body)
  const notices: string[] = []
  const failed = new Set(problems.map(problem => problem.path))
  const sent = body as Partial<ServiceDraft>

  if (!policy.allowPrivateEndpoints && !failed.has('endpoint') && typeof sent?.endpoint === 'string') {
    const problem = privateEndpointProblem(sent.endpoint)
    if (problem) problems.push(toProblem('endpoint', problem))
  }
  const { paymentAddress, network } = sent?.x402Config ?? {}
  if (typeof paymentAddress === 'string' && typeof network === 'string') {
    const problem = addressProblem(paymentAddress, network)
    if (problem && policy.strictAddresses) problems.push(toProblem('x402Config.paymentAddress', problem))
    else if (problem) notices.push(`x402Config.paymentAddress: ${tellInEnglish(problem)}`)
  }

  if (problems.length > 0 || !parsed.success) throw invalid(problems)
  return { draft: parsed.data, ignored: ignoredFields(body as object, KNOWN_FIELDS), notices }
}
