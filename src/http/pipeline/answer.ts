// Answers that can be kept and compared: ETag, 304, and compression for those who accept it.

import { hashOf, isMatch, toTag } from '../../domain/entity-tag.ts'
import { chooseBodyCoding, pack } from './coding.ts'
import type { Answer } from './route.ts'

export const JSON_TYPE = 'application/json'
/** Of every answer that can be kept and compared. */
export const COMPARED_HEADERS = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' } as const

/** Compressing them again only makes them larger. */
const PACKED_ALREADY = /^image\/png/
const NONE = {}

/** A body that is complete, with everything about it that does not depend on who asks. */
export type Ready = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly hash: string
  /** Goes out with a 304 too: the number of all entries can change while a page stays the same. */
  readonly extra: Readonly<Record<string, string>> | undefined
  /** Words that nothing was found for. */
  readonly unmet?: readonly string[] | undefined
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
  // Nearly all reads: what they have in common is not named again for each.
  if (!isHeld && coding === 'identity' && contentType === JSON_TYPE)
    return { status: 200, headers: extra ?? NONE, body: bytes, tag: etag }
  const headers: Record<string, string> = { ETag: etag, ...COMPARED_HEADERS, ...extra }
  if (isHeld) return { status: 304, headers, body: null }
  headers['Content-Type'] = contentType
  if (coding === 'identity') return { status: 200, headers, body: bytes }
  headers['Content-Encoding'] = coding
  return { status: 200, headers, body: pack(bytes, coding) }
}

/** Of what was done, nobody may be told that it is unchanged: a write is judged before it is made. */
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
