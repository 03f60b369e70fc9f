import { type SnapshotOrigin, writeSnapshot } from '../../src/catalog/snapshot/file.ts'
import { openSnapshotFile } from '../../src/catalog/snapshot/new-file.ts'
import type { Snapshot } from '../../src/memory/snapshot.ts'

/** Writes a snapshot as a node does that keeps it in a file; false where another process is just writing one. */
export async function writeSnapshotFile(
  path: string,
  origin: SnapshotOrigin,
  serialize: (snapshot: Snapshot) => Iterable<void>,
): Promise<boolean> {
  using file = openSnapshotFile(path)
  if (!file) return false
  await writeSnapshot(file.fd, origin, serialize)
  await file.commit()
  return true
}
