// The terms of a service as they are stored and shown: those that the probed resource returned, completed and followed by what the
// documents of its origin declare.

import { isRecord } from '../../domain/json.ts'
import type { ProbeRequest } from '../../domain/standing/judge.ts'
import { MAX_RESOURCES, type ResourceTerms } from '../../domain/terms/terms.ts'
import type { ProbeResponse } from '../probe-session.ts'
import { toResourceTerms } from '../terms/declared.ts'
import { readEntry, toPaymentRequirements } from '../terms/payment-requirements.ts'
import { type DocumentedResource, fitsEndpoint, toTemplate } from './documented.ts'

const MAX_OPTIONS_EACH = 16
/** Characters of all schemas stored with a service; further resources are listed without theirs. */
const MAX_SCHEMAS = 65_536

/** @param probed terms of the probed resource, if any were read */
export function toResources(
  probed: ResourceTerms | undefined,
  documented: readonly DocumentedResource[],
  request: ProbeRequest | undefined,
): ResourceTerms[] {
  const listed = new Set<string>()
  let left = MAX_SCHEMAS
  const own = probed && request ? documented.find(resource => isOfRequest(resource, request)) : undefined
  const first = probed ? [own ? completed(probed, own) : probed] : []
  if (probed) listed.add(resourceKey(probed))
  if (own) listed.add(resourceKey(toTerms(own)))
  const others = documented
    .filter(({ isPaid }) => isPaid)
    .map(toTerms)
    .filter(terms => !listed.has(resourceKey(terms)) && listed.add(resourceKey(terms)))
    .map(terms => {
      const { input, output, ...bare } = terms
      left -= JSON.stringify([input, output]).length
      return left < 0 ? bare : terms
    })
  return [...first, ...others].slice(0, MAX_RESOURCES)
}

/**
 * Keeps what documents declared before until they are read again, also about the probed resource.
 * @param now of a probe that did not read all documents
 */
export function withUnread(now: readonly ResourceTerms[], before: readonly ResourceTerms[]): ResourceTerms[] {
  const [first, ...named] = now
  if (!first) return []
  const same = before.find(
    resource => resource.source === '402' && resourceKey(resource) === resourceKey(first),
  )
  const listed = new Set([first, ...named].map(resourceKey))
  const unread = before.filter(resource => resource.source !== '402' && !listed.has(resourceKey(resource)))
  return [same ? completed(first, same) : first, ...named, ...unread].slice(0, MAX_RESOURCES)
}

const resourceKey = ({ method, url, tool = '' }: ResourceTerms) => `${method} ${url} ${tool}`

const isOfRequest = ({ url, method = 'GET', tool }: DocumentedResource, request: ProbeRequest): boolean =>
  method === request.method && tool === request.tool && fitsEndpoint(url, request.place?.url ?? request.url)

/** Fills in from the document what the 402 leaves out. */
function completed(
  probed: ResourceTerms,
  {
    input,
    output,
    description,
    mimeType,
  }: Pick<ResourceTerms, 'input' | 'output' | 'description' | 'mimeType'>,
): ResourceTerms {
  return {
    ...(input && { input }),
    ...(output && { output }),
    ...(description && { description }),
    ...(mimeType && { mimeType }),
    ...probed,
  }
}

function toTerms({
  url,
  method = 'GET',
  accepts,
  isPaid: _,
  ...declared
}: DocumentedResource): ResourceTerms {
  const options = accepts.slice(0, MAX_OPTIONS_EACH).flatMap(entry => {
    const version = isRecord(entry) && 'maxAmountRequired' in entry ? 1 : 2
    const read = readEntry(entry, 'accepts', version)
    return 'payment' in read ? [toPaymentRequirements(read.payment)] : []
  })
  const { price, ...rest } = declared
  const routeTemplate = toTemplate(url)
  return {
    url,
    method,
    ...rest,
    ...(routeTemplate && { routeTemplate }),
    ...(price && { declaredPrice: price }),
    accepts: options,
    extensions: [],
  }
}

/** @returns undefined if the response has no readable terms */
export function toOwnTerms({ request, reading, declared }: ProbeResponse): ResourceTerms | undefined {
  if (!reading?.readable) return undefined
  const { url, method, tool, place } = request
  return {
    ...declared,
    ...toResourceTerms(reading, { url, ...place, method, ...(tool !== undefined && { tool }) }),
  }
}

/** @param storedTerms from earlier probes, including documents: the call that users are shown is made from them */
export function toShownTerms(
  response: ProbeResponse,
  documented: readonly DocumentedResource[],
  storedTerms: readonly ResourceTerms[] = [],
): ResourceTerms | undefined {
  const [first] = withUnread(toResources(toOwnTerms(response), documented, response.request), storedTerms)
  return first?.source === '402' ? first : undefined
}
