/** Failures of the remote server: a reason for decisions and a message for the owner, never an exception. */
import type { Part } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'

export type FailureReason =
  /** The URL must not be requested. */
  | 'not_a_url'
  | 'scheme'
  | 'private_address'
  /** No response. */
  | 'dns'
  | 'dns_temporary'
  | 'connect'
  | 'tls'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'total_timeout'
  | 'closed'
  /** An unreadable response. */
  | 'protocol'
  | 'headers_too_large'
  | 'body_too_large'
  | 'content_coding'
  | 'redirect'

export type Failure = { readonly reason: FailureReason; readonly message: Message }

export const failure = (reason: FailureReason, message: Message): Failure => ({ reason, message })

/** Local resource errors: they are thrown, so that no remote is blamed. */
const OUR_FAULT = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EACCES', 'EPERM'])

export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''

const CERTIFICATES: Readonly<Record<string, Part<'certificate'>>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'self_signed_chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'incomplete_chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other_name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no_tls',
}

/** A name without an address, as opposed to an unavailable resolver. */
export function dnsFailure(host: string, error: unknown): Failure {
  const code = codeOf(error).replace(/^DNS_/, '')
  if (OUR_FAULT.has(code)) throw error
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === ''
    ? failure('dns', say('name_without_address', { host, errno: code || null }))
    : failure('dns_temporary', say('name_unresolved', { host, errno: code }))
}

/** How far an exchange has come: no connection, a TCP connection, the request sent (after TLS), headers received. */
export type Reached = 'nothing' | 'tcp' | 'request' | 'headers'

export function socketFailure(host: string, error: unknown, reached: Reached): Failure {
  const code = codeOf(error)
  if (OUR_FAULT.has(code)) throw error
  const broken = { host, errno: code || null }
  if (code === 'HPE_HEADER_OVERFLOW') return failure('headers_too_large', say('headers_too_large', { host }))
  if (code.startsWith('HPE_')) return failure('protocol', say('not_http', broken))
  if (reached === 'nothing') return failure('connect', say('connection_refused', broken))
  if (reached === 'tcp') {
    const certificate = CERTIFICATES[code]
    return failure(
      'tls',
      certificate ? say('bad_certificate', { host, certificate }) : say('tls_failed', broken),
    )
  }
  return failure('closed', say(reached === 'headers' ? 'closed_in_answer' : 'closed_without_answer', broken))
}
