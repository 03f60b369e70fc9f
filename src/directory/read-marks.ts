// The backing of each service of a list, if the list itself does not have it.
import { type Marks, NO_MARKS, toMarks } from '../domain/backing.ts'
import { mapBounded } from '../runtime/map-bounded.ts'
import type { Directory } from './directory.ts'

/** In progress: over a directory's URL each is a request. */
const MAX_READS = 8

/** By id. A service that is gone by now has no marks. */
export async function readMarks(
  directory: Pick<Directory, 'backing'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Marks>> {
  const entries = await mapBounded(ids, MAX_READS, async id => {
    const marks = await directory
      .backing(id)
      .then(backing => toMarks(backing.decode()))
      .catch(() => NO_MARKS)
    return [id, marks] as const
  })
  return new Map(entries)
}
