// Values of a JSON Schema, for requests that nobody wrote: the example that it shows, or else one that follows from it.
import { followReference, isRecord, type JsonRecord } from '../json.ts'

// A text that matches a schema: by its format, else by the name of its property.

const EVM_ADDRESS = `0x${'1'.repeat(40)}`
const EVM_HASH = `0x${'1'.repeat(64)}`

/** RFC 3339 and others; any other format counts as plain text. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-15',
  'date-time': '2026-01-15T09:00:00Z',
  time: '09:00:00Z',
  duration: 'PT1H',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/',
  uuid: '0190a5b0-7c00-7000-8000-000000000000',
}

/** By the last word of a property's name. */
const NAMES: Readonly<Record<string, string>> = {
  url: FORMATS.uri!,
  uri: FORMATS.uri!,
  link: FORMATS.uri!,
  website: FORMATS.uri!,
  email: FORMATS.email!,
  domain: FORMATS.hostname!,
  hostname: FORMATS.hostname!,
  date: FORMATS.date!,
  timestamp: FORMATS['date-time']!,
  address: EVM_ADDRESS,
  wallet: EVM_ADDRESS,
  hash: EVM_HASH,
  ip: FORMATS.ipv4!,
  city: 'Tokyo',
  country: 'JP',
  currency: 'USD',
  language: 'en',
  lang: 'en',
  symbol: 'BTC',
}

/** If the schema does not state the meaning. */
const ANY_TEXT = 'example'

/** @param name of the property, or empty */
function sampleText(schema: Schema, name: string): string {
  const min = Math.min(asCount(schema.minLength) ?? 0, MAX_TEXT)
  const max = asCount(schema.maxLength) ?? MAX_TEXT
  const known = byFormat(schema) ?? byName(name)
  // A known text that is too long is no better than any other text.
  const text = known !== undefined && known.length <= max ? known : ANY_TEXT
  return text.padEnd(min, 'x').slice(0, Math.max(max, min))
}

const byFormat = ({ format }: Schema): string | undefined =>
  typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined

function byName(name: string): string | undefined {
  const last = name
    .slice(-64)
    .split(/(?=[A-Z][a-z])|[^A-Za-z]/)
    .at(-1)
    ?.toLowerCase()
  return last !== undefined && Object.hasOwn(NAMES, last) ? NAMES[last] : undefined
}

/** Returns undefined unless the value is a whole number from 0 on. */
const asCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined

/**
 * A value that matches a JSON Schema, for sample requests. Schemas are untrusted: depth and size are bounded, nothing outside of the
 * schema is fetched, and no pattern is executed, because catastrophic backtracking would block the process.
 */

type Schema = JsonRecord

/** Nested schemas, and references in a row, that are followed. */
const MAX_DEPTH = 8
/** Bound on the values created plus the schemas visited. */
const MAX_VALUES = 256
/** An example up to four times as many characters of JSON is used. */
const MAX_TEXT = 1_000
/** Items of an array, and merged alternatives. */
const MAX_ITEMS = 16

