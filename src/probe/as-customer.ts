/**
 * Compares the terms shown to an anonymous customer with those shown to the directory's own user agent. Both are
 * requested in turn until they agree or the request budget is spent: terms that changed a minute ago, or that change
 * with every request, also differ from themselves and are not cloaking.
 */

import { addressKey } from '../domain/chains/same-address.ts'
import { requestToolTerms } from './mcp/mcp-terms.ts'
import type { ProbeResponse } from './probe-response.ts'
import { hasTerms, isFinal } from './probe-response.ts'
import type { Identity, ProbeSession } from './probe-session.ts'

export type Comparison = {
  /** `differs`: too few requests to tell cloaking from a change. */
  readonly result: 'same' | 'cloaked' | 'unsteady' | 'differs'
  /** Only the payee differs between the responses. */
  readonly hasDynamicPayee: boolean
  /** The response to the directory's user agent. */
  readonly asDirectory: ProbeResponse
}

/** Two of each identity: a single difference may be a change in between. */
const MIN_ANSWERS = 4

/**
 * @param first the response to a customer
 * @param before an earlier response to the directory, and whether an earlier probe saw a difference
 * @returns undefined if no comparison was possible
 */
export async function compareAsCustomer(
  session: ProbeSession,
  first: ProbeResponse,
  before: { readonly asDirectory?: ProbeResponse | undefined; readonly differed: boolean },
): Promise<Comparison | undefined> {
  const customer = [first]
  const asDirectory: ProbeResponse[] = before.asDirectory ? [before.asDirectory] : []
  const cost = costOf(first)
  while (session.requestsLeft >= cost) {
    const as: Identity = asDirectory.length < customer.length ? 'directory' : 'customer'
    const response = await sendAgain(session, first, as)
    if (!response || isFinal(response)) return undefined
    const responses = as === 'directory' ? asDirectory : customer
    responses.push(response)
    if (asDirectory.length === 1 && fingerprint(first) === fingerprint(asDirectory[0]!))
      return { result: 'same', hasDynamicPayee: false, asDirectory: asDirectory[0]! }
    if (!areEqual(customer.map(fingerprint)) || !areEqual(asDirectory.map(fingerprint)))
      return {
        result: 'unsteady',
        hasDynamicPayee: hasDynamicPayee([...customer, ...asDirectory]),
        asDirectory: asDirectory[0]!,
      }
  }
  if (!asDirectory[0]) return undefined
  const isEnough = before.differed || customer.length + asDirectory.length >= MIN_ANSWERS
  return { result: isEnough ? 'cloaked' : 'differs', hasDynamicPayee: false, asDirectory: asDirectory[0] }
}

/** Repeats the request up to twice, and returns whether each response names another payee. A single difference may be a change. */
export async function findDynamicPayee(session: ProbeSession, first: ProbeResponse): Promise<boolean> {
  const responses = [first]
  while (responses.length < 3) {
    const next =
      session.requestsLeft < costOf(first) ? undefined : await sendAgain(session, first, session.identity)
    if (!next) return false
    responses.push(next)
    if (!hasDynamicPayee(responses)) return false
  }
  return true
}

const sendAgain = (
  session: ProbeSession,
  { request }: ProbeResponse,
  as: Identity,
): Promise<ProbeResponse | undefined> =>
  request.tool === undefined
    ? session.request(request, as)
    : requestToolTerms(session, request.url, request, as)

/** A tool call needs a session: three requests. */
const costOf = ({ request }: ProbeResponse): number => (request.tool === undefined ? 1 : 3)

const areEqual = (fingerprints: readonly string[]): boolean => new Set(fingerprints).size === 1

/** What decides a payment: the terms, or the status if there are none. */
function fingerprint(response: ProbeResponse): string {
  const { reading, status } = response
  if (!reading?.readable || !hasTerms(response)) return String(status)
  return JSON.stringify([
    reading.version,
    reading.payments
      .map(({ scheme, chain, payTo, asset, amount, moneyKey }) =>
        [scheme, chain, addressKey(payTo, chain), addressKey(asset, chain), amount, moneyKey].join(' '),
      )
      .sort(),
    reading.unread,
  ])
}

/** Whether all responses have the same terms, and each another payee. */
function hasDynamicPayee(responses: readonly ProbeResponse[]): boolean {
  const readings = responses.flatMap(({ reading }) => (reading?.readable ? [reading] : []))
  if (readings.length < responses.length || readings.length < 2) return false
  const rest = readings.map(({ payments }) =>
    payments.map(({ scheme, chain, asset, amount }) => [scheme, chain, asset, amount].join(' ')).join('\n'),
  )
  const payees = readings.map(({ payments }) =>
    payments.map(({ payTo, chain }) => addressKey(payTo, chain)).join('\n'),
  )
  return areEqual(rest) && new Set(payees).size === payees.length
}
