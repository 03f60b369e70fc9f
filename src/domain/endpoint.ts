// The base URL of a registered service, judged by its text alone: nothing is resolved at registration.
import { z } from 'zod'
import { type Message, say } from '../messages/message.ts'
import { isReservedName, privateAddressProblem } from './private-address.ts'
import { expecting } from './problems.ts'

const MAX_LENGTH = 2048

function endpointProblem(text: string): Message | undefined {
  if (text.length > MAX_LENGTH) return say('text_too_long', { max: MAX_LENGTH })
  if (isPlain(text)) return undefined
  if (!/^https?:\/\/[^/?#\\]/i.test(text)) return say('url_not_absolute')
  if (/[\p{Z}\p{C}]/u.test(text) || !text.isWellFormed()) return say('url_with_space')
  const url = URL.parse(text)
  if (!url) return say('url_not_valid')
  if (url.username !== '' || url.password !== '') return say('url_with_user')
  return undefined
}

export const endpointSchema = z
  .string({ error: expecting('url_expected') })
  .superRefine((text, context) => {
    const problem = endpointProblem(text)
    if (problem) context.addIssue(JSON.stringify(problem))
  })
  .meta({ format: 'uri', maxLength: MAX_LENGTH })

/** Why an endpoint may not be listed on a public directory: a literal private, loopback or link-local address. */
export function privateEndpointProblem(endpoint: string): Message | undefined {
  const host = URL.parse(endpoint)?.hostname
  return host === undefined ? undefined : privateAddressProblem(host)
}

export const endpointHost = (endpoint: string): string => URL.parse(endpoint)?.hostname ?? ''

/** A name in small letters whose last part is no number, and parts of a path that are not empty and begin with no dot. */
const PLAIN = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z][a-z-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/

/**
 * Whether it is a URL that is written as its parser writes it: a million are read at every start, one with every question about a
 * payment, and nearly all of them are. A name in Punycode may be none.
 */
const isPlain = (url: string): boolean => PLAIN.test(url) && !url.includes('xn--')

/** Whether nothing is wrong with it as an endpoint; of others the schema tells. */
export const isPlainEndpoint = (url: string): boolean => url.length <= MAX_LENGTH && isPlain(url)

/**
 * What all spellings of one URL have in common: scheme, case of the host, usual port, needless escapes, doubled and trailing
 * slashes make no other place of it.
 */
export function endpointKey(endpoint: string): string {
  if (isPlain(endpoint)) return endpoint.slice(endpoint.indexOf('//') + 2)
  const url = URL.parse(endpoint)
  if (!url) return endpoint
  const host = url.hostname.replace(/\.$/, '')
  const port = url.port === '' || url.port === '80' || url.port === '443' ? '' : `:${url.port}`
  const path = withoutNeedlessEscapes(url.pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
  return host + port + path + withoutNeedlessEscapes(url.search)
}

const withoutNeedlessEscapes = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (escaped, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase()
  })

/** Names that are reserved for documentation and tests lead nowhere, so they are never probed. */
export const isNeverProbed = (endpoint: string): boolean => isReservedName(endpointHost(endpoint))
