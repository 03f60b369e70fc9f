// Makes JSON Schemas of what providers write to describe a request or a response, self-contained and within limits.
import { asRecord, followReference, isRecord, type JsonRecord } from '../../domain/json.ts'
import { cleanJson } from '../untrusted.ts'

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])
/** Keywords that contain a schema or a list. */
const STRUCTURE = ['properties', 'items', '$ref', 'oneOf', 'anyOf', 'allOf', 'enum', 'additionalProperties']
const KEYWORDS = new Set(
  `type title description default example examples format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum
  multipleOf minItems maxItems uniqueItems required const nullable deprecated readOnly writeOnly $defs`.split(
    /\s+/,
  ),
)
/** Examples are read to this depth. */
const MAX_DEPTH = 6

/** A list of fields may contain one named `type`, but then also fields that are not keywords. */
export function isSchema(value: unknown): value is JsonRecord {
  if (!isRecord(value)) return false
  if (STRUCTURE.some(word => (word === '$ref' ? word in value : typeof value[word] === 'object'))) return true
  const types = Array.isArray(value.type) ? value.type : [value.type]
  return types.every(type => TYPES.has(type as string)) && Object.keys(value).every(key => KEYWORDS.has(key))
}

/** Accepts whatever is found in place of a schema. */
export function toSchema(declared: unknown, depth = 0): JsonRecord {
  if (isSchema(declared)) return withoutReferences(declared)
  if (isRecord(declared)) return toObjectSchema(declared, depth)
  return schemaFromExample(declared, depth)
}

/** @param fields each a type name, a description or an example */
export function toObjectSchema(fields: JsonRecord, depth = 0): JsonRecord {
  const entries = Object.entries(fields)
  const required = entries
    .filter(([, field]) => isRecord(field) && field.required === true)
    .map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, toField(field, depth + 1)])),
    ...(required.length > 0 && { required }),
  }
}

function toField(field: unknown, depth: number): JsonRecord {
  if (typeof field === 'string') {
    const name = field.trim().toLowerCase()
    return TYPES.has(name) ? { type: name } : { type: 'string', example: field }
  }
  if (isSchema(field)) {
    const { required, ...schema } = withoutReferences(field)
    return typeof required === 'boolean' || required === undefined ? schema : { ...schema, required }
  }
  return depth > MAX_DEPTH ? {} : toSchema(field, depth)
}

export function schemaFromExample(example: unknown, depth = 0): JsonRecord {
  if (Array.isArray(example))
    return {
      type: 'array',
      ...(example.length > 0 && depth < MAX_DEPTH && { items: schemaFromExample(example[0], depth + 1) }),
    }
  if (isRecord(example)) {
    if (depth >= MAX_DEPTH) return { type: 'object' }
    const properties = Object.entries(example).map(([name, value]) => [
      name,
      schemaFromExample(value, depth + 1),
    ])
    return { type: 'object', properties: Object.fromEntries(properties) }
  }
  if (typeof example === 'number') return { type: Number.isInteger(example) ? 'integer' : 'number' }
  if (typeof example === 'string' || typeof example === 'boolean') return { type: typeof example }
  return {}
}

/** Removes references to other documents: resolving one would fetch a URL of a stranger's choice. */
function withoutReferences(schema: JsonRecord): JsonRecord {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow)
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, item]) => !isForeignReference(key, item))
        .map(([key, item]) => [key, follow(item)]),
    )
  }
  return follow(schema) as JsonRecord
}

const isForeignReference = (key: string, value: unknown): boolean =>
  typeof value === 'string' &&
  (key === '$schema' ||
    key === '$id' ||
    ((key === '$ref' || key === '$dynamicRef') && !value.startsWith('#')))

// Makes the schemas of a document self-contained by inlining its references. Documents are untrusted: one that refers
// to itself, or doubles with every reference, ends at a limit, and nothing outside of the document is fetched.

