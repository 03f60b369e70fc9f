// Keyword search and intent search.
import type { Reads } from '../directory.ts'
import { MAX_SEARCH_DEPTH, parseIntentQuery, parseKeywordQuery } from '../domain/queries.ts'
import { answerJson } from './answer.ts'
import { answerPage } from './page-answer.ts'
import { queryOf, readQuery } from './query-string.ts'
import type { Handler, Route } from './route.ts'

const KEYWORDS = '/api/catalog/search'
const INTENT = '/api/services/search/intent'

export function createSearchRoutes({ reads, publicUrl }: { reads: Reads; publicUrl: string }): Route[] {
  const byKeyword: Handler = ({ request }) => {
    const { parsed, parameters } = readQuery(queryOf(request.url), parseKeywordQuery)
    const address = `${publicUrl}${KEYWORDS}`
    return answerPage(request, reads.search(parsed), {
      publicUrl,
      address,
      parameters,
      query: parsed,
      depth: MAX_SEARCH_DEPTH,
    })
  }
  const byIntent: Handler = ({ request }) => {
    const { parsed } = readQuery(queryOf(request.url), parseIntentQuery)
    return answerJson(request, reads.searchByIntent(parsed))
  }
  return [
    { path: KEYWORDS, methods: { GET: byKeyword } },
    { path: INTENT, methods: { GET: byIntent } },
  ]
}
