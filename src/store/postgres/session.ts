// The connections of one store: one that writes under the write lock, and a few that read. Maps errors to safe messages.

import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Seq } from '../store.ts'
import type { WriteState } from '../write-state.ts'
import type { PostgresAddress } from './address.ts'
import type { Capabilities } from './capabilities.ts'
import { PostgresConnector } from './connector.ts'
import { isKind, isUnavailable, toStoreError } from './errors.ts'
import { PostgresCommit, type Transaction } from './group-commit.ts'
import type { Query } from './link.ts'

const READERS = 4
const READ_ONLY = '25006'
const BUSY = '55P03'

export class PostgresSession implements AsyncDisposable {
  readonly clock: Clock
  readonly #reader: PostgresConnector
  readonly #writer: PostgresConnector
  readonly #replica: PostgresConnector | undefined
  readonly #commit: PostgresCommit
  readonly #writes: WriteState
  readonly #reading = new Set<Promise<unknown>>()
  #isFarBehind = true
  #closed = false

  constructor({
    address,
    capabilities,
    clock,
    replica,
    readers = READERS,
    writes,
    onCommit,
  }: {
    readonly address: PostgresAddress
    readonly capabilities: Capabilities
    readonly clock: Clock
    /** Serves starts and long catch-ups, to relieve the primary. */
    readonly replica?: PostgresAddress | undefined
    readonly readers?: number | undefined
    readonly writes: WriteState
    readonly onCommit: (seq: Seq) => void
  }) {
    this.clock = clock
    this.#writes = writes
    this.#reader = new PostgresConnector({ address, clock, role: 'primary', connections: readers })
    this.#writer = new PostgresConnector({ address, clock, role: 'primary', connections: 1 })
    this.#replica = replica && new PostgresConnector({ address: replica, clock, role: 'any', connections: 1 })
    const onTrouble = (error: unknown) => this.#leaveStandby(error)
    this.#commit = new PostgresCommit({ writer: this.#writer, capabilities, onCommit, onTrouble })
  }

  /** Runs statements outside any transaction, each on its own: reads, and writes that draw no seq. */
  async run<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#guard(async () => {
      const link = await this.#reader.link()
      return work(link.query)
    })
  }

  /**
   * Reads a page of the feed. Full pages are old and may come from the replica; the newest page comes from the primary, so that a
   * lagging replica delays no one.
   */
  async readFeed<T>(limit: number, read: (query: Query) => Promise<T[]>): Promise<T[]> {
    if (this.#replica && this.#isFarBehind) {
      const page = await this.#readReplica(this.#replica, read)
      if (page?.length === limit) return page
    }
    const page = await this.run(read)
    this.#isFarBehind = page.length === limit
    return page
  }

  /**
   * Runs reads and writes in one transaction, under the write lock; resolves when it is committed.
   * @param touches names of what its decision reads, such as ids; undefined: anything
   */
  async write<T>(
    touches: readonly string[] | undefined,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.#guard(async () => {
      try {
        const result = await this.#commit.write(touches, work)
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

  /** Earlier calls finish first. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.allSettled([...this.#reading, this.#commit.idle()])
    const connectors = [this.#reader, this.#writer, this.#replica]
    await Promise.all(connectors.map(connector => connector?.[Symbol.asyncDispose]()))
  }

  /** If the replica fails, the primary serves the page. */
  async #readReplica<T>(replica: PostgresConnector, read: (query: Query) => Promise<T>) {
    try {
      return await read((await replica.link()).query)
    } catch (error) {
      if (!(error instanceof Error && (isUnavailable(error) || isKind(error, '')))) throw error
      return undefined
    }
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
