// Notifies listeners of written entries: at once of those of this process; of others when the engine hears of their commit (NOTIFY of
// PostgreSQL), and by polling the last seq.
import type { Clock } from '../runtime/clock.ts'
import type { Seq } from './store.ts'

type WatchOptions = {
  readonly clock: Clock
  readonly pollMs: number
  readonly lastSeq: () => Promise<Seq>
  /** Called before each poll; never fails. */
  readonly onPoll?: () => unknown
  /** Called after a poll that failed. Reads and writes report the trouble to their callers. */
  readonly onFailure?: () => void
}

export class CommitWatch implements AsyncDisposable {
  readonly #options: WatchOptions
  readonly #listeners = new Set<() => void>()
  #polling: AbortController | undefined
  #running: Promise<void> | undefined
  #lastSeen: Seq | undefined
  #closed = false

  constructor(options: WatchOptions) {
    this.#options = options
  }

  watch(onCommit: () => void): () => void {
    // A new listener for every call: the same function may watch twice.
    const listener = () => onCommit()
    if (this.#listeners.size === 0 && !this.#closed) {
      this.#polling = new AbortController()
      this.#running = this.#poll(this.#polling.signal)
    }
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
    this.notify()
  }

  notify(): void {
    for (const listener of this.#listeners) queueMicrotask(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#listeners.clear()
    this.#polling?.abort()
    await this.#running
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { clock, pollMs, lastSeq, onPoll, onFailure } = this.#options
    while (!signal.aborted) {
      await onPoll?.()
      try {
        this.reached(await lastSeq())
      } catch {
        onFailure?.()
      }
      await clock.sleep(pollMs, signal)
    }
  }
}
