// Proposes a listing for a checked URL from what the endpoint declares, so that a provider need only supply the URL.
import { isSameMoney } from '../chains/assets.ts'
import { chainKey } from '../chains/chains.ts'
import type { CheckReport } from '../check.ts'
import type { Problem } from '../errors.ts'
import { endpointHost } from '../hosts/endpoint.ts'
import { compareDecimals, DECIMAL } from '../money/money.ts'
import { toProblems } from '../problems.ts'
import type { PaymentRequirements, ResourceTerms } from '../terms/terms.ts'
import { truncate } from '../text/text.ts'
import { draftSchema, type ServiceDraft } from './service.ts'

/** Fields that the endpoint does not declare are left out, for the provider to supply. */
export type ProposedDraft = Pick<ServiceDraft, 'name' | 'endpoint' | 'category'> & {
  readonly description?: string
  readonly pricing?: { readonly currency: string; readonly pricePerRequest: string }
  readonly x402Config?: ServiceDraft['x402Config']
}

/** Parts of a registration body, as the provider wrote them; not validated. */
export type PartialDraft = Readonly<Record<string, unknown>>

type Checked = Pick<CheckReport, 'endpoint' | 'resources'>

/** In UTF-16 units; the schema of a registration allows as many code points. */
const MAX_DESCRIPTION = 2_000
const NESTED = ['pricing', 'x402Config'] as const

/** Values of the provider have precedence; empty fields are filled from the endpoint. `problems` name what is still missing or wrong. */
export function fillDraft(
  given: PartialDraft,
  checked: Checked,
): { readonly draft: PartialDraft; readonly problems: readonly Problem[] } {
  const declared = draftFromCheck(checked, given)
  const nested = NESTED.map(part => [part, fill(given[part], declared[part])])
  const draft = { ...(fill(given, declared) as PartialDraft), ...withoutEmpty(Object.fromEntries(nested)) }
  return { draft, problems: problemsOf(draft) }
}

/** Whether the endpoint has to be checked for the rest: it is given, and the only problems are missing fields. */
export function isPartial(given: PartialDraft): boolean {
  const nested = NESTED.map(part => [part, fill(given[part], {})])
  const problems = problemsOf(withoutEmpty({ ...given, ...Object.fromEntries(nested) }))
  return (
    problems.length > 0 && problems.every(({ path, said }) => path !== 'endpoint' && said.code === 'required')
  )
}

/** @param given what the provider has supplied: a network or a currency chooses among the payment requirements */
export function draftFromCheck({ endpoint, resources }: Checked, given: PartialDraft = {}): ProposedDraft {
  const resource = payableOf(resources)
  const accepts = (resource?.accepts ?? []).filter(requirements => isChosen(requirements, given))
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

function problemsOf(draft: PartialDraft): Problem[] {
  const parsed = draftSchema.safeParse(draft)
  return parsed.success ? [] : toProblems(parsed.error, draft)
}
