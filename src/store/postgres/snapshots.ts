// Snapshots of the catalog in unlogged tables, without WAL, replication or backup: they are empty after a crash of the server and on
// a promoted standby, and cannot be read on a standby.

import type { LeaseTable } from '../leases.ts'
import type { NewSnapshot, SnapshotStore, StoredSnapshot } from '../snapshots.ts'
import type { PostgresSession } from './session.ts'

// Stored names, shared with nodes of earlier versions: the tables call a snapshot an image.
const LEASE = 'catalog image'
/** A writer that has added nothing for this long is considered dead. */
const LEASE_MS = 60_000
const RENEW_EVERY_MS = 10_000
/** Code versions whose snapshots are retained: during an upgrade several run at the same time. */
const MAX_CODES = 3

// A seq between the two ends of a fork belongs to a lost history.
const FIND = `
  SELECT id, label, bytes, parts FROM catalog_images
  WHERE code = $1 AND parts IS NOT NULL
    AND NOT EXISTS (SELECT FROM forks WHERE base_seq < seq AND seq < next_seq)
  ORDER BY made_at DESC LIMIT 1`

// base64: the client would transfer bytes as hex, which takes both ends half as long again.
const READ = `SELECT encode(bytes, 'base64') FROM catalog_image_parts WHERE image = $1 AND part = $2`
const ADD = `INSERT INTO catalog_image_parts (image, part, bytes) VALUES ($1, $2, decode($3, 'base64'))`

// now(): the server's clock, because those of nodes differ.
const FINISH = `
  UPDATE catalog_images SET label = $2::text::json, seq = $3, bytes = $4, parts = $5, made_at = now()
  WHERE id = $1 AND (SELECT count(*) FROM catalog_image_parts WHERE image = $1) = $5`

const TIDY = `
  WITH newest AS (
    SELECT DISTINCT ON (code) id, made_at FROM catalog_images WHERE parts IS NOT NULL
      ORDER BY code, made_at DESC)
  DELETE FROM catalog_images WHERE id NOT IN (SELECT id FROM newest ORDER BY made_at DESC LIMIT ${MAX_CODES})`

export function createSnapshotStore(session: PostgresSession, leases: LeaseTable): SnapshotStore {
  const drop = (id: string): Promise<void> =>
    session.run(async query => {
      await query('DELETE FROM catalog_images WHERE id = $1', [id])
    })

  return {
    find: code =>
      session.run(async query => {
        const [row] = await query(FIND, [code])
        if (!row) return undefined
        const [id, origin, bytes, parts] = row
        return { id, origin, bytes, parts } as StoredSnapshot
      }),
    read: (id, part) =>
      session.run(async query => {
        const [row] = await query(READ, [id, part])
        return row && Buffer.from(row[0] as string, 'base64')
      }),
    drop,
    async begin(code) {
      const id = crypto.randomUUID()
      const { clock } = session
      const hold = (leaseMs: number) =>
        leases.take(LEASE, { holder: id, now: clock.now(), leaseMs, note: code })
      if (!(await hold(LEASE_MS))) return undefined
      await session.run(async query => {
        await query('DELETE FROM catalog_images WHERE parts IS NULL')
        await query('INSERT INTO catalog_images (id, code) VALUES ($1, $2)', [id, code])
      })
      return createNewSnapshot({ id, session, hold, drop })
    },
  }
}

function createNewSnapshot({
  id,
  session,
  hold,
  drop,
}: {
  readonly id: string
  readonly session: PostgresSession
  readonly hold: (leaseMs: number) => Promise<boolean>
  readonly drop: (id: string) => Promise<void>
}): NewSnapshot {
  const { clock } = session
  let parts = 0
  let isWhole = false
  let heldAtMs = clock.now().getTime()

  return {
    async add(part) {
      const nowMs = clock.now().getTime()
      if (Math.abs(nowMs - heldAtMs) > RENEW_EVERY_MS) {
        if (!(await hold(LEASE_MS))) throw new Error('Another process has started a snapshot.')
        heldAtMs = nowMs
      }
      const text = Buffer.from(part.buffer, part.byteOffset, part.length).toString('base64')
      await session.run(query => query(ADD, [id, parts, text]))
      parts++
    },
    async finish({ origin, seq, bytes }) {
      const values = [id, JSON.stringify(origin), seq, bytes, parts]
      const { count } = await session.run(query => query(FINISH, values))
      if (count === 0) throw new Error('The snapshot was deleted before it was complete.')
      isWhole = true
      // A separate statement: it may take seconds for large snapshots, and `find` works without it.
      await session.run(query => query(TIDY)).catch(() => {})
    },
    // If this fails, the writer of the next snapshot deletes it.
    async [Symbol.asyncDispose]() {
      if (!isWhole) await drop(id).catch(() => {})
      await hold(0).catch(() => {})
    },
  }
}
