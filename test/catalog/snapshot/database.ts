// A new PostgreSQL database with many services for each test, and the snapshots in it.
import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'
import postgres from 'postgres'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { createDatabase, createReadyDatabase } from '../../postgres.ts'
import { insertMany } from '../node-run.ts'

/** A clock for a node that starts after the lease of a dead one has run out. */
export const LATER: Clock = { ...systemClock, now: () => new Date(Date.now() + 120_000) }

type SnapshotDatabase = {
  readonly url: string
  readonly sql: postgres.Sql
  open(clock?: Clock): Promise<Store>
  /** Replaces the database of this test. */
  use(url: string): Promise<void>
  snapshots(): Promise<postgres.RowList<postgres.Row[]>>
  parts(): Promise<postgres.RowList<postgres.Row[]>>
  /** Expects a single snapshot with all of its parts, and no part of another. */
  expectOneWhole(): Promise<void>
}

/** Called once per file, outside of tests. */
export function useSnapshotDatabase(): SnapshotDatabase {
  let filled: string
  let url: string
  let sql: postgres.Sql
  const database: SnapshotDatabase = {
    get url() {
      return url
    },
    get sql() {
      return sql
    },
    open: (clock = systemClock) => openStore(url, { clock }),
    async use(next) {
      await sql?.end()
      url = next
      sql = postgres(url, { max: 1, onnotice: () => {} })
    },
    snapshots: async () => sql`SELECT id, code, seq, parts FROM catalog_images ORDER BY made_at`,
    parts: async () => sql`SELECT image, part FROM catalog_image_parts ORDER BY image, part`,
    async expectOneWhole() {
      const [snapshot, ...others] = await database.snapshots()
      expect(others).toEqual([])
      expect((await database.parts()).map(({ part }) => Number(part))).toEqual(
        Array.from({ length: Number(snapshot!.parts) }, (_, part) => part),
      )
    },
  }
  beforeAll(async () => {
    filled = await createReadyDatabase()
    await using store = await openStore(filled, { clock: systemClock })
    await insertMany(store)
  })
  beforeEach(async () => database.use(await createDatabase({ of: filled })))
  afterAll(() => sql?.end())
  return database
}
