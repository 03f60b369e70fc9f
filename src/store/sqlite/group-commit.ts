// Concurrent writes share one transaction, so that one wait for the disk commits many calls.
import type { Database } from 'bun:sqlite'
import type { LazyStatement } from './lazy-statement.ts'

type Job = {
  readonly work: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

type Done = { readonly job: Job; readonly value: unknown }

/** Bounds how long one transaction holds the event loop: about 10 ms of registrations. */
const GROUP_LIMIT = 256

export class GroupCommit {
  readonly #db: Database
  readonly #statements: Readonly<Record<'commit' | 'rollback' | 'save' | 'release' | 'undo', LazyStatement>>
  readonly #begin: () => Promise<void>
  readonly #assertWritable: () => void
  readonly #onCommit: () => void
  #queue: Job[] = []
  /** Whether the next group runs with a savepoint for each call. */
  #isCareful = false
  #draining: Promise<void> | undefined

  constructor(options: {
    readonly db: Database
    readonly prepare: (sql: string) => LazyStatement
    /** Opens a write transaction, waiting for other processes if needed. */
    readonly begin: () => Promise<void>
    /** Throws if the write would be lost although it was committed, as to a deleted file. */
    readonly assertWritable: () => void
    readonly onCommit: () => void
  }) {
    this.#db = options.db
    this.#begin = options.begin
    this.#assertWritable = options.assertWritable
    this.#onCommit = options.onCommit
    this.#statements = {
      commit: options.prepare('COMMIT'),
      rollback: options.prepare('ROLLBACK'),
      save: options.prepare('SAVEPOINT job'),
      release: options.prepare('RELEASE job'),
      undo: options.prepare('ROLLBACK TO job'),
    }
  }

  /** Resolves to the result of `work` once it is on disk. `work` runs again if its transaction is rolled back. */
  write<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#queue.push({ work, resolve: resolve as Job['resolve'], reject })
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
      try {
        await this.#begin()
      } catch (error) {
        for (const job of this.#queue.splice(0)) job.reject(error)
        break
      }
      const group = this.#queue.splice(0, GROUP_LIMIT)
      if (this.#isCareful) this.#commitOneByOne(group)
      else this.#commitTogether(group)
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

  /**
   * Calls rarely fail, so none gets a savepoint, which costs a fifth of a registration's statements. If one fails, the whole group
   * is rolled back and run again with savepoints, so that only the failing call fails.
   */
  #commitTogether(group: readonly Job[]): void {
    const done: Done[] = []
    try {
      for (const job of group) done.push({ job, value: job.work() })
    } catch {
      this.#abandon()
      this.#queue.unshift(...group)
      this.#isCareful = true
      return
    }
    this.#commit(done)
  }

  #commitOneByOne(group: readonly Job[]): void {
    this.#isCareful = false
    const done: Done[] = []
    for (const [index, job] of group.entries()) {
      try {
        this.#statements.save.run()
        const value = job.work()
        this.#statements.release.run()
        done.push({ job, value })
      } catch (error) {
        job.reject(error)
        if (this.#undo()) continue
        // A full disk or an I/O error can roll back the whole transaction: the other calls run again.
        this.#queue.unshift(...done.map(({ job }) => job), ...group.slice(index + 1))
        return
      }
    }
    this.#commit(done)
  }

  #commit(done: readonly Done[]): void {
    try {
      this.#statements.commit.run()
      this.#assertWritable()
    } catch (error) {
      this.#abandon()
      for (const { job } of done) job.reject(error)
      return
    }
    for (const { job, value } of done) job.resolve(value as never)
    this.#onCommit()
  }

  /** Rolls back the failing call; false if the whole transaction is lost. */
  #undo(): boolean {
    if (!this.#db.inTransaction) return false
    try {
      this.#statements.undo.run()
      this.#statements.release.run()
      return true
    } catch {
      this.#abandon()
      return false
    }
  }

  #abandon(): void {
    try {
      if (this.#db.inTransaction) this.#statements.rollback.run()
    } catch {
      // The next `begin` rolls back a transaction that is still open.
    }
  }
}
