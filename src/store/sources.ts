// Followed sources and their read positions; part of the Store interface.
import { didWrite, type Session } from './session.ts'

export type SourceState = {
  readonly url: string
  /** The recognised kind of source; null before the first read. */
  readonly kind: string | null
  /** Read position in the source's own history; 0 if it has none. */
  readonly cursor: string
  /** The source's history was replaced, so that it is read whole, and compared. */
  readonly rereading?: true
  readonly checkedAt: string | null
  readonly succeededAt: string | null
  /** Consecutive failures; `problem` is the last one, and `cause` a message that says why, without the address. */
  readonly failures: number
  readonly problem: string | null
  readonly cause?: unknown
  /** The last purchase of another Shirube that was read. */
  readonly purchase?: string
  /** Entries that it no longer listed or removed, over all readings. */
  readonly dropped?: number
  /** Items read so far by whoever is reading it. */
  readonly read?: number
}

/** `pausedAt`: null while the server follows it. */
export type FollowedSource = SourceState & { readonly pausedAt: string | null }

export const createSourceState = (url: string): SourceState => ({
  url,
  kind: null,
  cursor: '0',
  checkedAt: null,
  succeededAt: null,
  failures: 0,
  problem: null,
})

export interface SourceTable {
  list(): Promise<FollowedSource[]>
  /** Adds a source, to be read when it is due. Resolves to false if it is there. */
  add(url: string): Promise<boolean>
  /** null: it is followed again. Resolves to false if there is no such source. */
  pause(url: string, at: Date | null): Promise<boolean>
  /** Resolves to false if there is no such source, or if it is leased: its reader would go on to add entries. Its entries stay. */
  remove(url: string, now: Date): Promise<boolean>
  /** Leases a source to its reader; undefined if there is no such source, or if another process has it. */
  lease(url: string, now: Date, leaseMs: number): Promise<SourceState | undefined>
  /** Stores the state and extends the lease until `leasedUntil`, or ends it. */
  save(state: SourceState, leasedUntil?: Date): Promise<void>
}

/** $2 is now. */
const IS_FREE = 'url = $1 AND (leased_until IS NULL OR leased_until <= $2)'

const toState = ([state]: readonly unknown[]) => JSON.parse(state as string) as SourceState

export const createSourceTable = (session: Session): SourceTable => ({
  list: () =>
    session.read(async query =>
      (await query('SELECT state, paused_at, leased_until FROM sources ORDER BY url')).map(row => {
        const { read, ...state } = toState(row)
        // Who stopped in the middle has said nothing.
        const isRead = read !== undefined && Number(row[2] ?? 0) > session.clock.now().getTime()
        return { ...state, ...(isRead && { read }), pausedAt: row[1] as string | null }
      }),
    ),
  add(url) {
    const sql = 'INSERT INTO sources (url, state) VALUES ($1, $2) ON CONFLICT DO NOTHING'
    return didWrite(session, sql, url, JSON.stringify(createSourceState(url)))
  },
  pause: (url, at) =>
    didWrite(session, 'UPDATE sources SET paused_at = $1 WHERE url = $2', at?.toISOString() ?? null, url),
  remove: (url, now) => didWrite(session, `DELETE FROM sources WHERE ${IS_FREE}`, url, now.getTime()),
  lease: (url, now, leaseMs) =>
    session.run(async query => {
      const nowMs = now.getTime()
      const sql = `UPDATE sources SET leased_until = $3 WHERE ${IS_FREE} RETURNING state`
      const [row] = await query(sql, [url, nowMs, nowMs + leaseMs])
      return row && toState(row)
    }),
  async save(state, leasedUntil) {
    const sql = 'UPDATE sources SET state = $1, leased_until = $2 WHERE url = $3'
    await didWrite(session, sql, JSON.stringify(state), leasedUntil?.getTime() ?? null, state.url)
  },
})
