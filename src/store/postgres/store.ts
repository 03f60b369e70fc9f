// The store on PostgreSQL.
import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createStore, readLastSeq } from '../create-store.ts'
import { GroupCommit } from '../group-commit.ts'
import { takeLease } from '../leases.ts'
import type { Query, Session, Transaction } from '../session.ts'
import type { Seq, Store } from '../store.ts'
import { TimelineReader } from '../timelines.ts'
import { CommitWatch, WriteState, writeTrial } from '../watch.ts'
import {
  isKind,
  isUnavailable,
  type PostgresAddress,
  PostgresConnector,
  type PostgresLink,
  toStoreError,
} from './link.ts'
import { CHANNEL, TIMELINE } from './open.ts'

// The connections of one store: one that writes under the write lock, and a few that read. Maps errors to safe messages.

const READERS = 4
const READ_ONLY = '25006'
const BUSY = '55P03'

class PostgresSession implements Session {
  readonly clock: Clock
  readonly #address: PostgresAddress
  readonly #reader: PostgresConnector
  readonly #writer: PostgresConnector
  readonly #group: GroupCommit
  readonly #writes: WriteState
  readonly #reading = new Set<Promise<unknown>>()
  #closed = false

  constructor({
    address,
    clock,
    readers = READERS,
    writes,
    onCommit,
  }: {
    readonly address: PostgresAddress
    readonly clock: Clock
    readonly readers?: number | undefined
    readonly writes: WriteState
    readonly onCommit: (seq: Seq) => void
  }) {
    this.clock = clock
    this.#address = address
    this.#writes = writes
    this.#reader = new PostgresConnector({ address, clock, connections: readers })
    this.#writer = new PostgresConnector({ address, clock, connections: 1 })
    let link: PostgresLink
    this.#group = new GroupCommit({
      isRemote: true,
      lock: ' FOR UPDATE',
      timeline: TIMELINE,
      announce: (query, seq) => query(`SELECT pg_notify('${CHANNEL}', $1)`, [String(seq)]),
      isUnavailable,
      onCommit: seq => {
        if (seq !== undefined) onCommit(seq)
      },
      begin: async () => {
        link = await this.#writer.link()
        // Not awaited: the next statement goes along, and fails too if this one does.
        link.query('BEGIN').catch(() => {})
        return link.query
      },
      commit: async query => {
        await query('COMMIT')
      },
      // An open transaction would hold the write lock.
      rollback: async query => {
        if (!link.dead) await query('ROLLBACK').catch(() => link.destroy())
      },
    })
  }

  read<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.run(work)
  }

  async run<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#guard(async () => {
      const link = await this.#reader.link()
      return work(link.query)
    })
  }

  async write<T>(
    touches: readonly string[] | undefined,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.#guard(async () => {
      try {
        const result = await this.#group.write(touches, work)
        this.#writes.wrote()
        return result
      } catch (error) {
        const storeError = toStoreError(error)
        const isTrouble = storeError !== error && storeError instanceof DirectoryError && !isKind(error, BUSY)
        if (isTrouble) this.#writes.wrote(storeError)
        throw error
      }
    })
  }

  /** On a connection of its own. */
  async *snapshot<T>(work: (query: Query) => AsyncIterable<T>): AsyncGenerator<T> {
    await using connector = this.#connectAlone()
    try {
      const { query } = await connector.link()
      await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      yield* work(query)
    } catch (error) {
      throw toStoreError(error)
    }
  }

  /** On a connection of its own; the counter is locked, as in any write. */
  async fill(work: (query: Query) => Promise<void>): Promise<void> {
    await using connector = this.#connectAlone()
    try {
      const { query } = await connector.link()
      await query('BEGIN')
      await query('SELECT 1 FROM counter FOR UPDATE')
      await work(query)
      await query('COMMIT')
    } catch (error) {
      throw toStoreError(error)
    }
  }

  /** Earlier calls finish first. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.allSettled([...this.#reading, this.#group.idle()])
    await Promise.all([this.#reader, this.#writer].map(connector => connector[Symbol.asyncDispose]()))
  }

  #connectAlone(): PostgresConnector {
    return new PostgresConnector({ address: this.#address, clock: this.clock, connections: 1 })
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new DirectoryError('store_unavailable', say('store_closed'))
    const working = work()
    this.#reading.add(working)
    try {
      return await working
    } catch (error) {
      this.#leaveStandby(error)
      throw toStoreError(error)
    } finally {
      this.#reading.delete(working)
    }
  }

  /** A former primary would refuse every write: the next call looks for the new primary. */
  #leaveStandby(error: unknown): void {
    if (!isKind(error, READ_ONLY)) return
    for (const connector of [this.#reader, this.#writer]) connector.drop()
  }
}

/** In case a notification is lost, or a pooler delivers none. */
const POLL_MS = 1_000

/** The tables must be up to date. */
export function createPostgresStore(
  address: PostgresAddress,
  {
    clock,
    readers,
    onTrouble,
  }: {
    readonly clock: Clock
    readonly readers?: number | undefined
    readonly onTrouble?: ((sentence: string | undefined) => void) | undefined
  },
): Store {
  const writes = new WriteState({
    clock,
    // Through the write queue, so that the result shows whether writes succeed.
    tryWrite: () => session.write([], ({ query }) => takeLease(query, ...writeTrial(clock))),
    onChange: onTrouble,
  })
  const session = new PostgresSession({
    address,
    clock,
    readers,
    writes,
    onCommit: seq => watch.noteSeq(seq),
  })
  // Other processes notify of their commits by NOTIFY.
  let isListening = false
  const listener = new PostgresConnector({
    address,
    clock,
    connections: 1,
    onNotify: payload => watch.noteSeq(Number(payload)),
    onLost: () => {
      isListening = false
      // Followers notice the lost store at once, not only at the next write.
      watch.notify()
    },
  })
  const listen = async (): Promise<void> => {
    if (isListening) return
    await (await listener.link()).query(`LISTEN ${CHANNEL}`)
    isListening = true
  }
  const watch = new CommitWatch({
    clock,
    pollMs: POLL_MS,
    lastSeq: () => session.read(readLastSeq),
    // LISTEN before the poll, so that no commit is missed in between.
    onPoll: () => listen().catch(() => {}),
    onFailure: () => {
      // A broken network may go unnoticed on the listening connection.
      listener.drop()
      watch.notify()
    },
  })
  return createStore({
    session,
    timelines: new TimelineReader(),
    writes,
    watch,
    closing: () => listener[Symbol.asyncDispose](),
    backup: async () => {
      throw new DirectoryError('invalid_request', say('backup_needs_file'))
    },
  })
}
