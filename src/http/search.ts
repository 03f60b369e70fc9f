// Keyword search and intent search.
import type { Reads } from '../directory.ts'
import { type PlainKeywords, readPlainKeywords } from '../domain/plain-keywords.ts'
import { MAX_SEARCH_DEPTH, parseIntentQuery, parseKeywordQuery } from '../domain/queries.ts'
import { answerReady, JSON_TYPE, toReady } from './answer.ts'
import { createKeptAnswers } from './kept-answers.ts'
import { toKept } from './links.ts'
import { toReadyPage } from './page-answer.ts'
import { queryOf, readQuery } from './query-string.ts'
import type { Route } from './route.ts'

const KEYWORDS = '/api/catalog/search'
const INTENT = '/api/services/search/intent'

function readKeywords(question: string): PlainKeywords {
  const { parsed, parameters } = readQuery(question, parseKeywordQuery)
  return { query: parsed, kept: toKept(parameters) }
}

export function createSearchRoutes({ reads, publicUrl }: { reads: Reads; publicUrl: string }): Route[] {
  const keepPages = createKeptAnswers(reads)
  const address = `${publicUrl}${KEYWORDS}`
  const preparePage = (question: string) => {
    const { query, kept } = readPlainKeywords(question) ?? readKeywords(question)
    return toReadyPage(reads.search(query), { publicUrl, address, kept, query, depth: MAX_SEARCH_DEPTH })
  }
  const keepIntents = createKeptAnswers(reads)
  const prepareIntent = (question: string) => {
    const { parsed } = readQuery(question, parseIntentQuery)
    return toReady(reads.searchByIntent(parsed).bytes, JSON_TYPE)
  }
  return [
    {
      path: KEYWORDS,
      methods: { GET: ({ request }) => answerReady(request, keepPages(queryOf(request.url), preparePage)) },
    },
    {
      path: INTENT,
      methods: {
        GET: ({ request }) => answerReady(request, keepIntents(queryOf(request.url), prepareIntent)),
      },
    },
  ]
}
