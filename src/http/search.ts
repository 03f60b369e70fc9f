// Keyword search and intent search.
import type { Reads } from '../directory.ts'
import { MAX_SEARCH_DEPTH, parseIntentQuery, parseKeywordQuery } from '../domain/queries.ts'
import { answerJson } from './answer.ts'
import { toLinkHeader } from './links.ts'
import { queryOf, readQuery } from './query-string.ts'
import type { Handler, Route } from './route.ts'

const KEYWORDS = '/api/catalog/search'
const INTENT = '/api/services/search/intent'

export function createSearchRoutes({ reads, publicUrl }: { reads: Reads; publicUrl: string }): Route[] {
  const byKeyword: Handler = ({ request }) => {
    const { parsed, parameters } = readQuery(queryOf(request.url), parseKeywordQuery)
    const { services, total } = reads.search(parsed)
    const { offset, limit } = parsed
    const address = `${publicUrl}${KEYWORDS}`
    return answerJson(request, services, {
      Link: toLinkHeader({ address, parameters, offset, limit, total, depth: MAX_SEARCH_DEPTH }),
      ...(total !== undefined && { 'X-Total-Count': String(total) }),
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
