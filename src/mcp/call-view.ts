// How to call a service, as agents get it with a search result: short, and from its endpoint's last observed terms.
import { z } from 'zod'
import { findTerms, type TermsReads } from '../directory/terms.ts'
import { resourceToCall } from '../domain/call/call.ts'
import { chooseRequirements } from '../domain/call/choose-requirements.ts'
import { toCallRequest } from '../domain/call/request.ts'
import type { Service } from '../domain/service.ts'
import type { TermsAnswer } from '../domain/terms.ts'
import { quote, toData } from './untrusted-text.ts'

/** Results with call details; get_service has them for any service. */
const MAX_PAYER_REPORTS = 5
/** Characters; get_service returns longer schemas. */
const MAX_SCHEMA = 2_000

export const callViewSchema = z
  .object({
    method: z.string(),
    url: z.string().describe('URL with path and query filled in'),
    body: z.unknown().optional().describe('A body that matches the schema'),
    tool: z.string().optional().describe('The tool, if the service is an MCP server'),
    input: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of the input'),
    price: z
      .string()
      .describe(
        'The price of a request that its endpoint was seen asking for, in whole units if the asset is known',
      ),
    asset: z.string(),
    seenAt: z.string(),
  })
  .describe(
    'How to call it and what it costs, as its endpoint was last seen; get_service has code that calls and pays it',
  )
type CallView = z.output<typeof callViewSchema>

function toCallView({ x402Config }: Service, terms: TermsAnswer): CallView | undefined {
  const resource = resourceToCall(terms)
  if (!resource) return undefined
  const { method, url, body } = toCallRequest(resource)
  const requirements =
    chooseRequirements(resource.accepts, terms.x402Version, x402Config) ?? resource.accepts[0]
  const isShort = JSON.stringify(resource.input ?? {}).length <= MAX_SCHEMA
  return toData({
    method,
    url,
    ...(body && { body: body.value }),
    ...(resource.tool !== undefined && { tool: resource.tool }),
    ...(resource.input && isShort && { input: resource.input }),
    price: `${requirements?.scheme === 'upto' ? 'up to ' : ''}${requirements?.price ?? `${requirements?.amount ?? 0} units`}`,
    asset: requirements?.assetName ?? requirements?.asset ?? '',
    seenAt: terms.seenAt,
  })
}

/** For the first results, by id. A service removed meanwhile has none. */
export async function readCallViews(
  directory: TermsReads,
  services: readonly Service[],
): Promise<Map<string, CallView>> {
  const read = services.slice(0, MAX_PAYER_REPORTS).map(async service => {
    const terms = await findTerms(directory, service.id).catch(() => undefined)
    const view = terms && toCallView(service, terms)
    return view ? [[service.id, view] as const] : []
  })
  return new Map((await Promise.all(read)).flatMap(each => each ?? []))
}

/** One line, for hosts without structured content. */
export const toCallLine = ({ method, url, price, asset }: CallView): string =>
  `Call: ${quote(method)} ${quote(url, 300)}, asks ${quote(`${price} ${asset}`, 100)}`
