// Transfers a snapshot between a file and the store, compressed, in parts small enough not to delay requests.
import { fstatSync } from 'node:fs'
import { ignoreRejection } from '../../runtime/ignore-rejection.ts'
import type { NewSnapshot, SnapshotStore, StoredSnapshot } from '../../store/snapshots.ts'
import { readAll, writeAll } from './file-bytes.ts'

/** Size of a part before compression: handling one takes about a millisecond of the serving thread. */
export const PART_BYTES = 1024 * 1024
/** Parts read concurrently, so that the next ones are in transit while one is decompressed. */
const MAX_CONCURRENT = 4

/** Thrown if a snapshot in the store does not match its description. */
export class DamagedSnapshot extends Error {
  override readonly name = 'DamagedSnapshot'
}

/** Writes all parts to the file; the reader of the file verifies its checksum. @throws DamagedSnapshot */
export async function downloadSnapshot(
  store: Pick<SnapshotStore, 'read'>,
  { id, bytes, parts }: StoredSnapshot,
  fd: number,
): Promise<void> {
  const readPart = async (part: number): Promise<Uint8Array> => {
    const packed = await store.read(id, part)
    if (!packed) throw new DamagedSnapshot('A part of the snapshot is not there.')
    return Bun.zstdDecompress(packed).catch(error => {
      throw new DamagedSnapshot('A part of the snapshot cannot be unpacked.', { cause: error })
    })
  }
  const pending: Promise<Uint8Array>[] = []
  let at = 0
  for (let next = 0; next < parts || pending.length > 0; ) {
    while (next < parts && pending.length < MAX_CONCURRENT) pending.push(ignoreRejection(readPart(next++)))
    const part = await pending.shift()!
    if (at + part.length > bytes) throw new DamagedSnapshot('The snapshot is longer than it says.')
    writeAll(fd, part, at)
    at += part.length
  }
}

/** Uploads the file part by part. Resolves to its size; undefined if the signal was aborted. */
export async function uploadSnapshot(
  snapshot: Pick<NewSnapshot, 'add'>,
  fd: number,
  { partBytes, signal }: { readonly partBytes: number; readonly signal: AbortSignal },
): Promise<number | undefined> {
  const { size } = fstatSync(fd)
  for (let at = 0; at < size; at += partBytes) {
    const part = new Uint8Array(Math.min(partBytes, size - at))
    readAll(fd, part, at)
    const packed = await Bun.zstdCompress(part, { level: 1 })
    if (signal.aborted) return undefined
    await snapshot.add(packed)
  }
  return size
}
