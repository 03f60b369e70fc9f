// Tells when entries were written: by this process at once, by others through asking for the last seq.
import type { Clock } from '../../runtime/clock.ts'
import type { Seq } from '../store.ts'

/**
 * Asking for the last seq costs 2.5 µs, as much as asking the engine for its data version, and leaves out the commits that
 * disturb no reader: leases, probes, keys. Watching the log file instead lags one write behind.
 */
const POLL_MS = 20

export class CommitWatch {
  readonly #clock: Clock
  readonly #lastSeq: () => Seq
  readonly #onRound: () => void
  readonly #listeners = new Set<() => void>()
  #polling: AbortController | undefined
  #seen: Seq | undefined
  #closed = false

  constructor({
    clock,
    lastSeq,
    onRound,
  }: {
    readonly clock: Clock
    readonly lastSeq: () => Seq
    /** Called every time before it asks. */
    readonly onRound: () => void
  }) {
    this.#clock = clock
    this.#lastSeq = lastSeq
    this.#onRound = onRound
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

  /** After a commit of this process. */
  committed(): void {
    if (this.#listeners.size > 0) this.#look()
  }

  close(): void {
    this.#closed = true
    this.#listeners.clear()
    this.#polling?.abort()
  }

  #start(): void {
    this.#seen = undefined
    this.#look()
    this.#polling = new AbortController()
    void this.#poll(this.#polling.signal)
  }

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(POLL_MS, signal)
      if (signal.aborted) return
      this.#onRound()
      this.#look()
    }
  }

  #look(): void {
    try {
      const seq = this.#lastSeq()
      if (seq === this.#seen) return
      this.#seen = seq
      for (const listener of this.#listeners) queueMicrotask(listener)
    } catch {
      // A store in trouble is told by the reads and writes of its users; the next round asks again.
    }
  }
}
