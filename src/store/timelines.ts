// The timelines of the history. A process begins one with its first write, and with the first after a failover.

import { MAX_TIMELINES, type Timeline, Timelines } from '../domain/feed.ts'
import type { Query } from './session.ts'
import type { StoreHistory } from './store.ts'

/**
 * Numbers skipped after a failover: more than the number of writes that can be lost. A promoted standby may lack the last commits of the
 * old primary, which somebody may have read already; so no number is used for two writes.
 */
export const JUMP = 1_000_000

/** Under the write lock. */
export async function beginTimeline(query: Query, { id, fork, start }: Timeline): Promise<void> {
  await Promise.all([
    query(
      `INSERT INTO timelines (number, id, fork_seq, start_seq, fork_event, start_event)
         VALUES ((SELECT coalesce(max(number), 0) + 1 FROM timelines), $1, $2, $3, $4, $5)`,
      [id, fork.seq, start.seq, fork.event, start.event],
    ),
    query(`DELETE FROM timelines WHERE number <= (SELECT max(number) FROM timelines) - ${MAX_TIMELINES}`),
  ])
}

export class TimelineReader {
  #known = new Timelines()

  get known(): Timelines {
    return this.#known
  }

  /**
   * To be called when a read has ended, so that `known` covers what was read. At the same time is too early: the two statements may
   * run on two connections, and numbers of a new timeline would be given out under the name of the one before.
   */
  async refresh(query: Query): Promise<Timelines> {
    const [newest] = await query('SELECT id FROM timelines ORDER BY number DESC LIMIT 1')
    if (newest?.[0] === this.#known.newest) return this.#known
    const rows = await query<[string, number, number, number, number]>(
      'SELECT id, fork_seq, start_seq, fork_event, start_event FROM timelines ORDER BY number',
    )
    this.#known = new Timelines(
      rows.map(
        ([id, forkSeq, startSeq, forkEvent, startEvent]): Timeline => ({
          id,
          fork: { seq: forkSeq, event: forkEvent },
          start: { seq: startSeq, event: startEvent },
        }),
      ),
    )
    return this.#known
  }

  async history(query: Query): Promise<StoreHistory> {
    const [row] = await query<[number, number, number]>('SELECT seq, event, gap FROM counter')
    const [seq, event, gap] = row!
    return { timelines: await this.refresh(query), seq, event, gap }
  }
}
