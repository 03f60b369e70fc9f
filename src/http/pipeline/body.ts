// Reads an untrusted JSON body: checks its type, then its size, then its content.

import { DirectoryError, invalid, toProblem } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'

export const MAX_BODY_BYTES = 64 * 1024
/** Above any draft, and below what exhausts the stack. */
const MAX_NESTING = 32
/** Any other value is a misplaced word like utf-8, and ignored. */
const COMPRESSED = /\b(gzip|deflate|compress|br|zstd)\b/i

/** @throws DirectoryError `unsupported_media_type`, `body_too_large`, `invalid_request`, in this order */
export async function readJsonObject(request: Request): Promise<object> {
  const value = await readJson(request)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([toProblem('body', say('not_json_object'))])
  }
  return value
}

/** Any JSON value, checked in the same order. */
export async function readJson(request: Request): Promise<unknown> {
  const contentType = request.headers.get('content-type') ?? ''
  if (contentType !== '' && !isJson(contentType)) {
    throw new DirectoryError('unsupported_media_type', say('request_not_json'))
  }
  if (COMPRESSED.test(request.headers.get('content-encoding') ?? '')) {
    throw new DirectoryError('unsupported_media_type', say('request_compressed'))
  }
  return parse(decode(await readBytes(request)))
}

function isJson(contentType: string): boolean {
  const [essence = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map(parameter => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
  return (
    /^\s*(application\/json|[\w.!#$&^-]+\/[\w.!#$&^-]+\+json)\s*$/.test(essence) &&
    charset.every(name => name === undefined || name === 'utf-8' || name === 'utf8')
  )
}

export async function readBytes(request: Request): Promise<Uint8Array> {
  const tooLarge = () =>
    new DirectoryError('body_too_large', say('request_too_large', { max: MAX_BODY_BYTES }))
  // The server reads no more than Content-Length; without it the bytes are counted.
  const announced = request.headers.get('content-length')
  if (announced !== null) {
    if (!(Number(announced) <= MAX_BODY_BYTES)) throw tooLarge()
    return request.bytes().catch(refuseHalf)
  }
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of untilCutOff(request.body)) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/** A client that disconnects in the middle of a body sent an invalid one; that is not a fault of ours. */
async function* untilCutOff(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch {
    refuseHalf()
  }
}

function refuseHalf(): never {
  throw invalid([toProblem('body', say('body_cut_off'))])
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    throw invalid([toProblem('body', say('not_utf8'))])
  }
}

function parse(text: string): unknown {
  if (nesting(text) > MAX_NESTING) {
    throw invalid([toProblem('body', say('nested_too_deep', { max: MAX_NESTING }))])
  }
  try {
    return JSON.parse(text)
  } catch {
    throw invalid([toProblem('body', say('not_json'))])
  }
}

/** Counted before parsing: a value nested 60,000 deep parses, and then overflows the stack elsewhere. */
function nesting(text: string): number {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    if (isText) {
      if (character === 0x5c) i++
      else if (character === 0x22) isText = false
    } else if (character === 0x22) isText = true
    else if (character === 0x7b || character === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (character === 0x7d || character === 0x5d) depth--
  }
  return deepest
}
