// What the holder of a key may use: part of the catalog, by level, price, chain, protocol and name. Every field narrows it.
import { z } from 'zod'
import { say } from '../messages/message.ts'
import { addressKeys, EVM_ADDRESS } from './chains/addresses.ts'
import { chainKey } from './chains/chains.ts'
import { DirectoryError, invalid, toProblem } from './errors.ts'
import { endpointHost } from './hosts/endpoint.ts'
import { isServiceId } from './ids.ts'
import { compareDecimals, DECIMAL, toMicroDollars } from './money/money.ts'
import { assetToDollars, type Rates } from './money/rates.ts'
import { createQueryReader, expecting } from './problems.ts'
import { FILTERS, oneOf } from './queries/filters.ts'
import { LEVELS } from './standing/standing.ts'
import { PROTOCOLS } from './terms/terms.ts'

/** Of each list; a key is read with every request. */
const MAX_NAMES = 1_000

const listOf = <S extends z.ZodType>(value: S) => {
  const error = expecting('list_expected', { max: MAX_NAMES })
  return z.array(value, { error }).min(1, error).max(MAX_NAMES, error).optional()
}

type PolicyName = { readonly kind: 'service' | 'host' | 'wallet' | 'collection'; readonly name: string }

const COLLECTION = 'collection:'

/** A host is that of an endpoint, without its port; hosts below it are others. Returns undefined for anything else. */
export function readNamed(text: string): PolicyName | undefined {
  if (text.startsWith(COLLECTION)) return { kind: 'collection', name: text.slice(COLLECTION.length) }
  if (isServiceId(text)) return { kind: 'service', name: text }
  if (EVM_ADDRESS.test(text) || /^(?!svc_)\w{25,128}$/.test(text)) return { kind: 'wallet', name: text }
  const host = /[.:]/.test(text) || text === 'localhost' ? endpointHost(`https://${text}`) : ''
  return host === '' || /[/@?#]/.test(text) ? undefined : { kind: 'host', name: host }
}

const named = z
  .string({ error: expecting('policy_name_expected') })
  .refine(text => readNamed(text) !== undefined, expecting('policy_name_expected'))

export const policySchema = z
  .object({
    levels: listOf(oneOf(LEVELS)).describe('Services of one of these levels'),
    maxUsdPrice: FILTERS.maxUsdPrice.parameter.optional(),
    chains: listOf(FILTERS.chain.parameter).describe('Services that are paid on one of these chains'),
    protocols: listOf(oneOf(PROTOCOLS)).describe('Services that are paid by one of these protocols'),
    allow: listOf(named).describe(
      'Only these: ids of services, wallets that are paid, hosts, or collections, like collection:approved',
    ),
    deny: listOf(named).describe('None of these, whatever else is allowed'),
    budgetPerDay: z
      .string({ error: expecting('policy_budget_expected') })
      .refine(
        text => DECIMAL.test(text) && toMicroDollars(text) !== undefined,
        expecting('policy_budget_expected'),
      )
      .optional()
      .describe('What may be reserved and paid in a day (UTC), in dollars'),
  })
  .meta({ id: 'Policy', title: 'What the holder of a key finds and may pay' })
export type Policy = Readonly<z.output<typeof policySchema>>

const readFields = createQueryReader(policySchema, { refusesEmpty: true })

/** @throws DirectoryError `invalid_request` with every problem */
export function readPolicy(input: unknown): Policy {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  // An empty one would look like a restriction and be none.
  if (!isObject || Object.keys(input).length === 0)
    throw invalid([toProblem('policy', say('object_expected', { fields: Object.keys(policySchema.shape) }))])
  return readFields(input)
}

/** A policy in a body. */
export const policyFieldSchema = z
  .unknown()
  .transform((value, context): Policy => {
    try {
      return readPolicy(value)
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      for (const { path, said } of error.problems)
        context.addIssue({
          code: 'custom',
          path: path === 'policy' ? [] : path.split('.'),
          message: JSON.stringify(said),
        })
      return z.NEVER
    }
  })
  .meta({ $ref: '#/components/schemas/Policy' })

/** The collections that a policy names. */
export const collectionsOf = ({ allow = [], deny = [] }: Policy): string[] =>
  [...new Set([...allow, ...deny])].flatMap(text => {
    const named = readNamed(text)
    return named?.kind === 'collection' ? [named.name] : []
  })

/** With what the collections name instead of them. Catalogs judge by such a policy. */
export function withCollections(policy: Policy, collections: ReadonlyMap<string, readonly string[]>): Policy {
  const { allow, deny } = policy
  const expand = (names: readonly string[]) =>
    names.flatMap(text => {
      const { kind, name } = readNamed(text)!
      return kind === 'collection' ? (collections.get(name) ?? []) : text
    })
  return { ...policy, ...(allow && { allow: expand(allow) }), ...(deny && { deny: expand(deny) }) }
}

type RequestedPayment = {
  readonly network?: string | undefined
  readonly payTo?: string | undefined
  readonly asset?: string | undefined
  readonly amount?: string | undefined
}

/** Whether the policy allows what a payment names itself, which the listing may not: another chain, payee or amount. */
export function isPaymentAllowed(
  policy: Policy,
  { network, payTo, asset, amount }: RequestedPayment,
  rates: Rates,
): boolean {
  const { chains, deny = [], maxUsdPrice } = policy
  if (network !== undefined && chains && !chains.some(chain => chainKey(chain) === chainKey(network)))
    return false
  const keys = payTo === undefined ? [] : addressKeys(payTo)
  if (deny.some(text => addressKeys(text).some(key => keys.includes(key)))) return false
  if (maxUsdPrice === undefined || network === undefined || asset === undefined || amount === undefined)
    return true
  const dollars = assetToDollars({ network, asset, amount }, rates)
  return dollars !== undefined && compareDecimals(dollars.amount, maxUsdPrice) <= 0
}
