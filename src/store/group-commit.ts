// Concurrent writes share one transaction, so that one wait for the disk commits many calls. Every transaction holds the write lock, so
// seqs are in commit order over all processes.
import { createTimelineId } from '../domain/feed.ts'
import type { Query, Rows, Transaction, Value } from './session.ts'
import type { Seq } from './store.ts'
import { beginTimeline, JUMP } from './timelines.ts'

type Work<T> = (transaction: Transaction) => Promise<T>

type Job = {
  /** Names of what its decision reads; undefined: anything. */
  readonly touches: readonly string[] | undefined
  readonly work: Work<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

type Done = { readonly job: Job; readonly value: unknown }

/** What the group commit needs of an engine. */
export type Engine = {
  /** Opens a write transaction, waiting for other processes if needed. */
  begin(): Promise<Query>
  commit(query: Query): Promise<void>
  /** Never fails. */
  rollback(query: Query): Promise<void>
  /** Whether statements that are sent together take one round trip, so that calls run side by side. */
  readonly isRemote: boolean
  /** SQL after the statement that reads the counter: locks its row where BEGIN takes no lock. */
  readonly lock: string
  /** SQL for the server's own timeline, which changes where a promotion may have lost commits. */
  readonly timeline: string
  /** Tells other processes of the last seq, at the commit. */
  announce?(query: Query, seq: Seq): Promise<unknown>
  /** Whether the engine cannot be reached, so that another attempt would fail as well. */
  isUnavailable(error: unknown): boolean
  /** @param seq the last one; undefined if none was taken */
  onCommit(seq: Seq | undefined): void
}

/** Calls per transaction. Bounds how long it holds the event loop (about 10 ms of registrations) and other processes' writes. */
const GROUP_LIMIT = 256

export class GroupCommit {
  readonly #engine: Engine
  #queue: Job[] = []
  /** Whether the next group runs with a savepoint for each call. */
  #isCareful = false
  #draining: Promise<void> | undefined
  #ownTimeline: OwnTimeline | undefined

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * Resolves to the result of `work` once it is on disk. `work` runs again if another call of its group fails. Where the engine is
   * remote, calls that touch different things run concurrently, so that a group costs a few round trips.
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
      await this.#gather()
      let query: Query
      let counter: Counter
      try {
        query = await this.#engine.begin()
        counter = await this.#readCounter(query)
      } catch (error) {
        for (const job of this.#queue.splice(0)) job.reject(error)
        break
      }
      const group = this.#queue.splice(0, GROUP_LIMIT)
      const open = new OpenTransaction(query, counter)
      if (this.#isCareful) await this.#commitOneByOne(open, group)
      else await this.#commitTogether(open, group)
    }
    this.#draining = undefined
  }

  /** Collects calls while every turn of the event loop adds more; a single call waits for one turn. */
  async #gather(): Promise<void> {
    for (let length = 0; length < this.#queue.length && length < GROUP_LIMIT; ) {
      length = this.#queue.length
      await new Promise<void>(resolve => setImmediate(resolve))
    }
  }

  async #readCounter(query: Query): Promise<Counter> {
    const { lock, timeline } = this.#engine
    try {
      const [row] = await query(
        `SELECT seq, event, gap, timeline NOT IN ('', ${timeline}), EXISTS (SELECT 1 FROM timelines WHERE id = $1),
           (SELECT fork_seq FROM timelines ORDER BY number LIMIT 1) FROM counter${lock}`,
        [this.#ownTimeline?.id ?? ''],
      )
      return toCounter(row!, this.#ownTimeline)
    } catch (error) {
      await this.#engine.rollback(query)
      throw error
    }
  }

  /**
   * Calls rarely fail, so none gets a savepoint. If one fails, the whole group is rolled back and run again with savepoints, so that
   * only the failing call fails.
   */
  async #commitTogether(open: OpenTransaction, group: readonly Job[]): Promise<void> {
    const done: Done[] = []
    try {
      for (const wave of this.#engine.isRemote ? toWaves(group) : group.map(job => [job])) {
        // Waits for all of them even if one fails: no statement may run after the end of its transaction.
        const settled = await Promise.allSettled(wave.map(job => open.run(job.work)))
        for (const [index, result] of settled.entries()) {
          if (result.status === 'rejected') throw result.reason
          done.push({ job: wave[index]!, value: result.value })
        }
      }
    } catch (error) {
      await this.#engine.rollback(open.query)
      if (group.length === 1 || this.#engine.isUnavailable(error)) {
        for (const job of group) job.reject(error)
        return
      }
      this.#queue.unshift(...group)
      this.#isCareful = true
      return
    }
    await this.#commit(open, done)
  }

  async #commitOneByOne(open: OpenTransaction, group: readonly Job[]): Promise<void> {
    this.#isCareful = false
    const done: Done[] = []
    for (const [index, job] of group.entries()) {
      const before = open.taken
      try {
        await open.query('SAVEPOINT job')
        const value = await open.run(job.work)
        await open.query('RELEASE SAVEPOINT job')
        done.push({ job, value })
      } catch (error) {
        job.reject(error)
        try {
          await open.query('ROLLBACK TO SAVEPOINT job')
          await open.query('RELEASE SAVEPOINT job')
          open.taken = before
        } catch {
          // A full disk, an I/O error or a lost connection ends the whole transaction: the other calls run again.
          await this.#engine.rollback(open.query)
          this.#queue.unshift(...done.map(each => each.job), ...group.slice(index + 1))
          return
        }
      }
    }
    await this.#commit(open, done)
  }

  async #commit(open: OpenTransaction, done: readonly Done[]): Promise<void> {
    try {
      const counted = open.hasTaken ? this.#count(open) : []
      // The next statement must not run if one of these fails; a remote engine sees to that itself.
      if (!this.#engine.isRemote) await Promise.all(counted)
      await Promise.all([...counted, this.#engine.commit(open.query)])
    } catch (error) {
      await this.#engine.rollback(open.query)
      for (const { job } of done) job.reject(error)
      return
    }
    if (open.hasTaken) this.#ownTimeline = open.ownTimeline
    for (const { job, value } of done) job.resolve(value as never)
    this.#engine.onCommit(open.hasTaken ? open.taken.seq : undefined)
  }

  #count({ query, counter, taken, start, ownTimeline }: OpenTransaction): Promise<unknown>[] {
    const { timeline } = this.#engine
    const { seq, event } = counter
    return [
      query(`UPDATE counter SET seq = $1, event = $2, gap = 0, timeline = ${timeline}`, [
        taken.seq,
        taken.event,
      ]),
      this.#engine.announce?.(query, taken.seq) ?? Promise.resolve(),
      ...(counter.ownTimeline
        ? []
        : [beginTimeline(query, { id: ownTimeline.id, fork: { seq, event }, start })]),
    ]
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
type OwnTimeline = { readonly id: string; readonly fork: Seq }
type Numbers = { readonly seq: Seq; readonly event: number }

type Counter = Numbers & {
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
  const hasForked = Boolean(isPromoted) || isLost
  return { seq, event, gap, hasForked, ownTimeline: isThere && !hasForked ? ownTimeline : undefined }
}

class OpenTransaction {
  readonly query: Query
  readonly counter: Counter
  /** Numbers are taken after these. */
  readonly start: Numbers
  readonly ownTimeline: OwnTimeline
  taken: Numbers

  constructor(query: Query, counter: Counter) {
    this.query = query
    this.counter = counter
    const jump = counter.gap + (counter.hasForked ? JUMP : 0)
    this.start = { seq: counter.seq + jump, event: counter.event + jump }
    this.ownTimeline = counter.ownTimeline ?? { id: createTimelineId(), fork: counter.seq }
    this.taken = this.start
  }

  /** Whether a visible write is in it; one with events alone is not seen by readers of the feed. */
  get hasTaken(): boolean {
    return this.taken.seq !== this.start.seq
  }

  /** Runs a call. A statement that it sends after its end, because another one failed, is refused. */
  async run<T>(work: Work<T>): Promise<T> {
    let isOver = false
    const query = (sql: string, values?: readonly Value[]): Promise<Rows> =>
      isOver ? Promise.reject(new Error('The transaction is over.')) : this.query(sql, values)
    try {
      return await work(this.#offer(query as Query))
    } finally {
      isOver = true
    }
  }

  #offer(query: Query): Transaction {
    const open = this
    return {
      query,
      get lastSeq() {
        return open.hasTaken ? open.taken.seq : open.counter.seq
      },
      takeSeqs(count) {
        open.taken = { ...open.taken, seq: open.taken.seq + count }
        return open.taken.seq
      },
      takeEventNumbers(count) {
        open.taken = { ...open.taken, event: open.taken.event + count }
        return open.taken.event
      },
    }
  }
}
