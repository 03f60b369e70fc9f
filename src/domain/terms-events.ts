// What is told of terms when they change besides price and payee: the schemes, and what the resource takes and gives.
import { say } from '../messages/message.ts'
import { chainKey } from './chains.ts'
import type { ServiceEvent } from './events.ts'
import { digestOf, type ResourceTerms } from './terms.ts'

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
    digest: digestOf([method, withoutExample(input), withoutExample(output)]),
  }
}

type Schema = Readonly<Record<string, unknown>> | undefined

const fieldsOf = (schema: Schema): string[] | null =>
  schema ? Object.keys((schema.properties ?? {}) as object).slice(0, MAX_FIELDS) : null

/** An example may show the hour of the day. */
const withoutExample = (schema: Schema): Schema => {
  const { example: _, ...rest } = schema ?? {}
  return schema && rest
}

/** @param before what was seen last; nothing where it was not looked at yet */
export function formEvents(before: Partial<Form>, after: Form, at: string): ServiceEvent[] {
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
