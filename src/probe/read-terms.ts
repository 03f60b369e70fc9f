// Finds the terms of payment in the header and the body of an answer, in every coding that a client may read them in.
import { type Message, say } from '../messages/message.ts'
import { ambiguousKey } from './ambiguous-keys.ts'
import { isRecord, type Json } from './untrusted-json.ts'
import { shownValue } from './untrusted-text.ts'

export type RawTerms = {
  readonly from: 'header' | 'body'
  readonly terms: Json
  /** Only a lenient client reads it. */
  readonly isLoose?: boolean
}
/** Terms that nothing can be made of, although a client may. */
export type BrokenTerms = { readonly from: 'header' | 'body'; readonly problem: Message }

/**
 * Several headers arrive joined by commas, and clients take the first, the last, or what a lenient decoder makes of all: each is read.
 * What only a lenient client can read is told as a problem, and still counts. What cannot be read at all is never passed over:
 * clients of version 2 look nowhere else once there is a header.
 */
export function readHeader(value: string | null | undefined): {
  found: readonly (RawTerms | BrokenTerms)[]
  problems: readonly Message[]
} {
  const text = value?.trim()
  if (!text) return { found: [], problems: [] }
  // Both alphabets of base64, with or without padding, are seen. White space inside is read by lenient clients alone.
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) {
    const found = parseTerms('header', decodeBase64(text))
    return { found: [found ?? { from: 'header', problem: say('header_not_json') }], problems: [] }
  }
  const isJson = text.startsWith('{')
  const problem = say('header_not_base64', { holds: isJson ? 'json' : 'other' })
  const values = isJson ? [text] : text.split(',').filter(value => value.trim() !== '')
  const read = (value: string): RawTerms | BrokenTerms | undefined => {
    const found = parseTerms('header', isJson ? value : decodeBase64(value))
    return found && { ...found, isLoose: true }
  }
  const each = values.map(value => read(value) ?? { from: 'header' as const, problem })
  const all = values.length > 1 ? read(text) : undefined
  return { found: all ? [...each, all] : each, problems: [problem] }
}

/** Foreign characters are passed over, as many decoders do; a byte order mark is dropped, as the official client does. */
const decodeBase64 = (text: string): string =>
  new TextDecoder().decode(
    Buffer.from(
      text
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/[^A-Za-z0-9+/]/g, ''),
      'base64',
    ),
  )

/** Behind the marks and zeros of any encoding. */
const OPENS_OBJECT = /^[\s\0\xef\xbb\xbf\xfe\xff\ufeff]*\{/

/** A body that begins as an object and is none for us may be one for a client that knows more encodings, or `NaN`. */
export function readBody(body: Uint8Array | string): (RawTerms | BrokenTerms)[] {
  const found = parseTerms('body', typeof body === 'string' ? body : decodeText(body))
  if (found) return 'problem' in found || looksLikeTerms(found.terms) ? [found] : []
  const start = typeof body === 'string' ? body : Buffer.from(body).toString('latin1')
  return OPENS_OBJECT.test(start) ? [{ from: 'body', problem: say('body_not_json') }] : []
}

export const looksLikeTerms = (value: Json): boolean =>
  'x402Version' in value || 'accepts' in value || ('payTo' in value && 'scheme' in value)

/** JSON without a mark is told by where its first zeros are; clients that guess read it so. */
function decodeText(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff || (bytes[0] !== 0 && bytes[1] === 0)
      ? 'utf-16le'
      : bytes[0] === 0 || bytes[0] === 0xfe
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

export function parseTerms(from: 'header' | 'body', text: string): RawTerms | BrokenTerms | undefined {
  let terms: unknown
  try {
    terms = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(terms)) return undefined
  const key = ambiguousKey(text)
  return key === undefined
    ? { from, terms }
    : { from, problem: say('key_ambiguous', { key: shownValue(key) }) }
}
