// A preflight check of any URL: its request and its report. Nothing is stored or listed.
import { z } from 'zod'
import { WORD_LISTS } from '../messages/kinds.ts'
import { isSameMoney } from './chains/assets.ts'
import { chainKey } from './chains/chains.ts'
import { endpointHost } from './hosts/endpoint.ts'
import { domainSchema } from './listing/backing.ts'
import { draftSchema, type ServiceDraft } from './listing/service.ts'
import { compareDecimals, DECIMAL } from './money/money.ts'
import { expecting, messageFieldsSchema, messageSchema } from './problems.ts'
import { PROBE_OUTCOMES } from './standing/standing.ts'
import {
  isByProcessor,
  type PaymentRequirements,
  type ResourceTerms,
  resourceTermsSchema,
} from './terms/terms.ts'
import { truncate } from './text/text.ts'

/** In UTF-16 units, the same as for a listed endpoint. */
const MAX_URL_LENGTH = 2048

export const checkRequestSchema = z
  .object({
    // A text that is not a URL is a result of the check, not an error in the request.
    endpoint: z
      .string({ error: expecting('url_expected') })
      .max(MAX_URL_LENGTH, expecting('text_too_long', { max: MAX_URL_LENGTH }))
      .describe('The URL to check'),
    x402Config: draftSchema.shape.x402Config
      .partial()
      .optional()
      .describe('The expected payment requirements; fields that are left out are not compared'),
    pricing: draftSchema.shape.pricing
      .pick({ currency: true, pricePerRequest: true })
      .optional()
      .describe('The expected price per request'),
  })
  .meta({ id: 'CheckRequest', title: 'What to check; a registration body is accepted' })
export type CheckRequest = Readonly<z.output<typeof checkRequestSchema>>

export const CHECKS = Object.keys(WORD_LISTS.check) as (keyof typeof WORD_LISTS.check)[]
export type CheckName = (typeof CHECKS)[number]

export const checkReportSchema = z
  .object({
    endpoint: z.string().describe('The checked URL'),
    outcome: z.enum(PROBE_OUTCOMES).nullable().describe('As of a probe; null: no request was sent'),
    wouldVerify: z
      .boolean()
      .describe('Whether a service listed with this address and network would be verified'),
    checks: z
      .array(
        z
          .object({
            check: z.enum(CHECKS).describe('What is checked'),
            result: z.enum(['passed', 'failed', 'skipped']).describe('skipped: there was nothing to check'),
            detail: z.string().describe('What was found, in English'),
            ...messageFieldsSchema.shape,
          })
          .meta({ id: 'Check', title: 'A check with its result' }),
      )
      .describe('Each check with its result, in order'),
    notes: z.array(z.string()).describe('Possible improvements that do not affect the result'),
    noteCodes: z.array(messageSchema).describe('The notes for programs, in the same order'),
    requests: z
      .array(
        z
          .object({
            method: z.string().describe('HTTP method'),
            path: z.string().describe('With its query'),
            status: z.int().nullable().describe('null: no response'),
            as: z.enum(['directory', 'customer']).describe('customer: without our name in the User-Agent'),
          })
          .meta({ id: 'CheckedRequest', title: 'A request that was sent' }),
      )
      .describe('Every request for its payment requirements, in order'),
    domain: domainSchema
      .pick({ host: true, names: true })
      .nullable()
      .describe(
        'How the domain of the URL names the payment address; null if it does not, or if no address was given',
      ),
    httpStatus: z.int().nullable().describe('Status code of the response; null: there was none'),
    latencyMs: z.number().nullable().describe('Milliseconds until the response; null: there was none'),
    resource: z
      .string()
      .nullable()
      .describe('The payable resource below the endpoint, if it is not the endpoint itself'),
    resources: z
      .array(resourceTermsSchema)
      .describe(
        'Payment requirements and input of its resources: first the one that was requested, then those that its documents name',
      ),
  })
  .meta({ id: 'CheckReport', title: 'Result of a probe of a URL' })
export type CheckReport = Readonly<z.output<typeof checkReportSchema>>

/** @param names the keys by which the caller is rate limited */
export type Checker = (request: CheckRequest, ...names: readonly string[]) => Promise<CheckReport>

// Proposes a listing for a checked URL from what the endpoint declares, so that a provider need only supply the URL.

