import { openDraft } from '../../src/catalog/snapshot/draft.ts'
import { type ImageLabel, writeImageTo } from '../../src/catalog/snapshot/file.ts'
import type { Image } from '../../src/memory/snapshot.ts'

/** Writes an image as a node does that keeps it in a file; false where another process is just writing one. */
export async function writeImage(
  path: string,
  label: ImageLabel,
  carry: (image: Image) => Iterable<void>,
): Promise<boolean> {
  using draft = openDraft(path)
  if (!draft) return false
  await writeImageTo(draft.fd, label, carry)
  await draft.keep()
  return true
}
