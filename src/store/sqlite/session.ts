// One connection: finalizes its statements, waits for locks without blocking, and maps errors to safe messages.

import type { Database, Statement } from 'bun:sqlite'
import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Row } from '../rows.ts'
import type { WriteState } from '../write-state.ts'
import { isBusy, isTrouble, toStoreError } from './errors.ts'
import { GroupCommit } from './group-commit.ts'
import { LazyStatement } from './lazy-statement.ts'

/** The engine waits this long inside a call, where it blocks the event loop; longer waits happen between calls. */
export const BUSY_TIMEOUT_MS = 2
const BUSY_PAUSE_MS = 5
/** About five seconds in all. */
const BUSY_ATTEMPTS = 700

/** Retries while another process holds a lock. */
export async function whenFree<T>(clock: Clock, work: () => T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || attempt >= BUSY_ATTEMPTS) throw error
      await clock.sleep(BUSY_PAUSE_MS)
    }
  }
}

export class SqliteSession implements AsyncDisposable {
  readonly clock: Clock
  readonly #db: Database
  readonly #statements: LazyStatement[] = []
  readonly #group: GroupCommit
  readonly #writes: WriteState
  #closed = false

  constructor(
    db: Database,
    { clock, writes, onCommit }: { clock: Clock; writes: WriteState; onCommit: () => void },
  ) {
    this.clock = clock
    this.#db = db
    this.#writes = writes
    const begin = this.prepare('BEGIN IMMEDIATE')
    const rollback = this.prepare('ROLLBACK')
    this.#group = new GroupCommit({
      db,
      prepare: sql => this.prepare(sql),
      begin: () =>
        whenFree(clock, () => {
          writes.assertWritable()
          if (db.inTransaction) rollback.run()
          begin.run()
        }),
      // Checked again after the commit: a write to a deleted file must not be reported as successful.
      assertWritable: () => writes.assertWritable(),
      onCommit,
    })
  }

  /** The statement is finalized with the session. */
  prepare(sql: string): LazyStatement {
    const statement = new LazyStatement(() => this.#db.prepare(sql))
    this.#statements.push(statement)
    return statement
  }

  /** Runs reads outside any transaction. */
  async read<T>(work: () => T): Promise<T> {
    this.#assertOpen()
    try {
      return await whenFree(this.clock, work)
    } catch (error) {
      throw toStoreError(error)
    }
  }

  /** Runs reads and writes in one transaction; resolves when they are on disk. `work` may run again if its transaction is lost. */
  async write<T>(work: () => T): Promise<T> {
    this.#assertOpen()
    try {
      const result = await this.#group.write(work)
      this.#writes.wrote()
      return result
    } catch (error) {
      const storeError = toStoreError(error)
      if (isTrouble(error) && storeError instanceof DirectoryError) this.#writes.wrote(storeError)
      throw storeError
    }
  }

  /** Earlier calls finish first. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#group.idle()
    // A connection with an unfinalized statement would stay open and hold its locks and its log.
    for (const statement of this.#statements) statement.finalize()
    this.#db.close(true)
  }

  #assertOpen(): void {
    if (this.#closed) throw new DirectoryError('store_unavailable', say('store_closed'))
  }
}

/** Rows as arrays: several times as fast as objects, and columns of the same name do not collide. */
export const rowsOf = (statement: Pick<Statement, 'values'>, ...values: (string | number | null)[]): Row[] =>
  statement.values(...values) as unknown as Row[]
