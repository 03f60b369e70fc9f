// The terms of the probed resource as shown to users: from its own response, completed from documents where that leaves out the input.
import type { ResourceTerms } from '../../domain/terms/terms.ts'
import type { DocumentedResource } from '../documents/documented.ts'
import { toResources, withUnread } from '../documents/documented-terms.ts'
import type { ProbeResponse } from '../probe-response.ts'
import { toResourceTerms } from './describe-resource.ts'

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
