// What the holder of a key may use: part of the catalog, by level, price, chain, protocol and name. Every field narrows it.
import { z } from 'zod'
import { say } from '../messages/message.ts'
import { addressKeys, EVM_ADDRESS } from './chains/addresses.ts'
import { findAsset } from './chains/assets.ts'
import { chainKey } from './chains/chains.ts'
import { invalid, toProblem } from './errors.ts'
import { endpointHost } from './hosts/endpoint.ts'
import { isServiceId } from './ids.ts'
import { compareDecimals, toBoundedDecimal } from './money/money.ts'
import { type Rates, toDollars } from './money/rates.ts'
import { createQueryReader, expecting } from './problems.ts'
import { FILTERS, oneOf } from './queries/filters.ts'
import { LEVELS } from './standing/standing.ts'
import { PROTOCOLS } from './terms/terms.ts'

/** Of each list; a key is read with every request. */
const MAX_NAMES = 1_000

const listOf = <S extends z.ZodType>(value: S) =>
  z
    .array(value, { error: expecting('policy_list_expected', { max: MAX_NAMES }) })
    .min(1, expecting('policy_list_expected', { max: MAX_NAMES }))
    .max(MAX_NAMES, expecting('policy_list_expected', { max: MAX_NAMES }))
    .readonly()
    .optional()

export type Named = { readonly kind: 'service' | 'host' | 'wallet'; readonly name: string }

/** A host is that of an endpoint, without its port; hosts below it are others. Undefined if it is none of the three. */
export function readNamed(text: string): Named | undefined {
  if (isServiceId(text)) return { kind: 'service', name: text }
  if (EVM_ADDRESS.test(text) || /^(?!svc_)\w{25,128}$/.test(text)) return { kind: 'wallet', name: text }
  const host = /[.:]/.test(text) || text === 'localhost' ? endpointHost(`https://${text}`) : ''
  return host === '' || /[/@?#]/.test(text) ? undefined : { kind: 'host', name: host }
}

const named = z
  .string({ error: expecting('policy_name_expected') })
  .refine(text => readNamed(text) !== undefined, expecting('policy_name_expected'))

export const policySchema = z.object({
  levels: listOf(oneOf(LEVELS)).describe('Services of one of these levels'),
  maxUsdPrice: FILTERS.maxUsdPrice.parameter.optional(),
  chains: listOf(FILTERS.chain.parameter).describe('Services that are paid on one of these chains'),
  protocols: listOf(oneOf(PROTOCOLS)).describe('Services that are paid by one of these protocols'),
  allow: listOf(named).describe('Only these: ids of services, wallets that are paid, hosts'),
  deny: listOf(named).describe('None of these, whatever else is allowed'),
  // Accepting a limit that nothing enforces would be worse than none.
  budgetPerDay: z.undefined({ error: expecting('policy_budget_unsupported') }).optional(),
})
export type Policy = Readonly<z.output<typeof policySchema>>

const readFields = createQueryReader(policySchema, {}, { refusesEmpty: true })

/** @throws DirectoryError `invalid_request` with every problem */
export function readPolicy(input: unknown): Policy {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  // An empty one would look like a restriction and be none.
  if (!isObject || Object.keys(input).length === 0)
    throw invalid([
      toProblem('policy', say('object_expected', { fields: Object.keys(policySchema.shape).slice(0, -1) })),
    ])
  return readFields(input)
}

type Asked = {
  readonly network?: string | undefined
  readonly payTo?: string | undefined
  readonly asset?: string | undefined
  readonly amount?: string | undefined
}

/** Whether the policy allows what a payment names itself, which the listing may not: another chain, payee or amount. */
export function isPaymentAllowed(
  policy: Policy,
  { network, payTo, asset, amount }: Asked,
  rates: Rates,
): boolean {
  const { chains, deny = [], maxUsdPrice } = policy
  if (network !== undefined && chains && !chains.some(chain => chainKey(chain) === chainKey(network)))
    return false
  const keys = payTo === undefined ? [] : addressKeys(payTo)
  if (deny.some(text => addressKeys(text).some(key => keys.includes(key)))) return false
  if (maxUsdPrice === undefined || network === undefined || asset === undefined || amount === undefined)
    return true
  const known = findAsset(network, asset)
  const dollars = known && toDollars(toBoundedDecimal(BigInt(amount), known.decimals), known.currency, rates)
  return dollars !== undefined && compareDecimals(dollars.amount, maxUsdPrice) <= 0
}
