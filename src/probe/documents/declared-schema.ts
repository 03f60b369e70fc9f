// Makes JSON Schemas of what providers write to describe a request or a response: schemas, fields with type names,
// descriptions of fields, or only an example.
import { isRecord, type JsonRecord } from '../../domain/json.ts'

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
