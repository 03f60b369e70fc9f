// The input schema and the description of a tool that pays a service, made from what strangers declare.
import { asRecord, isRecord, type JsonRecord } from '../json/json-record.ts'
import { isAllowedHeader } from '../samples/sample-headers.ts'

/** A JSON Schema of an object, as MCP requires. */
export type ToolInput = JsonRecord & { readonly type: 'object' }

/** The property that holds the whole input where that is no object. */
const WHOLE = 'body'
const MAX_DEPTH = 12

/**
 * The declared schema without what could fail or run for long in the host that compiles it: references, patterns and keywords that are
 * malformed. Without a schema, any field is accepted: nothing is known of what the service takes.
 */
export function toToolInput(input: JsonRecord = {}): ToolInput {
  if (!isObjectSchema(input))
    return { type: 'object', properties: { [WHOLE]: clean(input, 0) }, required: [WHOLE] }
  return { ...clean(withoutRefusedHeaders(input), 0), type: 'object' }
}

export type Place = 'path' | 'query' | 'header' | 'body' | 'fields' | 'refused'

/** Where the fields of the input go that are declared to have a place of their own; `body` is the whole body. */
export function findPlaces(input: JsonRecord = {}): readonly (readonly [name: string, place: Place])[] {
  if (!isObjectSchema(input)) return [[WHOLE, 'body']]
  return Object.entries(asRecord(input.properties)).flatMap(([name, property]): [string, Place][] => {
    const place = asRecord(property)['x-in']
    // A header that identifies or pays for the caller is sent nowhere.
    if (place === 'header') return [[name, isAllowedHeader(name) ? place : 'refused']]
    return place === 'path' || place === 'query' || place === 'body' ? [[name, place]] : []
  })
}

/** A schema cannot ask for a header that identifies or pays for the caller. */
function withoutRefusedHeaders(input: JsonRecord): JsonRecord {
  const refused = findPlaces(input)
    .filter(([, place]) => place === 'refused')
    .map(([name]) => name)
  if (refused.length === 0) return input
  const { properties, required } = input
  const kept = Object.entries(asRecord(properties)).filter(([name]) => !refused.includes(name))
  return {
    ...input,
    properties: Object.fromEntries(kept),
    ...(Array.isArray(required) && {
      required: required.filter(name => !refused.includes(name as string)),
    }),
  }
}

const isObjectSchema = ({ type, properties }: JsonRecord): boolean =>
  type === undefined ||
  type === 'object' ||
  isRecord(properties) ||
  (Array.isArray(type) && type.includes('object'))

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isText = (value: unknown): boolean => typeof value === 'string'
const TYPES = ['null', 'boolean', 'string', 'number', 'integer', 'array', 'object']
const isType = (value: unknown): boolean => TYPES.includes(value as string)

/** Keywords that are copied as they are, if their value has the right form. */
const COPIED: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: value => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
  enum: value => Array.isArray(value) && value.length > 0,
  const: () => true,
  required: value => Array.isArray(value) && value.every(isText),
  description: isText,
  minimum: isNumber,
  maximum: isNumber,
  minLength: isSize,
  maxLength: isSize,
  minItems: isSize,
  maxItems: isSize,
  examples: Array.isArray,
}

function clean(schema: JsonRecord, depth: number): JsonRecord {
  if (depth > MAX_DEPTH) return {}
  const inner = (value: unknown) => (isRecord(value) ? clean(value, depth + 1) : {})
  const { properties, items, additionalProperties, patternProperties, example } = schema
  const copied = Object.entries(COPIED)
    .filter(([name, isGood]) => Object.hasOwn(schema, name) && isGood(schema[name]))
    .map(([name]) => [name, name === 'required' || name === 'enum' ? unique(schema[name]) : schema[name]])
  // One form that fits is enough, as where the input is checked here.
  const forms = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  const all = listOf(schema.allOf)
  return Object.fromEntries([
    ...copied,
    ...(schema.nullable === true && isType(schema.type) ? [['type', [schema.type, 'null']]] : []),
    ...(forms.length > 0 ? [['anyOf', forms.map(inner)]] : []),
    ...(all.length > 0 ? [['allOf', all.map(inner)]] : []),
    ...(isRecord(properties)
      ? [
          [
            'properties',
            Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)])),
          ],
        ]
      : []),
    ...(isRecord(items) ? [['items', inner(items)]] : []),
    ...(additionalProperties === false && patternProperties === undefined
      ? [['additionalProperties', false]]
      : []),
    ...(example === undefined || Object.hasOwn(schema, 'examples') ? [] : [['examples', [example]]]),
  ]) as JsonRecord
}

const unique = (values: unknown): unknown[] => [
  ...new Map((values as unknown[]).map(value => [JSON.stringify(value), value])).values(),
]

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