const MAX_INLINE_DEPTH = 10
/** Values visited and keys copied, for all schemas of a document. */
const MAX_NODES = 128_000
const MAX_SCHEMA = 16_384
const MAX_EXAMPLE = 4_096

class TooLarge extends Error {}

/** Nodes left for the schemas of a document. */
export type Budget = { nodes: number }
export const createBudget = (): Budget => ({ nodes: MAX_NODES })

function spend(budget: Budget, nodes: number): void {
  budget.nodes -= nodes
  if (budget.nodes < 0) throw new TooLarge()
}

/** @returns undefined if it is not a schema, or too large */
export function inlineSchema(schema: unknown, document: unknown, budget: Budget): JsonRecord | undefined {
  if (!isRecord(schema)) return undefined
  const inline = (value: unknown, depth: number): unknown => {
    spend(budget, 1)
    if (Array.isArray(value)) return value.map(item => inline(item, depth + 1))
    if (!isRecord(value)) return value
    if (depth > MAX_INLINE_DEPTH) return {}
    const whole = follow(value)
    return Object.fromEntries(Object.entries(whole).map(([key, item]) => [key, inline(item, depth + 1)]))
  }
  /** Replaces a reference by its target, which may be another reference; stops at a cycle. */
  const follow = (value: JsonRecord): JsonRecord => {
    const followed = new Set<string>()
    let whole = withoutNames(value)
    let reference = value.$ref
    while (typeof reference === 'string' && !followed.has(reference) && followed.size < MAX_INLINE_DEPTH) {
      followed.add(reference)
      const target = followReference(document, reference)
      if (!isRecord(target)) break
      reference = target.$ref
      whole = { ...withoutNames(target), ...whole }
    }
    return whole
  }
  /** Charges for every key before it copies. */
  const withoutNames = (value: JsonRecord): JsonRecord => {
    spend(budget, Object.keys(value).length)
    const { $ref: _, $id: __, $schema: ___, ...rest } = value
    return rest
  }
  try {
    return inline(schema, 0) as JsonRecord
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}

/** Cleans a schema. Drops the example if only that makes it too large; undefined if the schema itself is. */
export function boundSchema(schema: JsonRecord | undefined): JsonRecord | undefined {
  if (!schema) return undefined
  const { example, ...bare } = schema
  const cleaned = cleanJson(bare, MAX_SCHEMA)
  if (!isRecord(cleaned)) return undefined
  const shown = example === undefined ? undefined : cleanJson(example, MAX_EXAMPLE)
  const whole = shown === undefined ? cleaned : { ...cleaned, example: shown }
  return Object.keys(whole).length > 0 ? whole : undefined
}

/** A field of the input outside of its main part. */
export type PlacedField = {
  readonly name: string
  /** Its schema, with its place as `x-in`. */
  readonly field: JsonRecord
  readonly isRequired: boolean
}

/** The schema of an input as one object. A main part that is no object becomes one of its properties. */
export function joinInput(
  main: JsonRecord | undefined,
  placed: readonly PlacedField[],
): JsonRecord | undefined {
  if (placed.length === 0) return main
  const isObject = main === undefined || main.type === 'object' || isRecord(main.properties)
  const base: JsonRecord = isObject
    ? (main ?? {})
    : { properties: { body: { ...main, 'x-in': 'body' } }, required: ['body'] }
  const required = new Set([
    ...placed.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    ...(Array.isArray(base.required) ? base.required : []),
  ])
  return {
    ...base,
    type: 'object',
    properties: {
      ...Object.fromEntries(placed.map(({ name, field }) => [name, field])),
      ...asRecord(base.properties),
    },
    ...(required.size > 0 && { required: [...required] }),
  }
}

/** Follows one reference within the document. */
export function resolveReference(value: unknown, document: unknown): unknown {
  return isRecord(value) && typeof value.$ref === 'string' ? followReference(document, value.$ref) : value
}
