// Who stands behind each of the services of a list, where the list itself does not say it.
import { type Marks, NO_MARKS, toMarks } from '../domain/backing.ts'
import type { Directory } from './directory.ts'

/** By id. What cannot be told, because a service is gone by now, is told as nobody's. */
export async function readMarks(
  directory: Pick<Directory, 'backing'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Marks>> {
  const read = ids.map(async id => {
    const marks = await directory
      .backing(id)
      .then(backing => toMarks(backing.decode()))
      .catch(() => NO_MARKS)
    return [id, marks] as const
  })
  return new Map(await Promise.all(read))
}
