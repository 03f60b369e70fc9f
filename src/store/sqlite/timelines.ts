// The timelines of the history, and the counter of writes. A process begins a timeline with its first write.
import { createTimelineId, MAX_TIMELINES, type Timeline, Timelines } from '../../domain/timelines.ts'
import type { Seq, StoreHistory } from '../store.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export const TIMELINE_COLUMNS = ['id', 'fork_seq', 'start_seq', 'fork_event', 'start_event'] as const

export function createTimelineTable(session: SqliteSession) {
  const own = createTimelineId()
  const lastSeq = session.prepare("SELECT value FROM counter WHERE name = 'seq'")
  const lastEvent = session.prepare(
    "SELECT max((SELECT coalesce(max(number), 0) FROM events), (SELECT value FROM counter WHERE name = 'event'))",
  )
  const gap = session.prepare("SELECT value FROM counter WHERE name = 'gap'")
  const draw = session.prepare(
    `UPDATE counter SET value = value + ?1 WHERE name = 'seq'
     RETURNING value, EXISTS (SELECT 1 FROM timelines WHERE id = ?2)`,
  )
  const set = session.prepare('UPDATE counter SET value = ? WHERE name = ?')
  const insert = session.prepare(
    `INSERT INTO timelines (${TIMELINE_COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?) RETURNING number`,
  )
  const forget = session.prepare('DELETE FROM timelines WHERE number <= ?')
  const newest = session.prepare('SELECT id FROM timelines ORDER BY number DESC LIMIT 1')
  const all = session.prepare(`SELECT ${TIMELINE_COLUMNS.join(', ')} FROM timelines ORDER BY number`)
  let known = new Timelines()

  const numberOf = (statement: typeof lastSeq): number => rowsOf(statement)[0]?.[0] as number

  function begin(seq: Seq, count: number): Seq {
    const free = numberOf(gap)
    const event = numberOf(lastEvent)
    const [row] = rowsOf(insert, own, seq, seq + free, event, event + free)
    forget.run((row![0] as number) - MAX_TIMELINES)
    if (free === 0) return seq + count
    set.run(0, 'gap')
    set.run(event + free, 'event')
    set.run(seq + free + count, 'seq')
    return seq + free + count
  }

  /** To be called after a read, so that `known` covers what was read. */
  function refresh(): Timelines {
    if (rowsOf(newest)[0]?.[0] !== known.newest)
      known = new Timelines(
        rowsOf(all).map(
          ([id, forkSeq, startSeq, forkEvent, startEvent]) =>
            ({
              id,
              fork: { seq: forkSeq, event: forkEvent },
              start: { seq: startSeq, event: startEvent },
            }) as Timeline,
        ),
      )
    return known
  }

  return {
    /** Draws consecutive seqs under the write lock, so that they are in commit order; returns the last one. */
    draw(count: number): Seq {
      const [seq, isBegun] = rowsOf(draw, count, own)[0] as [Seq, 0 | 1]
      return isBegun ? seq : begin(seq - count, count)
    },
    lastSeq: (): Seq => numberOf(lastSeq),
    refresh,
    history(): StoreHistory {
      const [seq, event, free] = [numberOf(lastSeq), numberOf(lastEvent), numberOf(gap)]
      return { timelines: refresh(), seq, event, gap: free }
    },
    get known(): Timelines {
      return known
    },
  }
}
