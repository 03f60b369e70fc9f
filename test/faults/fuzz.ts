// Sends random requests to a listening directory and holds every answer against the OpenAPI document.
import { fc } from '../fast-check.ts'
import { checkAnswer } from './answer-checker.ts'
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.ts'
import { type RawAnswer, RawConnection } from './raw-connection.ts'

/** What the runtime takes in one head; above that it may refuse by itself. */
const PARSER_LIMITS = { bytes: 16_000, headers: 180 }

export type FuzzOptions = {
  readonly url: string
  readonly key: string
  /** Ids of services that are there. */
  readonly ids: readonly string[]
  readonly requests: number
  readonly seed: number
}

/** How often each status was answered. @throws Error with the smallest request whose answer breaks the word of the document. */
export async function fuzz({ url, key, ids, requests, seed }: FuzzOptions): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let connection = new RawConnection(url)
  let sent = 0
  const send = async (request: FuzzRequest) => {
    if (connection.isClosed) connection = new RawConnection(url)
    const requestId = `fuzz-${++sent}`
    connection.write(toBytes(request, requestId))
    const answer = await connection.answer(request.method)
    if (answer?.headers['content-type'] === 'text/event-stream') {
      connection[Symbol.dispose]()
      connection = new RawConnection(url)
    }
    return { answer, requestId }
  }
  const property = fc.asyncProperty(fuzzRequests(ids, key), async request => {
    const { answer, requestId } = await send(request)
    if (answer) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    const problems = judge(request, answer, requestId, key)
    if (problems.length === 0) return
    connection[Symbol.dispose]()
    connection = new RawConnection(url)
    throw new Error(`${problems.join('\n')}\n${describe(request)}\n→ ${answer ? answer.status : 'closed'}`)
  })
  try {
    await fc.assert(property, { numRuns: requests, seed, endOnFailure: false })
  } finally {
    connection[Symbol.dispose]()
  }
  return statuses
}

function judge(
  request: FuzzRequest,
  answer: RawAnswer | undefined,
  requestId: string,
  key: string,
): string[] {
  if (!answer) return ['the connection is closed without an answer']
  if (isParsers(answer)) return isBeyondParser(request) ? [] : [`the parser refuses it with ${answer.status}`]
  if (answer.status >= 500) return [`answered ${answer.status}`]
  const foreign =
    answer.headers['x-request-id'] === requestId ? [] : ['the answer is that of another request']
  return [...foreign, ...checkAnswer(request, answer), ...checkRegistered(request, answer, key)]
}

/** The runtime's own refusals carry nothing but the end of the connection. */
const isParsers = ({ headers }: RawAnswer): boolean => !('x-request-id' in headers)

function isBeyondParser(request: FuzzRequest): boolean {
  const { length } = request.headers.flat().join('')
  return (
    length + request.target.length > PARSER_LIMITS.bytes || request.headers.length > PARSER_LIMITS.headers
  )
}

/** What is right in every part is registered, and comes back as it was sent. */
function checkRegistered(
  { method, target, headers, body }: FuzzRequest,
  { status, ...answer }: RawAnswer,
  key: string,
): string[] {
  const sent = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
  const isRight =
    method === 'POST' &&
    target === '/api/services' &&
    body?.draft !== undefined &&
    sent.get('authorization') === `Bearer ${key}` &&
    (sent.get('content-type') ?? 'application/json') === 'application/json' &&
    !sent.has('content-encoding') &&
    !sent.has('idempotency-key')
  if (!isRight) return []
  if (status !== 201)
    return [`a good registration is answered ${status}: ${new TextDecoder().decode(answer.body)}`]
  const kept = JSON.parse(new TextDecoder().decode(answer.body))
  return Object.entries(body.draft)
    .filter(([name, value]) => !Bun.deepEquals(kept[name], value))
    .map(
      ([name, value]) => `${name} was sent as ${JSON.stringify(value)} and is ${JSON.stringify(kept[name])}`,
    )
}

function toBytes({ method, target, headers, body, isChunked }: FuzzRequest, requestId: string): Uint8Array {
  const length = body?.bytes.length ?? 0
  const framing: [string, string][] =
    body === undefined
      ? []
      : isChunked
        ? [['Transfer-Encoding', 'chunked']]
        : [['Content-Length', String(length)]]
  const lines = [['Host', 'directory.example'], ['X-Request-Id', requestId], ...headers, ...framing]
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  const parts = [Buffer.from(head, 'latin1')]
  if (body && isChunked) {
    // In two pieces, so that every body is put together again.
    for (const piece of [body.bytes.subarray(0, length >> 1), body.bytes.subarray(length >> 1)]) {
      if (piece.length > 0)
        parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), Buffer.from(piece), Buffer.from('\r\n'))
    }
    parts.push(Buffer.from('0\r\n\r\n'))
  } else if (body) parts.push(Buffer.from(body.bytes))
  return Buffer.concat(parts)
}

const describe = (request: FuzzRequest): string =>
  Buffer.from(toBytes(request, 'this')).toString('latin1').slice(0, 2000)
