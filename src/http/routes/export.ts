// Streams the complete catalog as one document, without buffering more than the reader accepts.

/** The same as the global one, whose type lacks `from`. */
import { ReadableStream as ReadableStreams } from 'node:stream/web'
import { isMatch, toTag } from '../../domain/http-headers.ts'
import { EXPORT_VERSION } from '../../domain/listing/service.ts'
import { chooseCoding, JSON_TYPE } from '../pipeline/answer.ts'
import { nextTurn } from '../pipeline/limits.ts'
import type { Handler } from '../pipeline/route.ts'
import type { ApiDeps } from './api-route.ts'

/** Large enough to be cheap to send, small enough to let other requests run in between. */
const CHUNK_LENGTH = 64 * 1024
/** What one unit of the rate limit pays for; measured against a plain read. */
const SERVICES_PER_COST = 25

export function createExport(deps: ApiDeps): Handler {
  const { directory, directoryName, log, readRequester } = deps
  const name = Bun.hash(`${EXPORT_VERSION} ${directoryName}`).toString(36)
  return async exchange => {
    const { request, charge } = exchange
    // Read before the first entry: an export may be newer than its ETag, never older.
    const { seq, services } = await directory.health()
    const coding = chooseCoding(request.headers.get('accept-encoding'))
    const etag = `W/${toTag(`${seq.toString(36)}-${services.toString(36)}-${name}`, coding)}`
    const headers: Record<string, string> = {
      ETag: etag,
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
    }
    if (isMatch(request.headers.get('if-none-match'), etag)) return { status: 304, headers, body: null }
    headers['Content-Type'] = JSON_TYPE
    if (coding !== 'identity') headers['Content-Encoding'] = coding
    if (request.method === 'HEAD') return { status: 200, headers, body: null }
    charge(Math.ceil(services / SERVICES_PER_COST))
    const { name: caller } = readRequester(exchange)
    await nextTurn(caller)
    const pieces = documentPieces(deps, () => nextTurn(caller))
    // The first piece is made before the status is sent, so that a failure to start has an error status.
    const first = await pieces.next()
    async function* send() {
      try {
        yield first.value!
        yield* pieces
      } catch (error) {
        // The status is already sent: only a broken connection can signal an incomplete document.
        log.error('export failed', { error })
        throw error
      }
    }
    const plain = ReadableStreams.from(send()) as ReadableStream<Uint8Array>
    return { status: 200, headers, body: coding === 'identity' ? plain : plain.pipeThrough(gzip()) }
  }
}

const gzip = () => new CompressionStream('gzip') as unknown as TransformStream<Uint8Array, Uint8Array>

async function* documentPieces(
  { directory, directoryName, clock }: ApiDeps,
  turn: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const head = { version: EXPORT_VERSION, source: directoryName, exportedAt: clock.now().toISOString() }
  let text = `${JSON.stringify(head).slice(0, -1)},"endpoints":[`
  let separator = ''
  for await (const entry of directory.export()) {
    text += separator + JSON.stringify(entry)
    separator = ','
    if (text.length < CHUNK_LENGTH) continue
    yield encoder.encode(text)
    await turn()
    text = ''
  }
  yield encoder.encode(`${text}]}`)
}
