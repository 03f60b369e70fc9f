// How to call a service: a snippet to paste and run, generated from the terms that its endpoint was seen to declare.

import { z } from 'zod'
import { say } from '../../messages/message.ts'
import { DirectoryError } from '../errors.ts'
import type { Service } from '../listing/service.ts'
import { expecting } from '../problems.ts'
import { createQueryReader } from '../queries/read-query.ts'
import type { ResourceTerms, SeenTerms } from '../terms/terms.ts'
import { chooseRequirements, findUnpayableReason, toCallRequest, withSpendingLimit } from './request.ts'
import { toCurlCall, toPythonCall, toTypeScriptCall } from './snippets.ts'
import { toMcpCall } from './tool.ts'

export const CALL_LANGUAGES = ['typescript', 'python', 'curl', 'mcp'] as const
export type CallLanguage = (typeof CALL_LANGUAGES)[number]

export const callQuerySchema = z.object({
  for: z
    .enum(CALL_LANGUAGES, { error: expecting('not_one_of', { values: CALL_LANGUAGES }) })
    .default('typescript')
    .describe(`Language or format of the snippet: ${CALL_LANGUAGES.join(', ')}`),
})
export type CallQuery = z.output<typeof callQuerySchema>

export const parseCallQuery: (input: unknown) => CallQuery = createQueryReader(callQuerySchema)

type Listed = Pick<Service, 'id' | 'name' | 'description' | 'pricing' | 'x402Config'>

/** @throws DirectoryError `no_terms` */
export function toCall(
  listed: Listed,
  terms: Pick<SeenTerms, 'resources' | 'x402Version'>,
  language: CallLanguage,
): string {
  const { id, pricing, x402Config } = listed
  const resource = resourceToCall(terms)
  if (!resource) throw new DirectoryError('no_terms', say('terms_never_seen'))
  const request = toCallRequest(resource)
  const chosen = chooseRequirements(resource.accepts, terms.x402Version, x402Config)
  const requirements = chosen && withSpendingLimit(chosen, pricing)
  const payment = requirements ?? findUnpayableReason(resource.accepts, x402Config)
  switch (language) {
    case 'typescript':
      return toTypeScriptCall(request, payment)
    case 'python':
      return toPythonCall(request, payment)
    case 'curl':
      return toCurlCall(request, resource.accepts, terms.x402Version)
    case 'mcp':
      return toMcpCall({ listed, resource, request, payment, name: id.replace(/\W/g, '-') })
  }
}

/** Whether an official client can pay the listed wallet; else the text only requests the terms. */
export function isPaidByCall(
  { x402Config }: Pick<Listed, 'x402Config'>,
  terms: Pick<SeenTerms, 'resources' | 'x402Version'>,
): boolean {
  const accepts = resourceToCall(terms)?.accepts ?? []
  return chooseRequirements(accepts, terms.x402Version, x402Config) !== undefined
}

/** The resource whose response was judged. A resource that only a document names may request any payment, to anybody. */
export const resourceToCall = ({ resources }: Pick<SeenTerms, 'resources'>): ResourceTerms | undefined =>
  resources.find(({ source }) => source === '402')
