// Keeps an image of the whole catalog in a file, so that a start reads it instead of working everything out anew. It is
// only ever a shortcut: whatever makes it doubtful makes it unused, and it may be deleted at any time.
import { rmSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../clock.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Seq, Store } from '../store/store.ts'
import type { Catalog } from './catalog.ts'
import { codeStamp } from './code-stamp.ts'
import { type ImageLabel, readImage, writeImage } from './image-file.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface ImageKeeper {
  /** Fills the empty catalog. Resolves to the number of the write that it then stands at; 0 where there is no image to trust. */
  restore(): Promise<Seq>
  /** Tells of entries that were applied. */
  count(changes: number): void
  /** Writes an image where the last one has fallen far enough behind. Nothing may be applied meanwhile. */
  keep(): Promise<void>
}

/** Catching up with fewer costs less than writing an image. */
const WORTH_KEEPING = { changes: 2_000, share: 0.02 }
/** The database needs room on the same disk: an image is written only where so many times its size is left. */
const ROOM = 3

export function createImageKeeper({
  path,
  store,
  catalog,
  clock,
  isWriter,
  onTrouble,
}: {
  path: string
  store: Pick<Store, 'events' | 'lastSeq'>
  catalog: Catalog
  clock: Clock
  /** Whether it writes images, or reads those of others. */
  isWriter: boolean
  onTrouble: (message: string, error: unknown) => void
}): ImageKeeper {
  let behind = 0
  // Once, at the start: by the time an image is written, the files may be those of the version that starts next.
  const code = codeStamp(ROOT)

  /** The last event says which history the image is of: no other has the same event at the same number. */
  async function toLabel(number: number): Promise<ImageLabel | undefined> {
    const [event] = await store.events.after(number - 1, 1)
    if (!event || event.number !== number) return undefined
    const { seq, serviceId, at } = event
    return { code, event: number, eventSeq: seq, eventOf: serviceId, eventAt: at }
  }

  /** @param label as it stands in the file */
  async function isWanted(label: ImageLabel): Promise<boolean> {
    const { seq, event } = label as { seq: number; event: number }
    const today = await toLabel(event)
    if (!today || (await store.lastSeq()) < seq) return false
    return Bun.deepEquals({ ...today, seq }, label)
  }

  async function write(): Promise<void> {
    const { bavail, bsize } = statfsSync(dirname(path))
    if (bavail * bsize < ROOM * catalog.bytes) return
    const label = await toLabel(await store.events.last())
    if (!label) return
    await writeImage(path, { ...label, seq: catalog.seq }, image => catalog.carry(image), clock)
  }

  return {
    async restore() {
      let hasBegun = false
      try {
        const label = await readImage(path, isWanted, image => {
          hasBegun = true
          return catalog.carry(image)
        })
        return label ? (label.seq as number) : 0
      } catch (error) {
        // Who has begun cannot go back, but the next start shall not fall into the same hole; a store that is away is asked again.
        if (hasBegun) rmSync(path, { force: true })
        if (hasBegun || error instanceof DirectoryError) throw error
        onTrouble('the image of the catalog could not be read', error)
        return 0
      }
    },
    count(changes) {
      behind += changes
    },
    async keep() {
      if (!isWriter || behind < Math.max(WORTH_KEEPING.changes, WORTH_KEEPING.share * catalog.size)) return
      try {
        await write()
        behind = 0
      } catch (error) {
        onTrouble('an image of the catalog could not be kept', error)
      }
    },
  }
}
