// The catalog in the format of x402: lists and search as facilitators serve them, and what this origin says about itself.
import type { Bazaar } from '../../directory/bazaar.ts'
import {
  parseBazaarListQuery,
  parseBazaarMerchantQuery,
  parseBazaarSearchQuery,
} from '../../domain/bazaar-query.ts'
import { Encoded } from '../../domain/encoded.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { SUMMARY } from '../../runtime/version.ts'
import { answerJson } from '../pipeline/answer.ts'
import { toProblem } from '../pipeline/errors.ts'
import { queryOf, readQuery } from '../pipeline/query-string.ts'
import type { Answer, Exchange, Route } from '../pipeline/route.ts'

export type BazaarRouteParts = {
  readonly directory: Bazaar
  readonly directoryName: string
  /** What stands before the path in links; empty: links are relative. */
  readonly publicUrl: string
}

export function createBazaarRoutes({ directory, directoryName, publicUrl }: BazaarRouteParts): Route[] {
  const manifest = Encoded.of(toManifest(directoryName, publicUrl))
  return [
    createRoute('/discovery/resources', parseBazaarListQuery, query => directory.resources(query)),
    createRoute('/discovery/search', parseBazaarSearchQuery, query => directory.searchResources(query)),
    createRoute('/discovery/merchant', parseBazaarMerchantQuery, query => directory.merchantResources(query)),
    { path: '/.well-known/x402', methods: { GET: ({ request }) => answerJson(request, manifest) } },
  ]
}

/** The directory itself asks for no payment: there is nothing to pay for, and this is where to find what there is. */
export const toManifest = (name: string, publicUrl: string) => ({
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

function createRoute<Q>(
  path: string,
  parse: (input: unknown) => Q,
  ask: (query: Q) => Promise<Encoded<unknown>>,
): Route {
  const GET = async ({ request }: Exchange): Promise<Answer> => {
    try {
      return answerJson(request, await ask(readQuery(queryOf(request.url), parse).parsed))
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      return withErrorText(toProblem(error), error.message)
    }
  }
  return { path, methods: { GET } }
}

/** Clients of the format look for the sentence under `error`. */
const withErrorText = (answer: Answer, error: string): Answer => ({
  ...answer,
  body: JSON.stringify({ ...JSON.parse(answer.body as string), error }),
})
