// Carries a snapshot between a file and the store, packed, in parts that hold nobody up for long.
import { fstatSync } from 'node:fs'
import { ignoreRejection } from '../../runtime/ignore-rejection.ts'
import type { NewSnapshot, SnapshotStore, StoredSnapshot } from '../../store/snapshots.ts'
import { readAll, writeAll } from './file-bytes.ts'

/** Of the snapshot, before they are packed: reading, encoding and handing over one takes about a millisecond of the serving thread. */
const PART_BYTES = 1024 * 1024
/** Under way at once, so that the next ones travel while one is unpacked. */
const AHEAD = 4

/** A snapshot in the store that does not hold what it says. */
export class DamagedSnapshot extends Error {
  override readonly name = 'DamagedSnapshot'
}

/** Whatever comes is written to the file; who reads it finds out whether it can be trusted. @throws DamagedSnapshot */
export async function downloadSnapshot(
  store: Pick<SnapshotStore, 'read'>,
  { id, bytes, parts }: StoredSnapshot,
  fd: number,
): Promise<void> {
  const ask = async (part: number): Promise<Uint8Array> => {
    const packed = await store.read(id, part)
    if (!packed) throw new DamagedSnapshot('A part of the snapshot is not there.')
    return Bun.zstdDecompress(packed).catch(error => {
      throw new DamagedSnapshot('A part of the snapshot cannot be unpacked.', { cause: error })
    })
  }
  const coming: Promise<Uint8Array>[] = []
  let at = 0
  for (let next = 0; next < parts || coming.length > 0; ) {
    while (next < parts && coming.length < AHEAD) coming.push(ignoreRejection(ask(next++)))
    const part = await coming.shift()!
    if (at + part.length > bytes) throw new DamagedSnapshot('The snapshot is longer than it says.')
    writeAll(fd, part, at)
    at += part.length
  }
}

/** Adds what the file holds, part by part. Resolves to how much that was; undefined where it was told to stop before the end. */
export async function uploadSnapshot(
  snapshot: Pick<NewSnapshot, 'add'>,
  fd: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { size } = fstatSync(fd)
  for (let at = 0; at < size; at += PART_BYTES) {
    const part = new Uint8Array(Math.min(PART_BYTES, size - at))
    readAll(fd, part, at)
    const packed = await Bun.zstdCompress(part, { level: 1 })
    if (signal.aborted) return undefined
    await snapshot.add(packed)
  }
  return size
}
