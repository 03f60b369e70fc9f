// Keeps an image of the whole catalog, in a file or in a store that has room for it, so that a start reads it instead of
// working everything out anew. It is only ever a shortcut: whatever makes it doubtful makes it unused, and it may be
// deleted at any time.
import { rmSync } from 'node:fs'
import { DirectoryError } from '../../domain/errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewImage, ShelvedImage } from '../../store/images.ts'
import type { Seq, Store } from '../../store/store.ts'
import type { Catalog } from '../catalog.ts'
import { type Draft, hasRoom, openDraft, openNamelessDraft } from './draft.ts'
import { HalfReadImage, type ImageLabel, readImage, readImageFrom, writeImageTo } from './file.ts'
import { createImageLabels, seqOf, sizeOf } from './label.ts'
import { addImage, DamagedImage, takeImage } from './transfer.ts'

/** Disposing it waits until what it does in the background is done, but not for long. */
export interface ImageKeeper extends AsyncDisposable {
  /** Fills the empty catalog. Resolves to the number of the write that it then stands at; 0 where there is no image to trust. */
  restore(): Promise<Seq>
  /** Tells of entries that were applied. */
  count(changes: number): void
  /**
   * Writes an image where the last one has fallen far enough behind. Nothing may be applied meanwhile; afterwards it is put
   * into the store, while all goes on.
   */
  keep(): Promise<void>
}

/** Catching up with fewer costs less than writing an image. */
const WORTH_KEEPING = { changes: 2_000, share: 0.02 }
/** Catching up with so many writes takes as long as fetching an image that has them. */
const WORTH_FETCHING_SHARE = 0.2
/** Somebody waits for a process that ends. */
const END_MS = 5_000

const UNKEPT = 'an image of the catalog could not be kept'
const UNFOUND = 'the database could not be asked for an image of the catalog'
const UNSHELVED = 'an image of the catalog could not be put into the database'