/** @param root the document in which references are resolved */
export function sampleValue(schema: unknown, root: unknown = schema): unknown {
  let left = MAX_VALUES

  /** @param name of the property, if it is one */
  function sample(unresolved: unknown, depth: number, name = ''): unknown {
    const schema = resolve(unresolved, depth)
    if (!schema || depth > MAX_DEPTH) return null
    const shown = shownValue(schema)
    if (shown !== undefined) return shown
    switch (typeOf(schema)) {
      case 'object':
        return sampleObject(schema, depth)
      case 'array':
        return sampleArray(schema, depth)
      case 'integer':
        return sampleNumber(schema, 1)
      case 'number':
        return sampleNumber(schema, 0)
      case 'boolean':
        return true
      case 'null':
        return null
      default:
        return sampleText(schema, name)
    }
  }

  /** Follows references and merges alternatives into one schema. */
  function resolve(unresolved: unknown, depth: number): Schema | undefined {
    if (--left < 0) return undefined
    if (unresolved === true) return {}
    if (!isRecord(unresolved)) return undefined
    let schema = unresolved
    for (let hops = 0; typeof schema.$ref === 'string'; hops++) {
      const target = hops < MAX_DEPTH ? followReference(root, schema.$ref) : undefined
      if (!isRecord(target) || --left < 0) return undefined
      const { $ref: _, ...siblings } = schema
      schema = { ...target, ...siblings }
    }
    const { allOf, anyOf, oneOf } = schema
    const parts = [
      ...(Array.isArray(allOf) ? allOf : []),
      ...[anyOf, oneOf].flatMap(options => (Array.isArray(options) ? [firstOf(options)] : [])),
    ]
    if (parts.length === 0 || depth > MAX_DEPTH) return schema
    let { allOf: _, anyOf: __, oneOf: ___, ...joined }: Schema = schema
    for (const part of parts.slice(0, MAX_ITEMS)) {
      const resolved = resolve(part, depth + 1)
      if (resolved) joined = join(joined, resolved)
    }
    return joined
  }

  function sampleObject(schema: Schema, depth: number): object {
    const properties = isRecord(schema.properties) ? schema.properties : {}
    const required = Array.isArray(schema.required)
      ? schema.required.filter(name => typeof name === 'string')
      : []
    const shown = Object.keys(properties).filter(name => hasShownValue(properties[name]))
    const names = [...new Set([...required, ...shown])].slice(0, MAX_VALUES)
    // A property named __proto__ is a property like any other.
    return Object.fromEntries(
      names.flatMap(name => {
        if (left <= 0) return []
        const property = Object.hasOwn(properties, name) ? properties[name] : { type: 'string' }
        return [[name, sample(property, depth + 1, name)]]
      }),
    )
  }

  function sampleArray(schema: Schema, depth: number): unknown[] {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems.slice(0, MAX_ITEMS) : []
    const count = Math.min(Math.max(asCount(schema.minItems) ?? 1, first.length), MAX_ITEMS)
    const max = asCount(schema.maxItems) ?? count
    return Array.from({ length: Math.min(count, max) }, (_, i) =>
      sample(first[i] ?? schema.items ?? { type: 'string' }, depth + 1),
    )
  }

  return sample(schema, 0)
}

/** The value that the schema itself shows. */
function shownValue(schema: Schema): unknown {
  if (schema.const !== undefined) return bounded(schema.const)
  if (schema.example !== undefined) return bounded(schema.example)
  if (Array.isArray(schema.examples) && schema.examples[0] !== undefined) return bounded(schema.examples[0])
  if (schema.default !== undefined && schema.default !== null) return bounded(schema.default)
  if (Array.isArray(schema.enum) && schema.enum[0] !== undefined) return bounded(schema.enum[0])
  return undefined
}

const hasShownValue = (property: unknown): boolean =>
  isRecord(property) && ['example', 'examples', 'default', 'const'].some(key => property[key] !== undefined)

/** Omits an example that is too large. */
const bounded = (value: unknown): unknown =>
  JSON.stringify(value).length <= MAX_TEXT * 4 ? value : undefined

function typeOf(schema: Schema): unknown {
  const { type } = schema
  if (Array.isArray(type)) return type.find(name => name !== 'null') ?? 'null'
  if (typeof type === 'string') return type
  if (isRecord(schema.properties) || Array.isArray(schema.required)) return 'object'
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array'
  if (schema.minimum !== undefined || schema.maximum !== undefined) return 'number'
  return 'string'
}

/** @param smallest step between two values; 0: any number is allowed */
function sampleNumber(schema: Schema, smallest: 0 | 1): number {
  const step = number(schema.multipleOf) ?? smallest
  const above = number(schema.exclusiveMinimum)
  const below = number(schema.exclusiveMaximum)
  const low = number(schema.minimum) ?? (above === undefined ? undefined : above + (step || 0.5))
  const high = number(schema.maximum) ?? (below === undefined ? undefined : below - (step || 0.5))
  const wanted = low ?? (high !== undefined && high < 1 ? high : 1)
  const value = step > 0 ? Math.ceil(wanted / step) * step : wanted
  const fits = high === undefined || value <= high
  return fits ? value : step > 0 ? Math.floor(high / step) * step : high
}

/** The first alternative that is not null. */
const firstOf = (options: readonly unknown[]): unknown =>
  options.find(option => isRecord(option) && option.type !== 'null') ?? options[0]

const join = (a: Schema, b: Schema): Schema => ({
  ...b,
  ...a,
  ...((a.properties ?? b.properties) !== undefined && {
    properties: { ...asObject(b.properties), ...asObject(a.properties) },
  }),
  ...((a.required ?? b.required) !== undefined && {
    required: [...asArray(a.required), ...asArray(b.required)],
  }),
})

const asObject = (value: unknown): object => (isRecord(value) ? value : {})
const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
