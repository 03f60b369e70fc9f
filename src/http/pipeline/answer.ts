// Cacheable responses: ETag, 304, and compression.

import { hashOf, isMatch, toTag } from '../../domain/entity-tag.ts'
import { chooseBodyCoding, pack } from './coding.ts'
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
  /** Query words without results. */
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
  return { status: 200, headers, body: pack(bytes, coding) }
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
