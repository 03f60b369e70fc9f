// The backing of each service of a list, if the list itself does not have it.
import { type Marks, toMarks } from '../domain/listing/backing.ts'
import { mapBounded } from '../runtime/map-bounded.ts'
import type { Directory } from './directory.ts'

/** In progress: over a directory's URL each is a request. */
const MAX_READS = 8

/** By id. A backing that could not be read is missing: it may hide a stranger, a namesake or a sample. */
export async function readMarks(
  directory: Pick<Directory, 'backing'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Marks>> {
  const entries = await mapBounded(ids, MAX_READS, async id => {
    try {
      return [[id, toMarks((await directory.backing(id)).decode())] as const]
    } catch {
      return []
    }
  })
  return new Map(entries.flat())
}
