// How to call a service, as agents get it with a search result: short, and from its endpoint's last observed terms.
import { z } from 'zod'
import { findTerms, type ServiceRecords } from '../directory/service-records.ts'
import { resourceToCall } from '../domain/call/call.ts'
import { chooseRequirements, toCallRequest } from '../domain/call/request.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Service } from '../domain/listing/service.ts'
import type { TermsAnswer } from '../domain/terms/terms.ts'
import { mapBounded } from '../runtime/map-bounded.ts'
import { quote, stripInvisible, toData } from './untrusted-text.ts'

/** Results with call details; get_service has them for any service. */
const MAX_CALLS = 5
/** Reads of terms in progress: over a directory's URL each is a request. */
const MAX_READS = 8
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

export type SeenOfResult = {
  /** For the first results. An endpoint that asks to pay another wallet or network has none: nothing there may be paid by this listing. */
  readonly call?: CallView
  /** Where the endpoint asks for other or more than is listed. */
  readonly warnings: readonly string[]
}

const UNREAD = 'What its endpoint asks for could not be read; call get_service before you pay.'

const WARNINGS: readonly string[] = ['asks_other_wallet', 'asks_other_network']

const toWarnings = ({ notes, noteCodes, asListed }: TermsAnswer): string[] =>
  notes
    .filter((_, i) => {
      const code = noteCodes[i]?.code ?? ''
      return WARNINGS.includes(code) || (code === 'seen_asking' && asListed.price === 'higher')
    })
    .map(note => stripInvisible(note, 400))

/** For every result, by id: a price that was read for the first ones alone would let the others list what they do not ask. */
export async function readSeenOfResults(
  directory: ServiceRecords,
  services: readonly Service[],
): Promise<ReadonlyMap<string, SeenOfResult>> {
  const distinct = [...new Map(services.map(service => [service.id, service])).values()]
  const read = await mapBounded(
    distinct,
    MAX_READS,
    async (service, i): Promise<[string, SeenOfResult][]> => {
      const terms = await findTerms(directory, service.id).catch(toUnread)
      if (!terms) return []
      if (terms === 'unread') return [[service.id, { warnings: [UNREAD] }]]
      const call = i < MAX_CALLS && terms.asListed.address ? toCallView(service, terms) : undefined
      return [[service.id, { ...(call && { call }), warnings: toWarnings(terms) }]]
    },
  )
  return new Map(read.flat())
}

/** A service removed meanwhile has no terms. Any other error may hide that another wallet is asked for. */
const toUnread = (error: unknown): 'unread' | undefined =>
  error instanceof DirectoryError && error.code === 'not_found' ? undefined : 'unread'

/** For hosts without structured content. */
export const toSeenText = ({ call, warnings }: SeenOfResult): string =>
  [...warnings.map(warning => `WARNING: ${quote(warning, 400)}`), ...(call ? [toCallText(call)] : [])]
    .map(text => `. ${text}`)
    .join('')

const toCallText = ({ method, url, price, asset }: CallView): string =>
  `Call: ${quote(method)} ${quote(url, 300)}, asks ${quote(`${price} ${asset}`, 100)}`
