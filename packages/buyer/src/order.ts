// Makes an order from a listing: the request described by its schema, the listed payee, the declared output, and the guard.
import { resourceToCall } from 'shirube/domain/call/call.ts'
import { type CallRequest, toCallRequest } from 'shirube/domain/call/request.ts'
import { toBackingFacts, wasMoved } from 'shirube/domain/listing/backing.ts'
import { type Entry, toService } from 'shirube/domain/listing/service.ts'
import { judgeUrl, type Listing, toResolution } from 'shirube/domain/resolve/resolve.ts'
import { isFailing } from 'shirube/domain/standing/delivery.ts'
import { levelOf } from 'shirube/domain/standing/trust.ts'
import type { StoredTerms } from 'shirube/domain/terms/terms.ts'
import { type Message, say } from 'shirube/messages/message.ts'
import type { Clock } from 'shirube/runtime/clock.ts'
import type { Order } from './buyer.ts'
import { isDeclaredSample } from './declared-sample.ts'
import type { BuyRequest } from './seller.ts'

/** Other methods might change or delete something. */
const HARMLESS = ['GET', 'POST']

/** A test purchase sends a sample, and never changes or deletes anything. @returns a reason if it cannot be bought */
export function toSampleOrder(
  entry: Entry,
  terms: StoredTerms,
  { purpose, clock }: { readonly purpose: string; readonly clock: Clock },
): Order | Message {
  const resource = resourceToCall(terms)
  if (!resource) return say('terms_never_seen')
  if (!HARMLESS.includes(resource.method))
    return say('not_bought_here', { what: `the method ${resource.method}` })
  return {
    purpose,
    serviceId: entry.id,
    isMadeUp: !isDeclaredSample(resource),
    listed: { endpoint: entry.endpoint },
    request: toBuyRequest(toCallRequest(resource)),
    payee: entry.x402Config,
    output: resource.output,
    mimeType: resource.mimeType,
    guard: createGuard(entry, clock),
  }
}

export const toBuyRequest = ({ method, url, headers, body, tool }: CallRequest): BuyRequest => ({
  method,
  url,
  headers,
  ...(tool && { tool }),
  ...(body && {
    contentType: body.contentType,
    body: body.kind === 'json' ? JSON.stringify(body.value) : body.value,
  }),
})

/** Answers `GET /api/resolve` for this listing alone, the one under test. */
export const createGuard =
  (entry: Entry, clock: Clock): Order['guard'] =>
  async query => {
    const listing: Listing = {
      service: toService(entry),
      level: levelOf(entry),
      backing: toBackingFacts(entry),
      distance: 0,
      isOfQuery: true,
      isRetired: entry.retired !== null,
      isSample: entry.sample,
      isFailing: isFailing(entry.delivery),
      wasMoved: wasMoved(entry),
      isDeclined: entry.declinesProbes === true,
      seen: entry.seen,
    }
    const [listings, hidden] = entry.hidden ? [[], [entry]] : [[listing], []]
    const judged = judgeUrl(query, listings, { hidden, wasRemoved: false, now: clock.now() })
    return toResolution(query, judged)
  }
