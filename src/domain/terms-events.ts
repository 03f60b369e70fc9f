// What is told of terms when they change: payee, price, schemes, and what the resource takes and gives.
import { say } from '../messages/message.ts'
import { chainKey } from './chains.ts'
import type { ServiceEvent } from './events.ts'
import { compareDecimals } from './money.ts'
import { sameAddress } from './same-address.ts'
import { digestOf, type Price, type ResourceTerms } from './terms.ts'

const MAX_SCHEMES = 8
const MAX_FIELDS = 32

/** Input and output of a resource, as an event tells them; the digest tells any other change. */
export type Shape = {
  readonly method: string
  /** Names of fields; null where nothing is declared. */
  readonly input: readonly string[] | null
  readonly output: readonly string[] | null
  readonly digest: string
}

/** What is compared with the next probe. */
export type Form = { readonly schemes: readonly string[]; readonly shape: Shape }

/** @param resources the one that was asked first */
export const formOf = (resources: readonly ResourceTerms[], network: string): Form => ({
  schemes: schemesOf(resources, network),
  shape: shapeOf(resources),
})

function schemesOf([resource]: readonly ResourceTerms[], network: string): string[] {
  const ways = (resource?.accepts ?? []).filter(({ chain }) => chain === chainKey(network))
  return [...new Set(ways.map(({ scheme }) => scheme))].sort().slice(0, MAX_SCHEMES)
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

/** Where keys are the names of fields, not words of the schema. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** What is the same while the schema says the same: an example may show the hour of the day, and some programs shuffle keys. */
function toBare(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map(each => toBare(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([key]) => isNamed || (key !== 'example' && key !== 'examples'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, toBare(each, !isNamed && NAMED.has(key))])
}

/** @param before what was seen last; nothing where it was not looked at yet */
function formEvents(before: Partial<Form>, after: Form, at: string): ServiceEvent[] {
  const events: ServiceEvent[] = []
  if (before.schemes && JSON.stringify(before.schemes) !== JSON.stringify(after.schemes)) {
    const reason = say('scheme_changed', { before: before.schemes, after: after.schemes })
    events.push({ type: 'scheme', at, reason, before: before.schemes, after: after.schemes })
  }
  if (before.shape && before.shape.digest !== after.shape.digest) {
    const reason = say('schema_changed', { method: after.shape.method })
    events.push({ type: 'schema', at, reason, before: told(before.shape), after: told(after.shape) })
  }
  return events
}

const told = ({ digest: _, ...shape }: Shape) => shape

type Compared = {
  readonly payTo: readonly string[] | null
  readonly price: Price | null
  readonly form?: Form
}
type Now = {
  readonly payTo: readonly string[]
  readonly price: Price | null
  readonly seen: { readonly resources: readonly ResourceTerms[] }
}

/** The terms are compared with those seen before, not with the listing: an event tells a change, the probe a difference. */
export function termsEvents(network: string, now: Now, before: Compared, at: string): ServiceEvent[] {
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
