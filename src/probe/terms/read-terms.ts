// Finds the terms in the header and the body of a response, in every encoding that a client may accept.

import { isRecord, type JsonRecord } from '../../domain/json.ts'
import { type Message, say } from '../../messages/message.ts'
import { ambiguousKey } from '../untrusted/ambiguous-keys.ts'
import { shownValue } from '../untrusted/untrusted-text.ts'

export type RawTerms = {
  readonly from: 'header' | 'body'
  readonly terms: JsonRecord
  /** Only lenient clients can read it. */
  readonly isLoose?: boolean
}
/** Terms that cannot be parsed here, although a client may be able to. */
export type BrokenTerms = { readonly from: 'header' | 'body'; readonly problem: Message }

/**
 * Repeated headers arrive joined by commas, and clients take the first, the last, or what a lenient decoder makes of
 * all, so each is read. Terms for lenient clients only are reported as a problem, and still count. An unreadable header
 * is never ignored: clients of version 2 do not fall back to the body.
 */
export function readHeader(value: string | null | undefined): {
  found: readonly (RawTerms | BrokenTerms)[]
  problems: readonly Message[]
} {
  const text = value?.trim()
  if (!text) return { found: [], problems: [] }
  // Both base64 alphabets, with or without padding, are common. Only lenient clients accept white space inside.
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

/** Skips other characters, as many decoders do; TextDecoder drops a byte order mark, as the official client does. */
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

/** After the byte order marks and zero bytes of any encoding. */
const OPENS_OBJECT = /^[\s\0\xef\xbb\xbf\xfe\xff\ufeff]*\{/

/** A body that starts like an object but does not parse may be readable for a client that accepts more encodings, or `NaN`. */
export function readBody(body: Uint8Array | string): (RawTerms | BrokenTerms)[] {
  const found = parseTerms('body', typeof body === 'string' ? body : decodeText(body))
  if (found) return 'problem' in found || looksLikeTerms(found.terms) ? [found] : []
  const start = typeof body === 'string' ? body : Buffer.from(body).toString('latin1')
  return OPENS_OBJECT.test(start) ? [{ from: 'body', problem: say('body_not_json') }] : []
}

export const looksLikeTerms = (value: JsonRecord): boolean =>
  'x402Version' in value || 'accepts' in value || ('payTo' in value && 'scheme' in value)

/** Without a byte order mark the encoding is detected by the first zero bytes, as some clients do. */
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
