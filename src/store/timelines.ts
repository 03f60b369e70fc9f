// The timelines of the history. A process begins one with its first write, and with the first after a failover.

import { MAX_TIMELINES, type Timeline, Timelines } from '../domain/feed.ts'
import type { Entry } from '../domain/listing/service.ts'
import { findEach, fromJson, type Query } from './session.ts'
import type { Change, Seq, StoreHistory } from './store.ts'

/** Numbers skipped after a failover: more than the number of writes that can be lost. */
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

// A promoted standby may lack the last commits of the old primary, which a node may have read already. Then the seqs jump, so that
// none is used for two writes, and each node retracts what it read beyond the fork.

/** Changes remembered for retraction: a second or two of writes that the primary had not yet replicated. */
const MAX_REMEMBERED = 20_000

type Delivered = { readonly seq: Seq; readonly objectSeq: Seq }

/** Retractions after a fork. Each id gets one seq out of the gap, the same for every reader and every read. */
type Retraction = {
  readonly seqs: Map<string, Seq>
  /** Ids whose public object changed in a lost write. */
  readonly objects: Set<string>
  last: Seq
}

export class ForkGuard {
  readonly #delivered = new Map<string, Delivered>()
  /** By the last seq before the lost commits. */
  readonly #retractions = new Map<Seq, Retraction>()

  /** A page of the feed, preceded by pending retractions. */
  async heal(query: Query, since: Seq, limit: number, page: Change[]): Promise<Change[]> {
    const first = page[0]
    const hasJumped = first !== undefined && since > 0 && first.seq - since > JUMP / 2
    const lost = hasJumped ? await this.#readRetractions(query, since, limit) : []
    const rest = lost.length === 0 ? page : page.slice(0, limit - lost.length)
    this.#remember(rest)
    return lost.length === 0 ? rest : [...lost, ...rest]
  }

  #remember(page: readonly Change[]): void {
    for (const { id, seq, objectSeq } of page.slice(-MAX_REMEMBERED)) {
      this.#delivered.delete(id)
      this.#delivered.set(id, { seq, objectSeq })
    }
    for (const id of this.#delivered.keys()) {
      if (this.#delivered.size <= MAX_REMEMBERED) break
      this.#delivered.delete(id)
    }
  }

  async #readRetractions(query: Query, since: Seq, limit: number): Promise<Change[]> {
    const [fork] = await query<[Seq, Seq]>(
      'SELECT base_seq, next_seq FROM forks WHERE base_seq < $1 AND next_seq > $1',
      [since],
    )
    if (!fork) return []
    const [base, next] = fork
    const { seqs, objects } = this.#retract(base, next, since)
    const pending = [...seqs].filter(([, seq]) => seq > since).slice(0, limit)
    const rows = await findEach<[string, Seq, string | null]>(
      query,
      'SELECT id, object_seq, entry FROM services WHERE id = $1',
      pending.map(([id]) => id),
    )
    const current = new Map(
      rows.map(([id, objectSeq, entry]) => [id, { objectSeq, entry: fromJson<Entry>(entry) }]),
    )
    return pending.map(([id, seq]) => {
      const { objectSeq, entry } = current.get(id) ?? { objectSeq: seq, entry: null }
      // Followers of the public object have the lost version, so the surviving one counts as a change.
      const isChanged = objects.has(id) && objectSeq <= base
      return { seq, objectSeq: isChanged ? seq : objectSeq, id, entry }
    })
  }

  /** Assigns seqs out of the gap, after all that was read: a cursor advances past them and never meets them again. */
  #retract(base: Seq, next: Seq, since: Seq): Retraction {
    const retraction = this.#retractions.get(base) ?? { seqs: new Map(), objects: new Set(), last: base }
    this.#retractions.set(base, retraction)
    const lost = [...this.#delivered].filter(([, { seq }]) => seq > base && seq < next)
    for (const [, { seq }] of lost) retraction.last = Math.max(retraction.last, seq)
    if (lost.length > 0) retraction.last = Math.max(retraction.last, since)
    for (const [id, { objectSeq }] of lost) {
      this.#delivered.delete(id)
      if (retraction.seqs.has(id)) continue
      retraction.seqs.set(id, ++retraction.last)
      if (objectSeq > base) retraction.objects.add(id)
    }
    return retraction
  }
}
