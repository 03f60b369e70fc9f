/** What can go wrong at the other end: a code for programs and a sentence for the owner, never an exception. */

export type FailureReason =
  /** The address cannot be asked at all. */
  | 'not_a_url'
  | 'scheme'
  | 'private_address'
  /** Nobody answers. */
  | 'dns'
  | 'dns_temporary'
  | 'connect'
  | 'tls'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'total_timeout'
  | 'closed'
  /** What answers cannot be read. */
  | 'protocol'
  | 'headers_too_large'
  | 'body_too_large'
  | 'content_coding'
  | 'redirect'

export type Failure = { readonly reason: FailureReason; readonly sentence: string }

export const failure = (reason: FailureReason, sentence: string): Failure => ({ reason, sentence })

/** Codes of our own distress: with these an exception is thrown, so that no remote is blamed. */
const OUR_FAULT = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EACCES', 'EPERM'])

export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''

const CERTIFICATES: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain ends in a self-signed certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what answers there does not speak TLS',
}

/** A name that has no address, as opposed to a resolver that is away. */
export function dnsFailure(host: string, error: unknown): Failure {
  const code = codeOf(error)
  if (OUR_FAULT.has(code)) throw error
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === ''
    ? failure('dns', `The name ${host} has no address${code && ` (${code})`}.`)
    : failure('dns_temporary', `The name ${host} could not be resolved just now (${code}).`)
}

/** How far an exchange has come: no connection, a connection, a (secure) connection with the request sent, headers. */
export type Reached = 'nothing' | 'tcp' | 'request' | 'headers'

export function socketFailure(host: string, error: unknown, reached: Reached): Failure {
  const code = codeOf(error)
  if (OUR_FAULT.has(code)) throw error
  const shown = code && ` (${code})`
  if (code === 'HPE_HEADER_OVERFLOW')
    return failure('headers_too_large', `${host} sent more headers than anybody should have to read.`)
  if (code.startsWith('HPE_'))
    return failure('protocol', `What ${host} answered is not well-formed HTTP${shown}.`)
  if (reached === 'nothing') return failure('connect', `${host} does not accept connections${shown}.`)
  if (reached === 'tcp')
    return failure('tls', `No secure connection to ${host}: ${CERTIFICATES[code] ?? `TLS failed${shown}`}.`)
  return reached === 'headers'
    ? failure('closed', `${host} closed the connection in the middle of its answer${shown}.`)
    : failure('closed', `${host} closed the connection without an answer${shown}.`)
}
