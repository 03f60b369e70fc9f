// Concurrent writes share one transaction, and every transaction that draws a seq locks the counter row until it commits (the write
// lock), so that seqs are in commit order over all processes.
import { createTimelineId } from '../../domain/timelines.ts'
import type { Seq } from '../store.ts'
import { type Capabilities, CHANNEL, TIMELINE } from './capabilities.ts'
import type { PostgresConnector } from './connector.ts'
import { isUnavailable } from './errors.ts'
import { JUMP } from './forks.ts'
import type { PostgresLink, Query, Rows, Values } from './link.ts'
import { beginTimeline } from './timelines.ts'

/** A transaction under the write lock; statements run in the order in which they are sent. */
export type Transaction = {
  readonly query: Query
  /** Draws consecutive seqs; returns the last one. */
  draw(count: number): Seq
  /** Draws consecutive event numbers; returns the last one. */
  drawEvents(count: number): number
  /** The last seq drawn by any process. */
  readonly lastSeq: Seq
}

type Work<T> = (transaction: Transaction) => Promise<T>

type Job = {
  /** Names of what its decision reads; undefined: anything. */
  readonly touches: readonly string[] | undefined
  readonly work: Work<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** Calls per transaction; bounds how long it blocks writers of other processes. */
const GROUP_LIMIT = 128

export class PostgresCommit {
  readonly #writer: PostgresConnector
  readonly #capabilities: Capabilities
  readonly #onCommit: (seq: Seq) => void
  readonly #onTrouble: (error: unknown) => void
  #queue: Job[] = []
  #draining: Promise<void> | undefined
  #ownTimeline: OwnTimeline | undefined

  constructor(options: {
    /** A single connection. */
    readonly writer: PostgresConnector
    readonly capabilities: Capabilities
    readonly onCommit: (seq: Seq) => void
    readonly onTrouble: (error: unknown) => void
  }) {
    this.#writer = options.writer
    this.#capabilities = options.capabilities
    this.#onCommit = options.onCommit
    this.#onTrouble = options.onTrouble
  }

  /**
   * Resolves to the result of `work` once it is committed. `work` must await nothing but its own statements, and runs again if
   * another call of its group fails. Calls that touch different things run concurrently: their statements are pipelined, so that a
   * distant server costs a few round trips for all of them.
   */
  write<T>(touches: Job['touches'], work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#queue.push({ touches, work, resolve: resolve as Job['resolve'], reject })
    this.#draining ??= this.#drain()
    return promise
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.#draining
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // One turn of the event loop collects every call that is ready to write.
      await new Promise<void>(resolve => setImmediate(resolve))
      await this.#commitOrReject(this.#queue.splice(0, GROUP_LIMIT))
    }
    this.#draining = undefined
  }

  async #commitOrReject(group: readonly Job[]): Promise<void> {
    const isAlone = group.length === 1
    try {
      await this.#commit(await this.#writer.link(), group)
    } catch (error) {
      this.#onTrouble(error)
      // One failing call rolled back the group: each call runs again in a transaction of its own.
      if (!isAlone && !isUnavailable(error)) for (const job of group) await this.#commitOrReject([job])
      else for (const job of group) job.reject(error)
    }
  }

  async #commit(link: PostgresLink, group: readonly Job[]): Promise<void> {
    const hasForked = this.#capabilities.knowsTimeline ? `timeline NOT IN ('', ${TIMELINE})` : 'false'
    const [, [counter]] = await Promise.all([
      link.query('BEGIN'),
      link.query(
        `SELECT seq, event, gap, ${hasForked}, EXISTS (SELECT FROM timelines WHERE id = $1),
           (SELECT fork_seq FROM timelines ORDER BY number LIMIT 1) FROM counter FOR UPDATE`,
        [this.#ownTimeline?.timeline ?? ''],
      ),
    ])
    const transaction = new OpenTransaction(link, this.#capabilities, toCounter(counter!, this.#ownTimeline))
    const values: unknown[] = []
    try {
      for (const wave of toWaves(group)) {
        // Waits for all of them even if one fails: no statement may run after the end of its transaction.
        const settled = await Promise.allSettled(wave.map(({ work }) => work(transaction)))
        for (const result of settled) {
          if (result.status === 'rejected') throw result.reason
          values.push(result.value)
        }
      }
      await transaction.commit()
    } catch (error) {
      // An open transaction would hold the write lock.
      if (!link.dead) await link.query('ROLLBACK').catch(() => link.destroy())
      throw error
    }
    if (transaction.hasDrawn) this.#ownTimeline = transaction.ownTimeline
    for (const [index, job] of group.entries()) job.resolve(values[index] as never)
    if (transaction.hasDrawn) this.#onCommit(transaction.lastSeq)
  }
}

