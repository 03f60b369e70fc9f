// Finds the terms of payment in the header and the body of an answer, in every coding that a client may read them in.
import { type Message, say } from '../messages/message.ts'
import { ambiguousKey } from './ambiguous-keys.ts'
import { isRecord, type Json } from './strangers-json.ts'
import { shownValue } from './strangers-text.ts'

export type Found = {
  readonly from: 'header' | 'body'
  readonly terms: Json
  /** Only a lenient client reads it. */
  readonly isLoose?: boolean
}
/** Terms that nothing can be made of, although a client may. */
type Broken = { readonly from: 'header' | 'body'; readonly problem: Message }

/**
 * Several headers arrive joined by commas, and clients take the first, the last, or what a lenient decoder makes of all: each is read.
 * What only a lenient client can read is told as a problem, and still counts.
 */
export function readHeader(value: string | null | undefined): {
  found: readonly (Found | Broken)[]
  problems: readonly Message[]
} {
  const text = value?.trim()
  if (!text) return { found: [], problems: [] }
  // Both alphabets of base64, with or without padding, are seen; line folds leave white space.
  if (/^[A-Za-z0-9+/_\s-]+={0,2}$/.test(text)) {
    const found = parseTerms('header', decodeBase64(text))
    return found ? { found: [found], problems: [] } : { found: [], problems: [say('header_not_json')] }
  }
  const isJson = text.startsWith('{')
  const pieces = isJson ? [text] : [...text.split(','), text].map(decodeBase64)
  return {
    found: [...new Set(pieces)].flatMap(piece => {
      const found = parseTerms('header', piece)
      return found ? [{ ...found, isLoose: true }] : []
    }),
    problems: [say('header_not_base64', { holds: isJson ? 'json' : 'other' })],
  }
}

/** Foreign characters are passed over, as many decoders do. */
const decodeBase64 = (text: string): string =>
  Buffer.from(
    text
      .replaceAll('-', '+')
      .replaceAll('_', '/')
      .replace(/[^A-Za-z0-9+/]/g, ''),
    'base64',
  ).toString()

export function readBody(body: Uint8Array | string): (Found | Broken)[] {
  const found = parseTerms('body', typeof body === 'string' ? body : decodeText(body))
  if (!found || 'problem' in found) return found ? [found] : []
  const { terms } = found
  const isTerms = 'x402Version' in terms || 'accepts' in terms || ('payTo' in terms && 'scheme' in terms)
  return isTerms ? [found] : []
}

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

function parseTerms(from: 'header' | 'body', text: string): Found | Broken | undefined {
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
