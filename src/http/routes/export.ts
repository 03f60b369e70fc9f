// The complete catalog as one document, streamed: no more of it is held than the reader is ready to take.

import { isMatch, toTag } from '../../domain/entity-tag.ts'
import { EXPORT_VERSION } from '../../domain/views.ts'
import { CACHED_HEADERS, cachedRead, IF_NONE_MATCH, json } from '../openapi/describe.ts'
import { exportExample } from '../openapi/examples/service.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { chooseCoding, packStream } from '../pipeline/coding.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

/** Large enough that a chunk costs little to send, small enough that other requests get their turn between two. */
const CHUNK_LENGTH = 64 * 1024

const exportAll: Endpoint = {
  operation: {
    operationId: 'exportCatalog',
    tags: ['export'],
    summary: 'Export the complete catalog',
    description: 'One document with every service, streamed; compressed when accepted.',
    parameters: [IF_NONE_MATCH],
    responses: cachedRead('The document', CACHED_HEADERS, json(schemaRef('ExportDocument'), exportExample)),
  },
  create({ directory, directoryName, clock, log }) {
    const name = Bun.hash(`${EXPORT_VERSION} ${directoryName}`).toString(36)
    return async ({ request }) => {
      // Asked before the first entry is read: a document may be newer than its tag says, never older.
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
      const entries = directory.export()[Symbol.asyncIterator]()
      // The first entry is read before the status goes out, so that a failure to begin is told as one.
      const first = await entries.next()
      const head = `{"version":${JSON.stringify(EXPORT_VERSION)},"source":${JSON.stringify(directoryName)},"exportedAt":"${clock.now().toISOString()}","endpoints":[`
      const plain = toStream(head, first, entries, error => log.error('export failed', { error }))
      return { status: 200, headers, body: coding === 'identity' ? plain : packStream(plain, coding) }
    }
  },
}

export const EXPORT_ROUTE: ApiRoute = { path: '/api/export', methods: { GET: exportAll } }

function toStream(
  head: string,
  first: IteratorResult<unknown>,
  entries: AsyncIterator<unknown>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let pending = first
  let text = head
  let isFirst = true
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          while (!pending.done && text.length < CHUNK_LENGTH) {
            text += isFirst ? JSON.stringify(pending.value) : `,${JSON.stringify(pending.value)}`
            isFirst = false
            pending = await entries.next()
          }
          if (pending.done) text += ']}'
          controller.enqueue(encoder.encode(text))
          text = ''
          if (pending.done) return controller.close()
        } catch (error) {
          // The status is out: a broken connection is the only way left to say that the document is not complete.
          onError(error)
          controller.error(error)
          return
        }
        await new Promise(resolve => setImmediate(resolve))
      },
      async cancel() {
        await entries.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
