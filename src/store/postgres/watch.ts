// Notifies listeners of written entries: at once for this process, by NOTIFY for others, and by polling the last seq every second, in
// case a notification is lost or the engine has none.
import type { Clock } from '../../runtime/clock.ts'
import type { Seq } from '../store.ts'
import { PostgresConnector } from './connector.ts'
import type { PostgresAddress } from './link.ts'
import { type Capabilities, CHANNEL } from './open.ts'

const POLL_MS = 1_000
/** Polls in a row that may find new seqs before notifications are considered broken: one may be in transit. */
const SILENT_POLLS = 3

type WatchOptions = {
  readonly address: PostgresAddress
  readonly capabilities: Capabilities
  readonly clock: Clock
  readonly lastSeq: () => Promise<Seq>
  readonly onLacking: (sentence: string) => void
}

export class PostgresWatch implements AsyncDisposable {
  readonly #clock: Clock
  readonly #lastSeq: () => Promise<Seq>
  readonly #onLacking: (sentence: string) => void
  /** undefined: the engine has no notifications. */
  readonly #listener: PostgresConnector | undefined
  readonly #listeners = new Set<() => void>()
  #polling: AbortController | undefined
  #running: Promise<void> | undefined
  #lastSeen: Seq | undefined
  #isListening = false
  /** Polls that found new seqs while no notification has ever arrived. */
  #silentPolls = 0
  #closed = false

  constructor({ address, capabilities, clock, lastSeq, onLacking }: WatchOptions) {
    this.#clock = clock
    this.#lastSeq = lastSeq
    this.#onLacking = onLacking
    if (!capabilities.canNotify) return
    this.#listener = new PostgresConnector({
      address,
      clock,
      role: 'primary',
      connections: 1,
      onNotify: payload => {
        this.#silentPolls = Number.NEGATIVE_INFINITY
        this.reached(Number(payload))
      },
      onLost: () => {
        this.#isListening = false
        // Followers notice the lost store at once, not only at the next write.
        if (!this.#closed) this.#notify()
      },
    })
  }

  watch(onCommit: () => void): () => void {
    // A new listener for every call: the same function may watch twice.
    const listener = () => onCommit()
    if (this.#listeners.size === 0 && !this.#closed) this.#start()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#polling?.abort()
    }
  }

  /** Calls the listeners if the seq is new to this process. */
  reached(seq: Seq): void {
    if (this.#lastSeen !== undefined && seq <= this.#lastSeen) return
    this.#lastSeen = seq
    this.#notify()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#listeners.clear()
    this.#polling?.abort()
    await this.#running
    await this.#listener?.[Symbol.asyncDispose]()
  }

  #notify(): void {
    for (const listener of this.#listeners) queueMicrotask(listener)
  }

  #start(): void {
    this.#polling = new AbortController()
    this.#running = this.#poll(this.#polling.signal)
  }

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wasListening = this.#isListening
      // LISTEN before the poll, so that no commit is missed in between.
      await this.#listen().catch(() => {})
      await this.#lastSeq().then(
        seq => {
          if (wasListening && this.#lastSeen !== undefined && seq > this.#lastSeen) this.#noteSilence()
          this.reached(seq)
        },
        () => {
          // A broken network may go unnoticed on the listening connection.
          this.#listener?.drop()
          this.#notify()
        },
      )
      await this.#clock.sleep(POLL_MS, signal)
    }
  }

  async #listen(): Promise<void> {
    if (this.#isListening || !this.#listener) return
    const link = await this.#listener.link()
    await link.query(`LISTEN ${CHANNEL}`)
    this.#isListening = true
  }

  /** A proxy may swallow notifications, as a pooler in transaction mode does. */
  #noteSilence(): void {
    if (++this.#silentPolls !== SILENT_POLLS) return
    this.#onLacking(
      'Its notifications do not arrive: writes of other processes are found by polling every second.',
    )
  }
}
