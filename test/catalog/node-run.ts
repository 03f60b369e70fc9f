// One run of a node: it starts from the available snapshots, does something and stops.
import { Catalog } from '../../src/catalog/catalog.ts'
import { openFollower } from '../../src/catalog/follow/follow.ts'
import { createSnapshotKeeper } from '../../src/catalog/snapshot/keeper.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'

/** So many are worth a snapshot here, in several parts. A directory waits for ten times as many: to make them takes long. */
export const MANY = 250
const SIZES = { minChanges: 200, partBytes: 100_000 }

export const insertMany = (store: Store, count = MANY) =>
  store.insert(Array.from({ length: count }, (_, i) => entry({ name: `Service ${i}` })))

export type RunOptions = {
  readonly path?: string | undefined
  readonly isWriter?: boolean
  /** Of the snapshots alone. */
  readonly clock?: Clock
}

/** Tells from which writes on it readFrom the store, what went wrong and what it showed. */
export async function runNode(
  store: Store,
  act: (catalog: Catalog) => Promise<unknown> = async () => {},
  { path, isWriter = true, clock = systemClock }: RunOptions = {},
) {
  const readFrom: number[] = []
  const troubles: string[] = []
  const watched = {
    watch: store.watch.bind(store),
    get timelines() {
      return store.timelines
    },
    changes: (since: number, limit: number) => {
      readFrom.push(since)
      return store.changes(since, limit)
    },
  }
  const catalog = new Catalog()
  const onTrouble = (message: string) => troubles.push(message)
  {
    await using snapshot = createSnapshotKeeper({
      path,
      store,
      catalog,
      clock,
      isWriter,
      onTrouble,
      ...SIZES,
    })
    await using follower = openFollower({ store: watched, catalog, clock: systemClock, snapshot })
    await follower.caughtUp
    await act(catalog)
  }
  const services = [...catalog.freeze()]
  return {
    readFrom,
    troubles,
    catalog,
    ids: services.map(service => service.decode().id),
    /** All bytes of an export. */
    bytes: Buffer.concat(services.map(({ bytes }) => bytes)),
  }
}
