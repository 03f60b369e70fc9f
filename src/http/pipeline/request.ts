// Reads what a client sent: its JSON body, the path with the query string, and cookies.
//
// An untrusted JSON body: its type is checked, then its size, then its content.
import { DirectoryError, invalid, type Problem, toProblem } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import { yieldToEventLoop } from '../../runtime/scheduling.ts'
import type { NewCookie } from '../../web/page.ts'

const MAX_BODY_BYTES = 64 * 1024
/** While nobody reads, the runtime joins what arrives: a body in pieces of one byte is then no more work than any other. */
const CHUNKS_PER_TURN = 16
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
export async function readJson(request: Request, max = MAX_BODY_BYTES): Promise<unknown> {
  const contentType = request.headers.get('content-type') ?? ''
  if (contentType !== '' && !isJson(contentType)) {
    throw new DirectoryError('unsupported_media_type', say('request_not_json'))
  }
  if (COMPRESSED.test(request.headers.get('content-encoding') ?? '')) {
    throw new DirectoryError('unsupported_media_type', say('request_compressed'))
  }
  return parse(decodeUtf8(await readBytes(request, max)))
}

function isJson(contentType: string): boolean {
  const [essence = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map(parameter => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
  return (
    /^\s*(application\/json|[\w.!#$&^-]+\/[\w.!#$&^-]+\+json)\s*$/.test(essence) &&
    charset.every(name => name === undefined || name === 'utf-8' || name === 'utf8')
  )
}

export async function readBytes(request: Request, max = MAX_BODY_BYTES): Promise<Uint8Array> {
  const tooLarge = () => new DirectoryError('body_too_large', say('request_too_large', { max }))
  // The server reads no more than Content-Length; without it the bytes are counted.
  const announced = request.headers.get('content-length')
  if (announced !== null) {
    if (!(Number(announced) <= max)) throw tooLarge()
    return request.bytes().catch(refuseHalf)
  }
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of untilCutOff(request.body)) {
    length += chunk.length
    if (length > max) throw tooLarge()
    chunks.push(chunk)
    if (chunks.length % CHUNKS_PER_TURN === 0) await yieldToEventLoop()
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

function decodeUtf8(bytes: Uint8Array): string {
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

// Reads the path and the query string; the domain interprets them.

/** A Map, so that a parameter named __proto__ is safe. */
export type Parameters = ReadonlyMap<string, string>

/** The part after the first `?`, without a fragment. */
export function queryIn(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const end = url.indexOf('#', start)
  return end < 0 ? url.slice(start + 1) : url.slice(start + 1, end)
}

/** The path. The client chooses what precedes it, which may not form a valid URL; without a Host header nothing does. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + '://'.length)
  return start < 0 ? '/' : new URL(`http://any.invalid${url.slice(start)}`).pathname
}

export function readParameters(query: string): { parameters: Parameters; problems: Problem[] } {
  const parameters = new Map<string, string>()
  const problems: Problem[] = []
  // Checked once: most queries contain nothing to decode.
  const read = query.includes('%') || query.includes('+') ? decodeParameter : asItIs
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf('&', start)
    const end = next < 0 ? query.length : next
    // Within the part: a search to the end of the query would take as long for each of thousands.
    const part = query.slice(start, end)
    const equals = part.indexOf('=')
    const nameEnd = equals < 0 ? part.length : equals
    const name = read(part.slice(0, nameEnd))
    const value = read(part.slice(nameEnd + 1))
    if (end === start) {
      // Empty, as in `&&`.
    } else if (name === undefined || value === undefined) {
      const path = name ?? part.slice(0, nameEnd)
      problems.push(toProblem(path, say('not_percent_encoded')))
    } else if (parameters.has(name)) {
      problems.push(toProblem(name, say('parameter_twice')))
    } else {
      parameters.set(name, value)
    }
    start = end + 1
  }
  return { parameters, problems }
}

/** As pages and forms expect them, without a prototype: a missing field is undefined, whatever its name. */
export const toFields = (parameters: Parameters): Readonly<Record<string, string>> =>
  Object.assign(Object.create(null), Object.fromEntries(parameters))

/** Parses and validates, and reports the problems of both together. @throws DirectoryError `invalid_request` */
export function readQuery<Q>(
  query: string,
  parse: (input: Parameters) => Q,
): { parsed: Q; parameters: Parameters } {
  const { parameters, problems } = readParameters(query)
  try {
    const parsed = parse(parameters)
    if (problems.length === 0) return { parsed, parameters }
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'invalid_request') throw error
    const named = new Set(problems.map(({ path }) => path))
    problems.push(...error.problems.filter(({ path }) => !named.has(path)))
  }
  throw invalid(problems)
}

/** A change takes no parameters; ignoring one would mislead. */
export function refuseParameters(query: string): void {
  if (query === '') return
  const { parameters, problems } = readParameters(query)
  const unknown = [...parameters.keys()].map(path => toProblem(path, say('parameter_for_body')))
  if (unknown.length + problems.length > 0) throw invalid([...unknown, ...problems])
}

const asItIs = (text: string): string | undefined => text

function decodeParameter(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return undefined
  }
}

// Cookies of the pages. Scripts cannot read them, other sites' forms do not send them, and with https no other host can set them.

/** Browsers accept a cookie with this prefix only from the host itself, over https. */
const HOST_PREFIX = '__Host-'

export const isSecure = (publicUrl: string | undefined): boolean => publicUrl?.startsWith('https:') ?? false

export const toSetCookie = ({ name, value, seconds, isSentByLinks }: NewCookie, secure: boolean): string =>
  new Bun.Cookie(`${secure ? HOST_PREFIX : ''}${name}`, value, {
    path: '/',
    httpOnly: true,
    sameSite: isSentByLinks ? 'lax' : 'strict',
    secure,
    ...(value === '' ? { maxAge: 0 } : seconds !== undefined && { maxAge: seconds }),
  }).serialize()

/** Keyed by the names passed to `toSetCookie`; of duplicates the first wins. */
export function readCookies(header: string | null, secure: boolean): Readonly<Record<string, string>> {
  const cookies: Record<string, string> = Object.create(null)
  for (const [given, value] of new Bun.CookieMap(header ?? '')) {
    if (given.startsWith(HOST_PREFIX) !== secure) continue
    cookies[secure ? given.slice(HOST_PREFIX.length) : given] ??= value
  }
  return cookies
}
