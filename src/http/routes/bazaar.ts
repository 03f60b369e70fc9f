// The manifest of this origin in the format of x402, and its errors.
import { DirectoryError } from '../../domain/errors.ts'
import { Encoded } from '../../domain/json.ts'
import { SUMMARY } from '../../package/version.ts'
import { CACHED_HEADERS, failures, IF_NONE_MATCH, json, notModified, ok } from '../openapi/describe.ts'
import { answerJson, toProblem } from '../pipeline/answer.ts'
import type { Handler } from '../pipeline/route.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

export const isBazaar = (path: string): boolean => path.startsWith('/discovery/')

/** Clients of the format expect the sentence of an error as `error`. */
export const withErrorText =
  (handle: Handler): Handler =>
  async exchange => {
    try {
      return await handle(exchange)
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      return toProblem(error, { error: error.message })
    }
  }

/** The directory itself takes no payment: its manifest only points to the lists. */
const toManifest = (name: string, publicUrl: string) => ({
  version: 1,
  x402Version: 2,
  name,
  description: SUMMARY,
  resources: [],
  discovery: {
    resources: `${publicUrl}/discovery/resources`,
    search: `${publicUrl}/discovery/search`,
    merchant: `${publicUrl}/discovery/merchant`,
  },
  changes: `${publicUrl}/api/changes`,
  openapi: `${publicUrl}/openapi.json`,
})

const manifest: Endpoint = {
  operation: () => ({
    operationId: 'getManifest',
    tags: ['bazaar'],
    summary: 'Get the x402 manifest of this origin',
    description: 'The directory itself takes no payment; the manifest points to its lists.',
    parameters: [IF_NONE_MATCH],
    responses: {
      200: ok('The manifest', CACHED_HEADERS, json({ type: 'object' }, toManifest('Shirube', ''))),
      ...notModified(CACHED_HEADERS),
      ...failures('rate_limited', 'internal'),
    },
  }),
  create({ directoryName, publicUrl }) {
    const encoded = Encoded.of(toManifest(directoryName, publicUrl))
    return ({ request }) => answerJson(request, encoded)
  },
}

export const MANIFEST_ROUTE: ApiRoute = { path: '/.well-known/x402', methods: { GET: manifest } }