export function createImageKeeper({
  path,
  store,
  catalog,
  clock,
  isWriter,
  onTrouble,
}: {
  /** undefined: in the store alone. */
  path: string | undefined
  store: Pick<Store, 'events' | 'history' | 'images'>
  catalog: Catalog
  clock: Clock
  /** Whether it writes images, or reads those of others. */
  isWriter: boolean
  onTrouble: (message: string, error: unknown) => void
}): ImageKeeper {
  let behind = 0
  const { code, toLabel, isWanted } = createImageLabels(store)
  const told = new Set<string>()
  const ending = new AbortController()
  /** Until what was fetched is the file of this node. */
  let settling: Promise<unknown> = Promise.resolve()
  /** Until what was written lies in the store. */
  let shelving: Promise<unknown> = Promise.resolve()

  async function findShelved(): Promise<ShelvedImage | undefined> {
    const found = await store.images?.find(code)
    return found && (await isWanted(found.label)) ? found : undefined
  }

  /** Once: a store that is away is asked again and again. */
  function tell(message: string, error: unknown): void {
    if (!told.has(message)) onTrouble(message, error)
    told.add(message)
  }

  /** Tells of the trouble and goes on without. */
  async function tried<T>(message: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      tell(message, error)
      return undefined
    }
  }

  /** undefined: there is none to trust, or the one in the store is worth fetching. */
  async function restoreOwn(path: string, shelved?: ShelvedImage): Promise<Seq | undefined> {
    const isOutdone = (label: ImageLabel): boolean =>
      shelved !== undefined &&
      seqOf(shelved.label) - seqOf(label) > WORTH_FETCHING_SHARE * sizeOf(shelved.label)
    try {
      const label = await readImage(
        path,
        async label => (await isWanted(label)) && !isOutdone(label),
        image => catalog.carry(image),
      )
      return label && seqOf(label)
    } catch (error) {
      // Who has begun cannot go back, but the next start shall not fall into the same hole; a store that is away is asked again.
      if (error instanceof HalfReadImage) rmSync(path, { force: true })
      if (error instanceof HalfReadImage || error instanceof DirectoryError) throw error
      tell('the image of the catalog could not be read', error)
      return undefined
    }
  }

  async function restoreShelved(shelved: ShelvedImage, looksAgain = true): Promise<Seq> {
    try {
      return await fetchShelved(shelved)
    } catch (error) {
      const isUseless = error instanceof HalfReadImage || error instanceof DamagedImage
      if (isUseless) await store.images?.drop(shelved.id).catch(() => {})
      if (error instanceof HalfReadImage) throw error
      tell('the image of the catalog in the database could not be used', error)
      // A newer one may have taken its place in between.
      const next = isUseless && looksAgain ? await tried(UNFOUND, findShelved) : undefined
      return next ? restoreShelved(next, false) : 0
    }
  }

  async function fetchShelved(shelved: ShelvedImage): Promise<Seq> {
    // Only who writes images has the file to itself.
    const own = isWriter ? path : undefined
    if (!hasRoom(own, shelved.bytes)) return 0
    using parts = new DisposableStack()
    const draft = parts.use((own === undefined ? undefined : openDraft(own)) ?? openNamelessDraft())
    await takeImage(store.images!, shelved, draft.fd)
    const label = await readImageFrom(
      draft.fd,
      label => Bun.deepEquals(label, shelved.label),
      image => catalog.carry(image),
    )
    if (!label) throw new DamagedImage('The image is not as it was written.')
    const kept = parts.move()
    settling = tried(UNKEPT, async () => {
      using _ = kept
      await draft.keep()
    })
    return seqOf(label)
  }

  const isWorthKeeping = (changes: number): boolean =>
    changes >= Math.max(WORTH_KEEPING.changes, WORTH_KEEPING.share * catalog.size)

  /** undefined: the store has none to offer, has a good one already, or another process is just writing one. */
  async function beginShelved(): Promise<NewImage | undefined> {
    const shelved = await findShelved()
    if (shelved && !isWorthKeeping(catalog.seq - seqOf(shelved.label))) return undefined
    return store.images?.begin(code)
  }

  async function write(): Promise<void> {
    await settling
    await using parts = new AsyncDisposableStack()
    if (!hasRoom(path, catalog.bytes)) return
    const shelved = parts.use(await tried(UNSHELVED, beginShelved))
    if (path === undefined && !shelved) return
    const label = await toLabel(catalog)
    if (!label) return
    const draft = parts.use(path === undefined ? openNamelessDraft() : openDraft(path))
    if (!draft) return
    await writeImageTo(draft.fd, label, image => catalog.carry(image))
    await draft.keep()
    if (shelved) shelving = shelve(parts.move(), shelved, draft, label)
  }

  const shelve = (owned: AsyncDisposable, shelved: NewImage, { fd }: Draft, label: ImageLabel) =>
    tried(UNSHELVED, async () => {
      await using _ = owned
      const bytes = await addImage(shelved, fd, ending.signal)
      if (bytes !== undefined) await shelved.finish({ label, seq: seqOf(label), bytes })
    })

  return {
    async restore() {
      const shelved = await tried(UNFOUND, findShelved)
      const own = path && (await restoreOwn(path, shelved))
      if (own) return own
      const fetched = shelved ? await restoreShelved(shelved) : 0
      // Rather an old one than none.
      return fetched || (path && shelved && (await restoreOwn(path))) || 0
    },
    count(changes) {
      behind += changes
    },
    async keep() {
      if (!isWriter || !isWorthKeeping(behind)) return
      await tried(UNKEPT, async () => {
        await write()
        behind = 0
      })
    },
    async [Symbol.asyncDispose]() {
      const inTime = new AbortController()
      void clock.sleep(END_MS, inTime.signal).then(() => ending.abort())
      await Promise.all([settling, shelving])
      inTime.abort()
    },
  }
}
