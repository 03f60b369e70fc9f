// The backing of each service of a list, if the list itself does not have it.
import { type Marks, NO_MARKS, toMarks } from '../domain/backing.ts'
import type { Directory } from './directory.ts'

/** By id. A service that is gone by now has no marks. */
export async function readMarks(
  directory: Pick<Directory, 'backing'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Marks>> {
  const entries = ids.map(async id => {
    const marks = await directory
      .backing(id)
      .then(backing => toMarks(backing.decode()))
      .catch(() => NO_MARKS)
    return [id, marks] as const
  })
  return new Map(await Promise.all(entries))
}
