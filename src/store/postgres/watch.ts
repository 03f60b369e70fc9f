// Tells when entries were written: by this process at once, by others through a notification, and through asking for the
// last seq every second, in case a notification is lost or the engine has none.
import type { Clock } from '../../runtime/clock.ts'
import type { Seq } from '../store.ts'
import type { PostgresAddress } from './address.ts'
import { type Capabilities, CHANNEL } from './capabilities.ts'
import { PostgresConnector } from './connector.ts'

const POLL_MS = 1_000
/** So often asking alone may bring news, before notifications are taken for lost: one may be under way. */
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
  #seen: Seq | undefined
  #isListening = false
  /** Polls that brought news while no notification ever came. */
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
        // Whoever follows finds out at once that the store is away, and not only at the next write.
        if (!this.#closed) this.#call()
      },
    })
  }

  watch(onCommit: () => void): () => void {
    // A listener of its own for every call: the same function may watch twice.
    const listener = () => onCommit()
    if (this.#listeners.size === 0 && !this.#closed) this.#start()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#polling?.abort()
    }
  }

  /** Calls back where the seq is news to this process. */
  reached(seq: Seq): void {
    if (this.#seen !== undefined && seq <= this.#seen) return
    this.#seen = seq
    this.#call()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#listeners.clear()
    this.#polling?.abort()
    await this.#running
    await this.#listener?.[Symbol.asyncDispose]()
  }

  #call(): void {
    for (const listener of this.#listeners) queueMicrotask(listener)
  }

  #start(): void {
    this.#polling = new AbortController()
    this.#running = this.#poll(this.#polling.signal)
  }

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const hasListened = this.#isListening
      // Listening begins before the question, so that no commit falls between the two.
      await this.#listen().catch(() => {})
      await this.#lastSeq().then(
        seq => {
          if (hasListened && this.#seen !== undefined && seq > this.#seen) this.#noteSilence()
          this.reached(seq)
        },
        () => {
          // A cut network tells the listening connection nothing.
          this.#listener?.drop()
          this.#call()
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

  /** Something on the way may swallow notifications, as a pooler does that lends a connection for each transaction. */
  #noteSilence(): void {
    if (++this.#silentPolls !== SILENT_POLLS) return
    this.#onLacking(
      'Its notifications do not arrive: what other processes write is found by asking every second.',
    )
  }
}