/** Fields that the endpoint does not declare are left out, for the provider to supply. */
type ProposedDraft = Pick<ServiceDraft, 'name' | 'endpoint' | 'category'> & {
  readonly description?: string
  readonly pricing?: { readonly currency: string; readonly pricePerRequest: string }
  readonly x402Config?: ServiceDraft['x402Config']
}

/** Parts of a registration body, as the provider wrote them; not validated. */
export type PartialDraft = Readonly<Record<string, unknown>>

type CheckedEndpoint = Pick<CheckReport, 'endpoint' | 'resources'>

/** In UTF-16 units; the schema of a registration allows as many code points. */
const MAX_DESCRIPTION = 2_000
const NESTED_FIELDS = ['pricing', 'x402Config'] as const

/** Values of the provider have precedence; empty fields are filled from the endpoint. */
export function fillDraft(given: PartialDraft, checked: CheckedEndpoint): PartialDraft {
  const declared = draftFromCheck(checked, given)
  const nested = NESTED_FIELDS.map(part => [part, fill(given[part], declared[part])])
  return { ...(fill(given, declared) as PartialDraft), ...withoutEmpty(Object.fromEntries(nested)) }
}

/** @param given what the provider has supplied: a network or a currency chooses among the payment requirements */
export function draftFromCheck(
  { endpoint, resources }: CheckedEndpoint,
  given: PartialDraft = {},
): ProposedDraft {
  const resource = payableOf(resources)
  const accepts = (resource?.accepts ?? []).filter(
    requirements => !isByProcessor(requirements) && isChosen(requirements, given),
  )
  const requirements = accepts.find(isPriced) ?? accepts[0]
  const description = resource?.description?.trim()
  return {
    name: endpointHost(endpoint).replace(/^www\./, ''),
    endpoint,
    category: 'other',
    ...(description && { description: truncate(description, MAX_DESCRIPTION) }),
    ...(requirements && {
      x402Config: { paymentAddress: requirements.payTo, network: requirements.network },
    }),
    ...(requirements &&
      isPriced(requirements) && {
        pricing: {
          currency: requirements.assetName!,
          pricePerRequest: highest(resource!.accepts, requirements),
        },
      }),
  }
}

/** What the endpoint itself asked for. */
export const askedBy = ({ resources }: Pick<CheckReport, 'resources'>): readonly PaymentRequirements[] =>
  resources.find(({ source }) => source === '402')?.accepts ?? []

/** The resource that a listing is filled in from. */
export const payableOf = (resources: readonly ResourceTerms[]): ResourceTerms | undefined =>
  resources.find(({ accepts }) => accepts.length > 0)

function isChosen({ chain, assetName }: PaymentRequirements, given: PartialDraft): boolean {
  const network = textAt(given.x402Config, 'network')
  const currency = textAt(given.pricing, 'currency')
  return (
    (network === undefined || chainKey(chain) === chainKey(network)) &&
    // An unknown asset may be the currency that its provider names.
    (currency === undefined || assetName === undefined || isSameMoney(assetName, currency))
  )
}

function textAt(part: unknown, field: string): string | undefined {
  const value = typeof part === 'object' && part !== null ? (part as PartialDraft)[field] : undefined
  return typeof value === 'string' && !isEmpty(value) ? value : undefined
}

/** A client may pay on any network, so a listing is verified if no payment requirements exceed the listed price. */
const highest = (accepts: readonly PaymentRequirements[], { currency }: PaymentRequirements): string =>
  accepts
    .filter(requirements => isPriced(requirements) && requirements.currency === currency)
    .map(requirements => requirements.price!)
    .reduce((most, price) => (compareDecimals(price, most) > 0 ? price : most))

const isPriced = ({ price, assetName }: PaymentRequirements): boolean =>
  price !== undefined && DECIMAL.test(price) && assetName !== undefined

/** A value of the wrong type is a mistake of the provider, and is left for the schema to report. */
function fill(given: unknown, declared: object | undefined): unknown {
  if (isEmpty(given)) return declared
  if (typeof given !== 'object' || Array.isArray(given)) return given
  return { ...declared, ...withoutEmpty(given as PartialDraft) }
}

const withoutEmpty = (given: PartialDraft): PartialDraft =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => !isEmpty(value)))

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
