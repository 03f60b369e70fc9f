// Concurrent writes share one transaction, and every transaction that draws a seq holds the counter row until it has
// committed: number order is commit order, over all processes.
import { createTimelineId } from '../../domain/timelines.ts'
import type { Seq } from '../store.ts'
import { type Capabilities, CHANNEL, TIMELINE } from './capabilities.ts'
import type { PostgresConnector } from './connector.ts'
import { isAway } from './errors.ts'
import { JUMP } from './forks.ts'
import type { PostgresLink, Query, Rows, Values } from './link.ts'
import { beginTimeline } from './timelines.ts'

/** Inside the write lock: statements run in the order in which they are sent. */
export type Transaction = {
  readonly query: Query
  /** Draws seqs in a row; returns the last one. */
  draw(count: number): Seq
  /** Draws event numbers in a row; returns the last one. */
  drawEvents(count: number): number
  /** The last one that was drawn, by whomever. */
  readonly lastSeq: Seq
}

type Work<T> = (transaction: Transaction) => Promise<T>

type Job = {
  /** What it reads to decide on; undefined: anything. */
  readonly touches: readonly string[] | undefined
  readonly work: Work<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** Bounds how long one transaction keeps the writers of other processes waiting. */
const GROUP_LIMIT = 128

export class PostgresCommit {
  readonly #writer: PostgresConnector
  readonly #abilities: Capabilities
  readonly #onCommit: (seq: Seq) => void
  readonly #onTrouble: (error: unknown) => void
  #queue: Job[] = []
  #draining: Promise<void> | undefined
  #begun: Begun | undefined

  constructor(options: {
    /** A single connection. */
    readonly writer: PostgresConnector
    readonly capabilities: Capabilities
    readonly onCommit: (seq: Seq) => void
    readonly onTrouble: (error: unknown) => void
  }) {
    this.#writer = options.writer
    this.#abilities = options.capabilities
    this.#onCommit = options.onCommit
    this.#onTrouble = options.onTrouble
  }

  /**
   * Resolves to what `work` returned once it is committed. It waits for nothing but its own statements, and runs again
   * where a call beside it fails. Calls that touch different things run side by side: their statements travel together,
   * so that a distant server costs a few round trips for all of them.
   */
  write<T>(touches: Job['touches'], work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#queue.push({ touches, work, resolve: resolve as Job['resolve'], reject })
    this.#draining ??= this.#drain()
    return promise
  }

  /** Resolves when nothing is waiting. */
  async idle(): Promise<void> {
    await this.#draining
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // One turn of the event loop gathers every call that is ready to write.
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
      // One call has failed and taken the others with it: alone, each gets its own due.
      if (!isAlone && !isAway(error)) for (const job of group) await this.#commitOrReject([job])
      else for (const job of group) job.reject(error)
    }
  }

  async #commit(link: PostgresLink, group: readonly Job[]): Promise<void> {
    const hasForked = this.#abilities.knowsTimeline ? `timeline NOT IN ('', ${TIMELINE})` : 'false'
    const [, [counter]] = await Promise.all([
      link.query('BEGIN'),
      link.query(
        `SELECT seq, event, gap, ${hasForked}, EXISTS (SELECT FROM timelines WHERE id = $1),
           (SELECT fork_seq FROM timelines ORDER BY number LIMIT 1) FROM counter FOR UPDATE`,
        [this.#begun?.timeline ?? ''],
      ),
    ])
    const transaction = new OpenTransaction(link, this.#abilities, toCounter(counter!, this.#begun))
    const values: unknown[] = []
    try {
      for (const wave of toWaves(group)) {
        // All of them are waited for, whatever fails: no statement may come after the end of its transaction.
        const settled = await Promise.allSettled(wave.map(({ work }) => work(transaction)))
        for (const result of settled) {
          if (result.status === 'rejected') throw result.reason
          values.push(result.value)
        }
      }
      await transaction.commit()
    } catch (error) {
      // What is not committed must not stay open: it holds the lock.
      if (!link.dead) await link.query('ROLLBACK').catch(() => link.destroy())
      throw error
    }
    if (transaction.hasDrawn) this.#begun = transaction.begun
    for (const [index, job] of group.entries()) job.resolve(values[index] as never)
    if (transaction.hasDrawn) this.#onCommit(transaction.lastSeq)
  }
}

/** Calls in a row that touch different things, as many as there are, then the next ones. */
function toWaves(group: readonly Job[]): Job[][] {
  const waves: Job[][] = []
  let taken: Set<string> | undefined
  for (const job of group) {
    const { touches } = job
    const fits = taken && touches?.every(name => !taken?.has(name))
    if (fits) waves.at(-1)!.push(job)
    else {
      waves.push([job])
      taken = touches && new Set()
    }
    for (const name of touches ?? []) taken?.add(name)
  }
  return waves
}

/** The timeline of this process, and the last write before it. */
type Begun = { readonly timeline: string; readonly fork: Seq }

type Counter = {
  readonly seq: Seq
  readonly event: number
  readonly gap: number
  /** What this server, or any other, has handed out beyond it may be lost. */
  readonly hasForked: boolean
  /** undefined: another one begins. */
  readonly begun: Begun | undefined
}

/** A timeline that was begun and is not there any more has been lost with all that followed, whatever the server says. */
function toCounter(row: readonly unknown[], begun: Begun | undefined): Counter {
  const [seq, event, gap, isPromoted, isThere, oldest] = row as [Seq, number, number, boolean, boolean, Seq]
  // One that is older than all that are kept has merely been forgotten.
  const isLost = begun !== undefined && !isThere && oldest <= begun.fork
  const hasForked = isPromoted || isLost
  return { seq, event, gap, hasForked, begun: isThere && !hasForked ? begun : undefined }
}

class OpenTransaction implements Transaction {
  readonly #link: PostgresLink
  readonly #abilities: Capabilities
  readonly #counter: Counter
  /** From here on they are drawn. */
  readonly #start: { readonly seq: Seq; readonly event: number }
  readonly begun: Begun
  #seq: Seq
  #event: number

  constructor(link: PostgresLink, capabilities: Capabilities, counter: Counter) {
    this.#link = link
    this.#abilities = capabilities
    this.#counter = counter
    const jump = counter.gap + (counter.hasForked ? JUMP : 0)
    this.#start = { seq: counter.seq + jump, event: counter.event + jump }
    this.begun = counter.begun ?? { timeline: createTimelineId(), fork: counter.seq }
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
    const { seq, event, hasForked, begun } = this.#counter
    const { canNotify, knowsTimeline } = this.#abilities
    const timeline = knowsTimeline ? TIMELINE : 'timeline'
    const counted = [
      this.query(`UPDATE counter SET seq = $1, event = $2, gap = 0, timeline = ${timeline}`, [
        this.#seq,
        this.#event,
      ]),
      ...(canNotify ? [this.query(`SELECT pg_notify('${CHANNEL}', $1)`, [String(this.#seq)])] : []),
      ...(begun
        ? []
        : beginTimeline(this.query, { id: this.begun.timeline, fork: { seq, event }, start: this.#start })),
    ]
    const fork = 'INSERT INTO forks (base_seq, next_seq) VALUES ($1, $2)'
    return hasForked ? [...counted, this.query(fork, [seq, this.#start.seq])] : counted
  }
}
