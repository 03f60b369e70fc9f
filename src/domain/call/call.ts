// How to call a service: text that can be pasted and run, made from what its endpoint was seen to ask for.
import { z } from 'zod'
import { createQueryReader } from '../read-query.ts'
import type { ResourceTerms, SeenTerms } from '../terms.ts'
import { chooseWay } from './choose-way.ts'
import { toCurlCall } from './curl.ts'
import { toMcpCall } from './mcp.ts'
import { toPythonCall } from './python.ts'
import { toCallRequest } from './request.ts'
import { toTypeScriptCall } from './typescript.ts'

export const CALL_LANGUAGES = ['typescript', 'python', 'curl', 'mcp'] as const
export type CallLanguage = (typeof CALL_LANGUAGES)[number]

export const callQuerySchema = z.object({
  for: z
    .enum(CALL_LANGUAGES, { error: `must be one of ${CALL_LANGUAGES.join(', ')}` })
    .default('typescript')
    .describe(`What the text is for: ${CALL_LANGUAGES.join(', ')}`),
})
export type CallQuery = z.output<typeof callQuerySchema>

export const parseCallQuery: (input: unknown) => CallQuery = createQueryReader(callQuerySchema)

type Listed = { readonly id: string; readonly x402Config: { readonly network: string } }

/** @param service as it is listed */
export function toCall(
  { id, x402Config }: Listed,
  terms: Pick<SeenTerms, 'resources' | 'x402Version'>,
  language: CallLanguage,
): string {
  const { network } = x402Config
  const resource = resourceToCall(terms, network)
  const request = toCallRequest(resource)
  const way = chooseWay(resource.accepts, terms.x402Version, network)
  switch (language) {
    case 'typescript':
      return toTypeScriptCall(request, way)
    case 'python':
      return toPythonCall(request, way)
    case 'curl':
      return toCurlCall(request, resource.accepts, terms.x402Version)
    case 'mcp':
      return toMcpCall({ resource, request, way, name: id.replace(/\W/g, '-') })
  }
}

/** The one that was asked comes first; of those a client can pay, if there is one. */
export const resourceToCall = (
  { resources, x402Version }: Pick<SeenTerms, 'resources' | 'x402Version'>,
  network: string,
): ResourceTerms => resources.find(({ accepts }) => chooseWay(accepts, x402Version, network)) ?? resources[0]!
