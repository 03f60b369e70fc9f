// Keyword search and intent search.
import type { LocalDirectory } from '../../directory/directory.ts'
import { type PlainKeywords, readPlainKeywords } from '../../domain/plain-keywords.ts'
import { MAX_SEARCH_DEPTH, parseIntentQuery, parseKeywordQuery } from '../../domain/queries.ts'
import { answerReady, JSON_TYPE, toReady } from '../pipeline/answer.ts'
import { createKeptAnswers } from '../pipeline/kept-answers.ts'
import { toKept } from '../pipeline/links.ts'
import { createPageHandler, toReadyPage } from '../pipeline/page-answer.ts'
import { queryOf, readQuery } from '../pipeline/query-string.ts'
import type { Route } from '../pipeline/route.ts'

const KEYWORDS = '/api/catalog/search'
const INTENT = '/api/services/search/intent'

function readKeywords(question: string): PlainKeywords {
  const { parsed, parameters } = readQuery(question, parseKeywordQuery)
  return { query: parsed, kept: toKept(parameters) }
}

export function createSearchRoutes({
  directory,
  publicUrl,
}: {
  readonly directory: LocalDirectory
  readonly publicUrl: string
}): Route[] {
  const { reads } = directory
  const address = `${publicUrl}${KEYWORDS}`
  const depth = MAX_SEARCH_DEPTH
  const answerPage = createPageHandler({
    keep: createKeptAnswers(reads),
    read: question => readPlainKeywords(question) ?? readKeywords(question),
    page: query => reads.search(query),
    pageLater: query => directory.search(query),
    toReady: (page, { query, kept }) => toReadyPage(page, { publicUrl, address, kept, query, depth }),
  })
  const keepIntents = createKeptAnswers(reads)
  const prepareIntent = (question: string) => {
    const { parsed } = readQuery(question, parseIntentQuery)
    return toReady(reads.searchByIntent(parsed).bytes, JSON_TYPE)
  }
  return [
    {
      path: KEYWORDS,
      methods: { GET: answerPage },
    },
    {
      path: INTENT,
      methods: {
        GET: ({ request }) => answerReady(request, keepIntents(queryOf(request.url), prepareIntent)),
      },
    },
  ]
}
