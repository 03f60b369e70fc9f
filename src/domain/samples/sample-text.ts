/**
 * A text that matches a schema: by its format, else by its pattern, else by the name of its property. A pattern is only compared with
 * common ones, never executed: catastrophic backtracking would block the process.
 */

type Schema = Readonly<Record<string, unknown>>

/** Length of a sample; a schema can demand any minimum. */
const MAX_TEXT = 1_000
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
export const ANY_TEXT = 'example'

/** The text that follows from format, pattern or name; undefined if none is known. */
export const knownText = (schema: Schema, name: string): string | undefined =>
  byFormat(schema) ?? byPattern(schema) ?? byName(name)

/** @param name of the property, or empty */
export function sampleText(schema: Schema, name: string): string {
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
export const asCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
