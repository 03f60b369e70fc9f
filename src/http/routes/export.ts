// Streams the complete catalog, as one document or as one service per line, without buffering more than the reader accepts.
import { serviceExample } from '../../directory/examples.ts'
import { isMatch, toTag } from '../../domain/http-headers.ts'
import type { Encoded } from '../../domain/json.ts'
import { EXPORT_VERSION, type Service } from '../../domain/listing/service.ts'
import { CACHED_HEADERS, cachedRead, IF_NONE_MATCH } from '../openapi/describe.ts'
import { chooseCoding, JSON_TYPE } from '../pipeline/answer.ts'
import { nextTurn } from '../pipeline/limits.ts'
import type { Handler } from '../pipeline/route.ts'
import type { ApiParts, ApiRoute, Endpoint } from './api-route.ts'

/** Large enough to be cheap to send, small enough to let other requests run in between. */
const CHUNK_LENGTH = 64 * 1024
/** What one unit of the rate limit pays for; measured against a plain read. */
const SERVICES_PER_COST = 25
const NDJSON_TYPE = 'application/x-ndjson'

export const createDocumentExport = (parts: ApiParts): Handler =>
  createExport(parts, { form: 'document', contentType: JSON_TYPE, toPieces: documentPieces })

const asLines: Endpoint = {
  operation: () => ({
    operationId: 'exportServices',
    tags: ['export'],
    summary: 'Export every service, one per line',
    description: 'NDJSON, streamed; compressed when accepted.',
    parameters: [IF_NONE_MATCH],
    responses: cachedRead('The lines', CACHED_HEADERS, {
      [NDJSON_TYPE]: { schema: { type: 'string' }, example: `${JSON.stringify(serviceExample)}\n` },
    }),
  }),
  create: parts => createExport(parts, { form: 'lines', contentType: NDJSON_TYPE, toPieces: linePieces }),
}

export const LINES_ROUTE: ApiRoute = { path: '/api/export.ndjson', methods: { GET: asLines } }

type Form = {
  readonly form: string
  readonly contentType: string
  readonly toPieces: (parts: ApiParts) => AsyncGenerator<Uint8Array>
}

function createExport(parts: ApiParts, { form, contentType, toPieces }: Form): Handler {
  const { directory, directoryName, log, readCaller } = parts
  const name = Bun.hash(`${EXPORT_VERSION} ${form} ${directoryName}`).toString(36)
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
    headers['Content-Type'] = contentType
    if (coding !== 'identity') headers['Content-Encoding'] = coding
    if (request.method === 'HEAD') return { status: 200, headers, body: null }
    charge(Math.ceil(services / SERVICES_PER_COST))
    const { name: caller } = readCaller(exchange)
    await nextTurn(caller)
    const pieces = toPieces(parts)
    // The first piece is made before the status is sent, so that a failure to start has an error status.
    const first = await pieces.next()
    const plain = toStream(first, pieces, {
      turn: () => nextTurn(caller),
      onError: error => log.error('export failed', { error }),
    })
    return { status: 200, headers, body: coding === 'identity' ? plain : plain.pipeThrough(gzip()) }
  }
}

const gzip = () => new CompressionStream('gzip') as unknown as TransformStream<Uint8Array, Uint8Array>

async function* documentPieces({ directory, directoryName, clock }: ApiParts): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const head = { version: EXPORT_VERSION, source: directoryName, exportedAt: clock.now().toISOString() }
  let text = `${JSON.stringify(head).slice(0, -1)},"endpoints":[`
  let separator = ''
  for await (const entry of directory.export()) {
    text += separator + JSON.stringify(entry)
    separator = ','
    if (text.length < CHUNK_LENGTH) continue
    yield encoder.encode(text)
    text = ''
  }
  yield encoder.encode(`${text}]}`)
}

async function* linePieces({ directory }: ApiParts): AsyncGenerator<Uint8Array> {
  yield* toNdjson(directory.exportServices())
}

function toStream(
  first: IteratorResult<Uint8Array>,
  pieces: AsyncIterator<Uint8Array>,
  { turn, onError }: { readonly turn: () => Promise<void>; readonly onError: (error: unknown) => void },
): ReadableStream<Uint8Array> {
  let pending = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (pending.done) return controller.close()
          controller.enqueue(pending.value)
          await turn()
          pending = await pieces.next()
          if (pending.done) return controller.close()
        } catch (error) {
          // The status is already sent: only a broken connection can signal an incomplete document.
          onError(error)
          controller.error(error)
        }
      },
      async cancel() {
        await pieces.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

// One service per line, from the bytes that the catalog holds.

/** Large enough that a chunk costs little to send, small enough that other work runs between two. */
const CHUNK_BYTES = 64 * 1024
const NEW_LINE = new Uint8Array([10])

function* toNdjson(services: Iterable<Encoded<Service>>): Generator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  for (const { bytes } of services) {
    parts.push(bytes, NEW_LINE)
    length += bytes.length + 1
    if (length < CHUNK_BYTES) continue
    yield Buffer.concat(parts)
    parts = []
    length = 0
  }
  yield Buffer.concat(parts)
}
