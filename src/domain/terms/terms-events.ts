// Events for changed terms: payee, price, schemes, and the input and output of the resource.
import { say } from '../../messages/message.ts'
import { sameAddress } from '../chains/addresses.ts'
import { chainKey } from '../chains/chains.ts'
import type { ServiceEvent } from '../feed.ts'
import { compareDecimals } from '../money/money.ts'
import { digestOf, type Price, type ResourceTerms } from './terms.ts'

/** Schemes and field names in an event, which come from the endpoint. */
const MAX_SCHEMES = 8
const MAX_FIELDS = 32

/** Input and output of a resource, as events contain them; the digest detects any other change. */
export type Shape = {
  readonly method: string
  /** Field names; null if nothing is declared. */
  readonly input: readonly string[] | null
  readonly output: readonly string[] | null
  readonly digest: string
}

/** What the next probe is compared with. */
export type Form = { readonly schemes: readonly string[]; readonly shape: Shape }

/** @param resources the requested one first */
export const formOf = (resources: readonly ResourceTerms[], network: string): Form => ({
  schemes: schemesOf(resources, network),
  shape: shapeOf(resources),
})

function schemesOf([resource]: readonly ResourceTerms[], network: string): string[] {
  const accepts = (resource?.accepts ?? []).filter(({ chain }) => chain === chainKey(network))
  return [...new Set(accepts.map(({ scheme }) => scheme))].sort().slice(0, MAX_SCHEMES)
}

function shapeOf([resource]: readonly ResourceTerms[]): Shape {
  const { method = 'GET', input, output } = resource ?? {}
  return {
    method,
    input: fieldsOf(input),
    output: fieldsOf(output),
    digest: digestOf([method, toBare(input), toBare(output)]),
  }
}

type Schema = Readonly<Record<string, unknown>> | undefined

const fieldsOf = (schema: Schema): string[] | null =>
  schema ? Object.keys((schema.properties ?? {}) as object).slice(0, MAX_FIELDS) : null

/** Keywords whose keys are field names, not keywords of the schema. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** Equal while the schema is equivalent: an example may contain the current time, and some servers shuffle keys. */
function toBare(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map(each => toBare(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([key]) => isNamed || (key !== 'example' && key !== 'examples'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, toBare(each, !isNamed && NAMED.has(key))])
}

/** @param before the last form; its fields are absent if they were not read yet */
function formEvents(before: Partial<Form>, after: Form, at: string): ServiceEvent[] {
  const events: ServiceEvent[] = []
  if (before.schemes && JSON.stringify(before.schemes) !== JSON.stringify(after.schemes)) {
    const reason = say('scheme_changed', { before: before.schemes, after: after.schemes })
    events.push({ type: 'scheme', at, reason, before: before.schemes, after: after.schemes })
  }
  if (before.shape && before.shape.digest !== after.shape.digest) {
    const reason = say('schema_changed', { method: after.shape.method })
    events.push({
      type: 'schema',
      at,
      reason,
      before: withoutDigest(before.shape),
      after: withoutDigest(after.shape),
    })
  }
  return events
}

const withoutDigest = ({ digest: _, ...shape }: Shape) => shape

type Previous = {
  readonly payTo: readonly string[] | null
  readonly price: Price | null
  readonly form?: Form
}
type Current = {
  readonly payTo: readonly string[]
  readonly price: Price | null
  readonly seen: { readonly resources: readonly ResourceTerms[] }
}

/** Compares the terms with the previous ones, not with the listing: events report changes, probes report differences to the listing. */
export function termsEvents(network: string, now: Current, before: Previous, at: string): ServiceEvent[] {
  const events: ServiceEvent[] = []
  const { payTo, price } = before
  if (payTo !== null && !sameAddresses(payTo, now.payTo, network)) {
    const reason = say('pay_to_changed', { before: payTo, after: now.payTo })
    events.push({ type: 'pay_to', at, reason, before: payTo, after: now.payTo })
  }
  if (price && now.price && !samePrice(price, now.price)) {
    const reason = say('price_changed', { before: priceText(price), after: priceText(now.price) })
    events.push({ type: 'price', at, reason, before: price, after: now.price })
  }
  return [...events, ...formEvents(before.form ?? {}, formOf(now.seen.resources, network), at)]
}

function sameAddresses(a: readonly string[], b: readonly string[], network: string): boolean {
  const covers = (all: readonly string[], some: readonly string[]) =>
    some.every(address => all.some(other => sameAddress(address, other, network)))
  return covers(a, b) && covers(b, a)
}

const samePrice = (a: Price, b: Price) =>
  a.currency === b.currency && compareDecimals(a.amount, b.amount) === 0

const priceText = ({ amount, currency }: Price) => `${amount} ${currency}`
