// One service per line, from the bytes that the catalog holds.
import type { Encoded } from '../json.ts'
import type { Service } from '../listing/service.ts'

/** Large enough that a chunk costs little to send, small enough that other work runs between two. */
const CHUNK_BYTES = 64 * 1024
const NEW_LINE = new Uint8Array([10])

export function* toNdjson(services: Iterable<Encoded<Service>>): Generator<Uint8Array> {
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
