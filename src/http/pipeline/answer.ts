// Makes answers: cacheable bodies with ETag and compression, problems, page links, and text in headers.

import { PROBLEM_TYPES } from '../../directory/wire.ts'
import { DirectoryError, type ErrorCode } from '../../domain/errors.ts'
import { type Coding, hashOf, isMatch, readQualities, toTag } from '../../domain/http-headers.ts'
import { memoize } from '../../memory/memoize.ts'
import { say } from '../../messages/message.ts'
import type { Parameters } from './request.ts'
import type { Answer } from './route.ts'

export const JSON_TYPE = 'application/json'
/** Headers of every response with an ETag. */
export const COMPARED_HEADERS = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' } as const

/** Already compressed. */
const PACKED_ALREADY = /^image\/png/
const NONE = {}

/** A complete body, with everything that does not depend on the request. */
export type Ready = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly hash: string
  /** Sent with a 304 too: the total can change while a page stays the same. */
  readonly extra: Readonly<Record<string, string>> | undefined
}

export const toReady = (
  bytes: Uint8Array,
  contentType: string,
  extra?: Readonly<Record<string, string>>,
  hash = hashOf(bytes),
): Ready => ({ bytes: bytes as Uint8Array<ArrayBuffer>, contentType, hash, extra })

export function answerReady(request: Request, { bytes, contentType, hash, extra }: Ready): Answer {
  const coding = PACKED_ALREADY.test(contentType)
    ? 'identity'
    : chooseBodyCoding(request.headers.get('accept-encoding'), bytes)
  const etag = toTag(hash, coding)
  const isHeld = isRead(request) && isMatch(request.headers.get('if-none-match'), etag)
  // The fast path for most reads: the pipeline adds the common headers.
  if (!isHeld && coding === 'identity' && contentType === JSON_TYPE)
    return { status: 200, headers: extra ?? NONE, body: bytes, tag: etag }
  const headers: Record<string, string> = { ETag: etag, ...COMPARED_HEADERS, ...extra }
  if (isHeld) return { status: 304, headers, body: null }
  headers['Content-Type'] = contentType
  if (coding === 'identity') return { status: 200, headers, body: bytes }
  headers['Content-Encoding'] = coding
  return { status: 200, headers, body: Bun.gzipSync(bytes, { level: GZIP_LEVEL }) as Uint8Array<ArrayBuffer> }
}

/** Writes never get a 304: their preconditions are checked before they are made. */
const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

export const answerBytes = (
  request: Request,
  bytes: Uint8Array,
  contentType: string,
  extra?: Readonly<Record<string, string>>,
): Answer => answerReady(request, toReady(bytes, contentType, extra))

export const answerJson = (
  request: Request,
  value: { readonly bytes: Uint8Array },
  extra?: Readonly<Record<string, string>>,
): Answer => answerBytes(request, value.bytes, JSON_TYPE, extra)

// Translates errors into responses, in one place: RFC 9457 problem details.

/** The explanation of a code; relative, so that it leads to the directory that responded. */
export const problemType = (code: ErrorCode): string => `/docs#error-${code}`

/** The error as shown to callers: internal faults have no details. */
export const toDirectoryError = (error: unknown): DirectoryError =>
  error instanceof DirectoryError && error.code !== 'internal'
    ? error
    : new DirectoryError('internal', say('fault'))

/** @param further fields, for clients of other formats */
export function answerProblem(error: unknown, further: Readonly<Record<string, string>> = {}): Answer {
  const { code, message: detail, said, problems: found } = toDirectoryError(error)
  const { status, title, headers } = PROBLEM_TYPES[code]
  const problems = code === 'invalid_request' ? found : undefined
  return {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...headers },
    body: JSON.stringify({
      type: problemType(code),
      title,
      status,
      detail,
      code,
      detailCode: said,
      ...(problems && { errors: problems.map(({ path, message, said }) => ({ path, message, ...said })) }),
      ...further,
    }),
  }
}

// Chooses a content coding the client accepts (RFC 9110, 12.5.3) and compresses. Measured on a page of 10 KB.

/** Below this length the header and the time cost more than is saved. */
const MIN_PACKED_LENGTH = 1024
/** 65 µs to 4.8 KB; level 6 takes 161 µs to 3.9 KB. */
const GZIP_LEVEL = 1
/** All clients of one kind send the same header. */
const MAX_REMEMBERED = 256
const MAX_REMEMBERED_LENGTH = 128

/** The coding of a complete body. */
function chooseBodyCoding(accepted: string | null, { length }: Uint8Array): Coding {
  return length < MIN_PACKED_LENGTH ? 'identity' : chooseCoding(accepted)
}

/** gzip, if the client rates it no lower than the plain body. */
export function chooseCoding(accepted: string | null): Coding {
  if (accepted === null) return 'identity'
  return accepted.length > MAX_REMEMBERED_LENGTH ? readAccepted(accepted) : recall(accepted)
}

const recall = memoize(MAX_REMEMBERED, readAccepted)

