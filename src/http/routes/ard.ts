// The catalog as a registry of Agentic Resource Discovery: its search, over the intent search.
import { serviceExample } from '../../directory/examples.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { ARD_PATH, passesArd, readArdSearch, toArdEntry } from '../../domain/formats/ard.ts'
import { parseIntentQuery } from '../../domain/queries/queries.ts'
import {
  BODY_FAILURES,
  COMMON_HEADERS,
  failures,
  json,
  jsonBody,
  ok,
  READ_FAILURES,
  schemaRef,
} from '../openapi/describe.ts'
import { JSON_TYPE, toProblem } from '../pipeline/answer.ts'
import { addressFor, bearerOf } from '../pipeline/caller.ts'
import { queryOf, readJsonObject, refuseParameters } from '../pipeline/request.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

const MAX_MATCHED = 100
const DEFAULT_PAGE = 10

const exampleBase = 'https://directory.example'

const search: Endpoint = {
  operation: () => ({
    operationId: 'searchRegistry',
    tags: ['bazaar'],
    summary: 'Search services in the ARD format',
    description: `The intent search in the form of ARD: best first, ${MAX_MATCHED} at most, without weak hits. Other registries are not queried.`,
    requestBody: jsonBody(schemaRef('ArdSearchRequest'), {
      query: { text: 'weather forecast', filter: { 'metadata.status': ['verified'] } },
      pageSize: 5,
    }),
    responses: {
      200: ok(
        'Entries',
        COMMON_HEADERS,
        json(schemaRef('ArdSearch'), {
          results: [
            { ...toArdEntry(serviceExample, exampleBase), score: 91, source: `${exampleBase}${ARD_PATH}/` },
          ],
        }),
      ),
      ...failures(...BODY_FAILURES, 'unauthorized', ...READ_FAILURES),
    },
  }),
  create:
    ({ directory, publicUrl }) =>
    async exchange => {
      const { request } = exchange
      try {
        const body = await readJsonObject(request)
        refuseParameters(queryOf(request.url))
        const { query, federation, pageSize = DEFAULT_PAGE, pageToken } = readArdSearch(body)
        const base = addressFor(exchange, publicUrl)
        const { reads } = await directory.forKey(bearerOf(request.headers.get('authorization')))
        const found = reads
          .searchByIntent(parseIntentQuery({ q: query.text, limit: String(MAX_MATCHED) }))
          .decode()
          .results.filter(({ weak }) => !weak)
          .map(({ service, score }) => ({ entry: toArdEntry(service, base), score }))
          .filter(({ entry }) => passesArd(query.filter ?? {}, entry))
        const from = Number(pageToken ?? 0)
        const until = from + Math.min(pageSize, MAX_MATCHED)
        const answer = {
          results: found.slice(from, until).map(({ entry, score }) => ({
            ...entry,
            score: Math.round(Math.min(1, Math.max(0, score)) * 100),
            source: `${base}${ARD_PATH}/`,
          })),
          ...(federation === 'referrals' && { referrals: [] }),
          ...(until < found.length && { pageToken: String(until) }),
        }
        // Entries contain the requested address, so they must not be cached.
        const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }
        return { status: 200, headers, body: JSON.stringify(answer) }
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        // Clients of the format expect these two fields.
        const { code, message } = error
        const errorCode = code === 'invalid_request' ? 'INVALID_ARGUMENT' : code.toUpperCase()
        return toProblem(error, { errorCode, message })
      }
    },
}

export const ARD_ROUTES: readonly ApiRoute[] = [
  { path: `${ARD_PATH}/search`, cost: 10, methods: { POST: search } },
]
