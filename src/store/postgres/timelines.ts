// The timelines of the history. A process begins one with its first write, and with the first after a failover.
import { MAX_TIMELINES, type Timeline, Timelines } from '../../domain/timelines.ts'
import type { StoreHistory } from '../store.ts'
import type { Query } from './link.ts'

type NewTimeline = Pick<Timeline, 'id' | 'fork' | 'start'>

/** Under the write lock. */
export const beginTimeline = (query: Query, { id, fork, start }: NewTimeline): Promise<unknown>[] => [
  query(
    `INSERT INTO timelines (number, id, fork_seq, start_seq, fork_event, start_event)
       SELECT coalesce(max(number), 0) + 1, $1::text, $2::bigint, $3::bigint, $4::bigint, $5::bigint FROM timelines`,
    [id, fork.seq, start.seq, fork.event, start.event],
  ),
  query('DELETE FROM timelines WHERE number <= (SELECT max(number) FROM timelines) - $1', [MAX_TIMELINES]),
]

export class TimelineReader {
  #known = new Timelines()

  get known(): Timelines {
    return this.#known
  }

  /** To be called after a read on the same connection, so that `known` covers what was read. */
  async refresh(query: Query): Promise<Timelines> {
    const [newest] = await query('SELECT id FROM timelines ORDER BY number DESC LIMIT 1')
    if (newest?.[0] === this.#known.newest) return this.#known
    const rows = await query(
      'SELECT id, fork_seq, start_seq, fork_event, start_event FROM timelines ORDER BY number',
    )
    this.#known = new Timelines(
      rows.map(
        ([id, forkSeq, startSeq, forkEvent, startEvent]) =>
          ({
            id,
            fork: { seq: forkSeq, event: forkEvent },
            start: { seq: startSeq, event: startEvent },
          }) as Timeline,
      ),
    )
    return this.#known
  }

  async history(query: Query): Promise<StoreHistory> {
    const [counters, timelines] = await Promise.all([
      query('SELECT seq, event, gap FROM counter'),
      this.refresh(query),
    ])
    const [seq, event, gap] = counters[0] as unknown as [number, number, number]
    return { timelines, seq, event, gap }
  }
}