/** Splits a group into runs of consecutive calls that touch different things. */
function toWaves(group: readonly Job[]): Job[][] {
  const waves: Job[][] = []
  let touched: Set<string> | undefined
  for (const job of group) {
    const { touches } = job
    const fits = touched && touches?.every(name => !touched?.has(name))
    if (fits) waves.at(-1)!.push(job)
    else {
      waves.push([job])
      touched = touches && new Set()
    }
    for (const name of touches ?? []) touched?.add(name)
  }
  return waves
}

/** The timeline of this process, and the last seq before it. */
type OwnTimeline = { readonly timeline: string; readonly fork: Seq }

type Counter = {
  readonly seq: Seq
  readonly event: number
  readonly gap: number
  /** Whether writes after `seq` that readers have received may be lost. */
  readonly hasForked: boolean
  /** undefined: this transaction begins a new timeline. */
  readonly ownTimeline: OwnTimeline | undefined
}

/** If the process's own timeline is missing, a failover lost it and all writes after it, whatever the server reports. */
function toCounter(row: readonly unknown[], ownTimeline: OwnTimeline | undefined): Counter {
  const [seq, event, gap, isPromoted, isThere, oldest] = row as [Seq, number, number, boolean, boolean, Seq]
  // A timeline older than all stored ones was merely pruned.
  const isLost = ownTimeline !== undefined && !isThere && oldest <= ownTimeline.fork
  const hasForked = isPromoted || isLost
  return { seq, event, gap, hasForked, ownTimeline: isThere && !hasForked ? ownTimeline : undefined }
}

class OpenTransaction implements Transaction {
  readonly #link: PostgresLink
  readonly #capabilities: Capabilities
  readonly #counter: Counter
  /** Numbers are drawn after these. */
  readonly #start: { readonly seq: Seq; readonly event: number }
  readonly ownTimeline: OwnTimeline
  #seq: Seq
  #event: number

  constructor(link: PostgresLink, capabilities: Capabilities, counter: Counter) {
    this.#link = link
    this.#capabilities = capabilities
    this.#counter = counter
    const jump = counter.gap + (counter.hasForked ? JUMP : 0)
    this.#start = { seq: counter.seq + jump, event: counter.event + jump }
    this.ownTimeline = counter.ownTimeline ?? { timeline: createTimelineId(), fork: counter.seq }
    this.#seq = this.#start.seq
    this.#event = this.#start.event
  }

  query: Query = (text: string, values?: Values): Promise<Rows> => this.#link.query(text, values)

  get lastSeq(): Seq {
    return this.hasDrawn ? this.#seq : this.#counter.seq
  }

  get hasDrawn(): boolean {
    return this.#seq !== this.#start.seq
  }

  draw(count: number): Seq {
    this.#seq += count
    return this.#seq
  }

  drawEvents(count: number): number {
    this.#event += count
    return this.#event
  }

  async commit(): Promise<void> {
    await Promise.all([...(this.hasDrawn ? this.#count() : []), this.query('COMMIT')])
  }

  #count(): Promise<unknown>[] {
    const { seq, event, hasForked, ownTimeline } = this.#counter
    const { canNotify, knowsTimeline } = this.#capabilities
    const timeline = knowsTimeline ? TIMELINE : 'timeline'
    const counted = [
      this.query(`UPDATE counter SET seq = $1, event = $2, gap = 0, timeline = ${timeline}`, [
        this.#seq,
        this.#event,
      ]),
      ...(canNotify ? [this.query(`SELECT pg_notify('${CHANNEL}', $1)`, [String(this.#seq)])] : []),
      ...(ownTimeline
        ? []
        : beginTimeline(this.query, {
            id: this.ownTimeline.timeline,
            fork: { seq, event },
            start: this.#start,
          })),
    ]
    const fork = 'INSERT INTO forks (base_seq, next_seq) VALUES ($1, $2)'
    return hasForked ? [...counted, this.query(fork, [seq, this.#start.seq])] : counted
  }
}
