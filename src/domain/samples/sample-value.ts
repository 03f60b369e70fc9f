// Values of a JSON Schema, for requests that nobody wrote: the example that it shows, or one that follows from it, or another of the same
// kind, which exposes a service that responds honestly to the shown example only. A text of unknown kind is not changed.
import { isRecord, type JsonRecord } from '../json.ts'

/** From 0 to 1, like Math.random. */
export type Draw = () => number

const HEX = '0123456789abcdef'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'

const WORDS =
  `river mountain coffee harbour train garden window paper silver orange winter market bridge doctor island guitar forest
  kitchen rocket morning camera library planet bicycle`.split(/\s+/)
const CITIES =
  'Osaka,Kyoto,Paris,Berlin,Lagos,Lima,Toronto,Mumbai,Oslo,Cairo,Seoul,Austin,Madrid,Nairobi'.split(',')

const KNOWN_LANGUAGES = 'en de fr es it pt ko zh'.split(' ')

type Kind = { readonly pattern: RegExp; readonly make: (shown: string, draw: Draw) => string }

/** By the pattern of the shown text; the first match decides. */
const KINDS: readonly Kind[] = [
  { pattern: /^0x[0-9a-f]+$/i, make: (shown, draw) => `0x${drawLetters(HEX, shown.length - 2, draw)}` },
  { pattern: /^https?:\/\//i, make: (_, draw) => `https://${drawHost(draw)}/${pick(WORDS, draw)}` },
  { pattern: /^[^\s@]+@[^\s@]+$/, make: (_, draw) => `${pick(WORDS, draw)}@${drawHost(draw)}` },
  { pattern: /^\d{4}-\d{2}-\d{2}/, make: (shown, draw) => `${drawDay(draw)}${shown.slice(10)}` },
  { pattern: /^\d{1,3}(\.\d{1,3}){3}$/, make: (_, draw) => `198.51.100.${1 + Math.floor(draw() * 254)}` },
  {
    pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    make: (shown, draw) => `${shown.slice(0, -12)}${drawLetters(HEX, 12, draw)}`,
  },
  { pattern: /^\d+$/, make: (shown, draw) => `1${drawLetters(DIGITS, shown.length - 1, draw)}` },
  { pattern: /^[a-z]{2}$/, make: (_, draw) => pick(KNOWN_LANGUAGES, draw) },
  { pattern: /^[A-Z]{2}$/, make: (_, draw) => pick(['JP', 'FR', 'BR', 'DE', 'KE', 'US'], draw) },
  { pattern: /^(USD|EUR|JPY|GBP|CHF)$/, make: (_, draw) => pick(['USD', 'EUR', 'JPY', 'GBP', 'CHF'], draw) },
  { pattern: /^[A-Z]{3,6}$/, make: (shown, draw) => drawLetters(LETTERS, shown.length, draw) },
  { pattern: /^[\w-]+(\.[\w-]+)+$/, make: (_, draw) => drawHost(draw) },
  { pattern: /^Tokyo$/, make: (_, draw) => pick(CITIES, draw) },
  {
    pattern: /^[\p{L}\p{N}\s.,:;!?'"()&-]+$/u,
    make: (_, draw) => `${pick(WORDS, draw)} ${pick(WORDS, draw)}`,
  },
]

/**
 * @param name of the property, or empty
 * @param shown the example of the schema, if any
 * @returns undefined if there is no example and no other text than the usual sample
 */
function otherText(schema: Schema, name: string, shown: string | undefined, draw: Draw): string | undefined {
  const known = knownText(schema, name)
  const isUnknownKind = (schema.pattern ?? schema.format) !== undefined && known === undefined
  const model = shown ?? known ?? ANY_TEXT
  const kind = isUnknownKind ? undefined : KINDS.find(({ pattern }) => pattern.test(model))
  const made = kind?.make(model, draw)
  return made !== undefined && fits(made, schema) ? made : shown
}

const fits = ({ length }: string, { minLength, maxLength }: Schema): boolean =>
  !(typeof minLength === 'number' && length < minLength) &&
  !(typeof maxLength === 'number' && length > maxLength)

/** Draws one of the values. */
const pick = <T>(values: readonly T[], draw: Draw): T =>
  values[Math.min(Math.floor(draw() * values.length), values.length - 1)]!

const drawLetters = (of: string, length: number, draw: Draw): string =>
  Array.from({ length }, () => pick([...of], draw)).join('')

const drawHost = (draw: Draw): string => `${pick(WORDS, draw)}.example.${pick(['com', 'net', 'org'], draw)}`

const drawDay = (draw: Draw): string => {
  const of = (count: number) => String(1 + Math.floor(draw() * count)).padStart(2, '0')
  return `2026-${of(12)}-${of(28)}`
}

/**
 * A text that matches a schema: by its format, else by its pattern, else by the name of its property. A pattern is only compared with
 * common ones, never executed: catastrophic backtracking would block the process.
 */

/** Length of a sample; a schema can demand any minimum. */
/** Longer patterns are not compared. */
const MAX_PATTERN = 200

const EVM_ADDRESS = `0x${'1'.repeat(40)}`
const EVM_HASH = `0x${'1'.repeat(64)}`
const SOLANA_ADDRESS = 'So11111111111111111111111111111111111111112'

/** RFC 3339 and others; any other format counts as plain text. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-15',
  'date-time': '2026-01-15T09:00:00Z',
  time: '09:00:00Z',
  duration: 'PT1H',
  email: 'name@example.com',
  'idn-email': 'name@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/',
  uuid: '0190a5b0-7c00-7000-8000-000000000000',
  'json-pointer': '/a',
  regex: '.*',
  byte: 'ZXhhbXBsZQ==',
}

/** By the source text of a pattern; the first match decides. */
const PATTERNS: readonly (readonly [source: RegExp, text: string])[] = [
  [/0x.*\{40\}/, EVM_ADDRESS],
  [/0x.*\{64\}/, EVM_HASH],
  [/1-9A-HJ-NP-Za-km-z/, SOLANA_ADDRESS],
  [/https?/i, FORMATS.uri!],
  [/\{4\}-.*\{2\}-.*\{2\}T/, FORMATS['date-time']!],
  [/\{4\}-.*\{2\}-.*\{2\}/, FORMATS.date!],
  [/\{8\}-.*\{4\}-.*\{12\}/, FORMATS.uuid!],
  [/@/, FORMATS.email!],
  [/^\^?\[A-Z\]\{3\}\$?$/, 'USD'],
  [/^\^?\[A-Z\]\{2\}\$?$/, 'US'],
  [/^\^?\[a-z\]\{2\}\$?$/, 'en'],
  [/^\^?(\\d|\[0-9\])[+*]\$?$/, '1'],
]

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

/** The text that follows from format, pattern or name; undefined if none is known. */
const knownText = (schema: Schema, name: string): string | undefined =>
  byFormat(schema) ?? byPattern(schema) ?? byName(name)

/** @param name of the property, or empty */
function sampleText(schema: Schema, name: string): string {
  const min = Math.min(asCount(schema.minLength) ?? 0, MAX_TEXT)
  const max = asCount(schema.maxLength) ?? MAX_TEXT
  const known = knownText(schema, name)
  // A known text that is too long is no better than any other text.
  const text = known !== undefined && known.length <= max ? known : ANY_TEXT
  return text.padEnd(min, 'x').slice(0, Math.max(max, min))
}

const byFormat = ({ format }: Schema): string | undefined =>
  typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined

function byPattern({ pattern }: Schema): string | undefined {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN) return undefined
  return PATTERNS.find(([source]) => source.test(pattern))?.[1]
}

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
/** Bound on the property names copied when schemas are merged. */
const MAX_COPIED = 16_384
/** An example up to four times as many characters of JSON is used. */
const MAX_TEXT = 1_000
/** Items of an array, merged alternatives, and steps of a reference. */
const MAX_ITEMS = 16

/**
 * @param root the document in which references are resolved
 * @param draw draws another text or member of an enum than the schema shows
 */
export function sampleValue(schema: unknown, root: unknown = schema, draw?: Draw): unknown {
  let left = MAX_VALUES
  let copies = MAX_COPIED

  /** Whether the budget is sufficient to copy them. */
  function affords(...schemas: readonly Schema[]): boolean {
    for (const schema of schemas) copies -= sizeOf(schema)
    return copies >= 0
  }

  /** @param name of the property, if it is one */
  function sample(unresolved: unknown, depth: number, name = ''): unknown {
    const schema = resolve(unresolved, depth)
    if (!schema || depth > MAX_DEPTH) return null
    const shown = draw ? otherValue(schema, name, draw) : shownValue(schema)
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
      const target = hops < MAX_DEPTH ? find(root, schema.$ref) : undefined
      if (!isRecord(target) || --left < 0 || !affords(target, schema)) return undefined
      const { $ref: _, ...siblings } = schema
      schema = { ...target, ...siblings }
    }
    const { allOf, anyOf, oneOf } = schema
    const parts = [
      ...(Array.isArray(allOf) ? allOf : []),
      ...[anyOf, oneOf].flatMap(options => (Array.isArray(options) ? [firstOf(options)] : [])),
    ]
    if (parts.length === 0 || depth > MAX_DEPTH) return schema
    if (!affords(schema)) return undefined
    let { allOf: _, anyOf: __, oneOf: ___, ...joined }: Schema = schema
    for (const part of parts.slice(0, MAX_ITEMS)) {
      const resolved = resolve(part, depth + 1)
      if (!resolved) continue
      if (!affords(joined, resolved)) return undefined
      joined = join(joined, resolved)
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

/** Numbers remain as shown, because the price may depend on a quantity. */
function otherValue(schema: Schema, name: string, draw: Draw): unknown {
  const shown = shownValue(schema)
  if (schema.const !== undefined) return shown
  const listed = [schema.enum, schema.examples].find(values => Array.isArray(values) && values.length > 1)
  if (listed) return bounded(pick(listed as unknown[], draw))
  const isText = typeof shown === 'string' || (shown === undefined && typeOf(schema) === 'string')
  return isText && !Array.isArray(schema.enum) ? otherText(schema, name, shown as string, draw) : shown
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

/** Resolves a path within the document, like `#/$defs/City`; other references are not followed. */
function find(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  const path = reference
    .slice(1)
    .split('/')
    .slice(1, 1 + MAX_ITEMS)
  let place: unknown = root
  for (const step of path) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined
    place = (place as Record<string, unknown>)[name]
  }
  return place
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

/** Number of names copied with it. */
const sizeOf = (schema: Schema): number =>
  Object.keys(schema).length +
  Object.keys(asObject(schema.properties)).length +
  asArray(schema.required).length

const asObject = (value: unknown): object => (isRecord(value) ? value : {})
const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
