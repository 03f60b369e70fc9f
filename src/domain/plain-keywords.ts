// Reads a keyword query that holds plain words and nothing else by hand, to what the schema makes of it, as plain-list.ts does
// with lists.
import { type KeywordQuery, MAX_QUERY_LENGTH, STANDARD_LIMIT } from './queries.ts'

/** Nothing to decode but spaces, in either way to write them, and nothing else that a link would have to encode. */
const WORDS = /^q=(?:[\w.+-]|%20)+$/

export type PlainKeywords = {
  readonly query: KeywordQuery
  /** What is asked besides the page, as it stands in links: with a `&` behind it. */
  readonly kept: string
}

/**
 * @param question what stands behind the `?`
 * @returns undefined: the schema shall judge it, and say what is wrong
 */
export function readPlainKeywords(question: string): PlainKeywords | undefined {
  if (!WORDS.test(question)) return undefined
  const encoded = question.includes('+') ? question.replaceAll('+', '%20') : question
  const q = encoded.slice('q='.length).replaceAll('%20', ' ')
  if (q.length > MAX_QUERY_LENGTH || q.trim() === '') return undefined
  return { query: { q, limit: STANDARD_LIMIT, offset: 0 }, kept: `${encoded}&` }
}
