// Finds the terms in the reply to a tool call.

import { isRecord, type JsonRecord } from '../../domain/json.ts'
import { type BrokenTerms, looksLikeTerms, parseTerms, type RawTerms, readBody } from '../terms/read-terms.ts'

/**
 * Clients look into the structured content, the text or the metadata, so terms in any of them count. A result without
 * an error is the tool's product, whatever it looks like.
 */
export function findToolTerms({ result, error }: JsonRecord): (RawTerms | BrokenTerms)[] {
  const failed = isRecord(result) && result.isError === true ? result : {}
  const content = Array.isArray(failed.content) ? failed.content.filter(isRecord) : []
  const texts = content.flatMap(({ text, resource }) => [
    text,
    isRecord(resource) ? resource.text : undefined,
  ])
  return [
    ...[isRecord(error) ? error.data : undefined, failed.structuredContent, failed._meta].flatMap(place =>
      findTerms(place),
    ),
    ...content.flatMap(part => findTerms(part._meta)),
    ...texts.flatMap(text => (typeof text === 'string' ? readText(text) : [])),
  ]
}

function readText(text: string): (RawTerms | BrokenTerms)[] {
  const found = parseTerms('body', text.replace(/^\ufeff/, ''))
  if (!found) return readBody(text)
  return 'problem' in found ? [found] : findTerms(found.terms)
}

/** Nesting of terms in wrappers such as `x402/error` and `data`. */
const MAX_DEPTH = 4

function findTerms(value: unknown, depth = 0): RawTerms[] {
  if (!isRecord(value) || depth > MAX_DEPTH) return []
  const isTerms = looksLikeTerms(value)
  const inside = Object.entries(value).filter(([key]) => !isTerms || key.startsWith('x402/'))
  return [
    // As an HTTP response would carry them: version 2 in the header.
    ...(isTerms
      ? [{ from: value.x402Version === 2 ? ('header' as const) : ('body' as const), terms: value }]
      : []),
    ...inside.flatMap(([, nested]) => findTerms(nested, depth + 1)),
  ]
}
