// Judges a receipt for a service: it may be for any resource under the endpoint.
import { isOddPath, placeOf } from '../../domain/resolve/place.ts'
import { say } from '../../messages/message.ts'
import { isUnder } from '../documents/documented.ts'
import { shown } from '../untrusted/untrusted-text.ts'
import { type JudgedReceipt, judgeReceipt, type PaidFor } from './judge-receipt.ts'
import type { KeySource } from './key-source.ts'
import { toolUrl } from './place.ts'
import { readReceipt, readSigned } from './signed-object.ts'

export async function judgeServiceReceipt(
  sent: unknown,
  { endpoint, ...paid }: Omit<PaidFor, 'url'> & { readonly endpoint: string },
  source: KeySource,
): Promise<JudgedReceipt> {
  const object = readSigned(sent)
  const receipt = 'code' in object ? object : readReceipt(object)
  if ('code' in receipt) return { valid: false, problem: receipt }
  const isTool = paid.tool !== undefined && receipt.resourceUrl === toolUrl(paid.tool)
  const url = isTool ? endpoint : toPlace(receipt.resourceUrl, endpoint)
  return url === undefined
    ? { valid: false, problem: say('signed_other_resource', { url: shown(receipt.resourceUrl) }) }
    : judgeReceipt(sent, { ...paid, url }, source)
}

/** @returns the URL of the resource on the endpoint's origin, whatever scheme was signed; undefined if it is elsewhere */
function toPlace(resource: string, endpoint: string): string | undefined {
  const named = URL.parse(resource)
  const origin = new URL(endpoint)
  if (!named || isOddPath(resource)) return undefined
  named.protocol = origin.protocol
  const isThere = named.host === origin.host
  return isThere && (placeOf(named.href) === placeOf(endpoint) || isUnder(named.href, endpoint))
    ? named.href
    : undefined
}
