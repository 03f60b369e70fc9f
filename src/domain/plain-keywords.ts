// Reads a keyword query that holds plain words and nothing else by hand, to what the schema makes of it, as plain-list.ts does
// with lists.
import { type KeywordQuery, MAX_QUERY_LENGTH, STANDARD_LIMIT } from './queries.ts'

/** Nothing that would have to be decoded, or that a link would have to encode. */
const IS_PLAIN = new Uint8Array(128)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-')
  IS_PLAIN[char.charCodeAt(0)] = 1

const PLUS = 0x2b
const PERCENT = 0x25
const BEGINNING = 'q='
const SPACE = '%20'

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
  if (!question.startsWith(BEGINNING)) return undefined
  let q = ''
  let hasPlus = false
  let hasWord = false
  let from = BEGINNING.length
  // By hand: a pattern and three replacements are a dozen functions of the runtime, which a busy server has to fetch anew.
  for (let at = from; at < question.length; at++) {
    const unit = question.charCodeAt(at)
    if (IS_PLAIN[unit] === 1) {
      hasWord = true
      continue
    }
    if (unit === PLUS) hasPlus = true
    else if (unit !== PERCENT || !question.startsWith(SPACE, at)) return undefined
    q += `${question.slice(from, at)} `
    if (unit === PERCENT) at += SPACE.length - 1
    from = at + 1
  }
  q += question.slice(from)
  if (q.length > MAX_QUERY_LENGTH || !hasWord) return undefined
  const encoded = hasPlus ? question.replaceAll('+', SPACE) : question
  return { query: { q, limit: STANDARD_LIMIT, offset: 0 }, kept: `${encoded}&` }
}
