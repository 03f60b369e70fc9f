// Schemas of a document, made to stand alone: references within the document are put in their place. Documents come from strangers:
// one that refers to itself, or doubles with every reference, ends at a bound, and nothing outside of the document is looked up.
import { cleanJson, isRecord, type Json } from './strangers-json.ts'

const MAX_DEPTH = 10
const MAX_NODES = 2_000
const MAX_STEPS = 16
const MAX_SCHEMA = 16_384
const MAX_EXAMPLE = 4_096

class TooLarge extends Error {}

/** What is left to look at, for all the schemas of one operation together. */
export type Budget = { nodes: number }
export const createBudget = (): Budget => ({ nodes: MAX_NODES })

/** @returns undefined where it is no schema, or too large to stand alone */
export function inlineSchema(
  schema: unknown,
  document: unknown,
  budget: Budget = createBudget(),
): Json | undefined {
  if (!isRecord(schema)) return undefined
  const inline = (value: unknown, depth: number): unknown => {
    if (--budget.nodes < 0) throw new TooLarge()
    if (Array.isArray(value)) return value.map(item => inline(item, depth + 1))
    if (!isRecord(value)) return value
    if (depth > MAX_DEPTH) return {}
    const { $ref, $id: _, $schema: __, ...beside } = value
    const target = typeof $ref === 'string' ? findReference($ref, document) : undefined
    const whole = isRecord(target) ? { ...target, ...beside } : beside
    // What a reference leads to may be a reference again.
    if (typeof whole.$ref === 'string') return inline(whole, depth + 1)
    return Object.fromEntries(Object.entries(whole).map(([key, item]) => [key, inline(item, depth + 1)]))
  }
  try {
    return inline(schema, 0) as Json
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}

/** A place within the document, like `#/components/schemas/City`; elsewhere nothing is looked up. */
function findReference(reference: string, document: unknown): unknown {
  if (!reference.startsWith('#/')) return undefined
  let place = document
  for (const step of reference.slice(2).split('/').slice(0, MAX_STEPS)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isRecord(place) || !Object.hasOwn(place, name)) return undefined
    place = place[name]
  }
  return place
}

/** Cleaned, and without its example where that alone makes it too large; undefined where it is too large without. */
export function boundSchema(schema: Json | undefined): Json | undefined {
  if (!schema) return undefined
  const { example, ...bare } = schema
  const cleaned = cleanJson(bare, MAX_SCHEMA)
  if (!isRecord(cleaned)) return undefined
  const shown = example === undefined ? undefined : cleanJson(example, MAX_EXAMPLE)
  const whole = shown === undefined ? cleaned : { ...cleaned, example: shown }
  return Object.keys(whole).length > 0 ? whole : undefined
}

/** Follows one reference within the document; nothing else is fetched. */
export function resolve(value: unknown, document: unknown): unknown {
  return isRecord(value) && typeof value.$ref === 'string' ? findReference(value.$ref, document) : value
}