function readAccepted(accepted: string): Coding {
  const qualities = new Map<string, number>()
  for (const { name, quality } of readQualities(accepted))
    qualities.set(name === 'x-gzip' ? 'gzip' : name, quality)
  const quality = qualities.get('gzip') ?? qualities.get('*') ?? 0
  return quality > 0 && quality >= (qualities.get('identity') ?? 0) ? 'gzip' : 'identity'
}

// Caches ready responses while the catalog is unchanged. Without it a repeated page costs 1.3 times the server's processor time, a
// filtered one 1.6 times (`npm run bench -- reads`, the rows of the same pages).

/** Limits in responses and bytes; the oldest is evicted first. */
const MAX_CACHED = 4_096
const MAX_CACHED_BYTES = 4 * 1024 * 1024
const MAX_HASHES = 16_384
/** Larger pages, such as a hundred long descriptions, are not cached. */
const MAX_BYTES = 64 * 1024

type ResponseCache = (query: string, prepare: (query: string) => Ready) => Ready

/** One per route, keyed by the query string. */
export function createResponseCache(readGeneration: () => number): ResponseCache {
  const cached = new Map<string, Ready>()
  // Caches only the second request of a page, so that single requests take no memory. A hash is enough to recognise a query: a
  // collision only caches a response early.
  const requestedHashes = new Uint32Array(MAX_HASHES)
  let generation = -1
  let cachedBytes = 0

  function put(query: string, ready: Ready): void {
    cached.set(query, ready)
    cachedBytes += ready.bytes.length
    for (const [oldest, { bytes }] of cached) {
      if (cached.size <= MAX_CACHED && cachedBytes <= MAX_CACHED_BYTES) break
      cached.delete(oldest)
      cachedBytes -= bytes.length
    }
  }

  return (query, prepare) => {
    const now = readGeneration()
    if (now !== generation) {
      cached.clear()
      cachedBytes = 0
      generation = now
    }
    const hit = cached.get(query)
    if (hit) return hit
    const ready = prepare(query)
    const hash = Bun.hash.xxHash32(query)
    if (requestedHashes[hash % MAX_HASHES] !== hash) {
      requestedHashes[hash % MAX_HASHES] = hash
      return ready
    }
    if (ready.bytes.length <= MAX_BYTES) put(query, ready)
    return ready
  }
}

// Page links (RFC 8288). They never use the Host header, which the client chooses.

type PageLinks = {
  /** Path of the resource; absolute if a public URL is set. */
  readonly address: string
  /** See `toLinkQuery`. */
  readonly linkQuery: string
  readonly offset: number
  readonly limit: number
  /** undefined if there are more than are counted. */
  readonly total: number | undefined
  /** The last reachable entry; Infinity without a limit. */
  readonly depth: number
}

const isPagingParameter = (name: string) => name === 'offset' || name === 'limit'

/** The query without its paging parameters, as used in links: each part followed by `&`. */
export function toLinkQuery(parameters: Parameters): string {
  let linkQuery = ''
  for (const [name, value] of parameters) {
    if (value !== '' && !isPagingParameter(name)) linkQuery += `${encodePart(name)}=${encodePart(value)}&`
  }
  return linkQuery
}

const PLAIN = /^[\w.-]*$/
const encodePart = (text: string): string => (PLAIN.test(text) ? text : encodeURIComponent(text))

export function toLinkHeader({ address, linkQuery, offset, limit, total, depth }: PageLinks): string {
  const target = `<${address}?${linkQuery}limit=${limit}&offset=`

  const end = Math.min(total ?? depth, depth)
  // Pages keep the offset modulo the limit: if the request starts at 5, so does the last page.
  const shift = offset % limit
  const last = Math.max(0, shift + Math.floor((end - 1 - shift) / limit) * limit)
  const reachable = last + limit > depth ? Math.max(0, last - limit) : last

  // Concatenated: joining a list costs three times as much.
  let links = `${target}0>; rel="first", `
  if (offset > 0) links += `${target}${Math.max(0, Math.min(offset - limit, reachable))}>; rel="prev", `
  if (offset + limit < end && offset + 2 * limit <= depth)
    links += `${target}${offset + limit}>; rel="next", `
  return `${links}${target}${reachable}>; rel="last"`
}

// Text in a header: only printable ASCII is safe with every client, so the rest is percent-encoded as UTF-8.

const MAX_LENGTH = 1024

const encodeText = (text: string): string =>
  text.toWellFormed().replace(/[^\x20-\x7e]|%/gu, character => encodeURIComponent(character))

/** Sentences in one header, joined by `%0A`, cut between characters: a partial escape would spoil the text. */
export function toNoticeHeader(notices: readonly string[]): string {
  let text = ''
  for (const character of notices.join('\n')) {
    const next = encodeText(character)
    if (text.length + next.length > MAX_LENGTH) break
    text += next
  }
  return text
}

/** Field paths, separated by commas; `...` replaces those that do not fit. */
export function toFieldsHeader(fields: readonly string[]): string {
  let text = ''
  for (const field of fields) {
    const next = `${text === '' ? '' : ', '}${encodeText(field).replaceAll(',', '%2C')}`
    if (text.length + next.length > MAX_LENGTH) return text === '' ? '...' : `${text}, ...`
    text += next
  }
  return text
}
