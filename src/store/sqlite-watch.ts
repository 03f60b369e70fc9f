// Tells when somebody committed: this process at once, others by asking the engine for its data version.
import type { Clock } from '../clock.ts'

/** Asking costs 2 µs. Watching the log file instead lags one write behind. */
const POLL_MS = 20

export class CommitWatch {
  readonly #clock: Clock
  readonly #dataVersion: () => number
  readonly #lastSeq: () => number
  readonly #listeners = new Set<() => void>()
  #polling: AbortController | undefined
  #seenVersion = 0
  #seenSeq = 0

  constructor(options: {
    readonly clock: Clock
    /** Changes when another connection commits. */
    readonly dataVersion: () => number
    readonly lastSeq: () => number
  }) {
    this.#clock = options.clock
    this.#dataVersion = options.dataVersion
    this.#lastSeq = options.lastSeq
  }

  watch(onCommit: () => void): () => void {
    // A listener of its own for every call: the same function may watch twice.
    const listener = () => onCommit()
    if (this.#listeners.size === 0) this.#start()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.stop()
    }
  }

  /** After a commit of this process. */
  committed(): void {
    if (this.#listeners.size > 0) this.#notifyIfMoved()
  }

  stop(): void {
    this.#listeners.clear()
    this.#polling?.abort()
    this.#polling = undefined
  }

  #start(): void {
    this.#seenVersion = this.#dataVersion()
    this.#seenSeq = this.#lastSeq()
    this.#polling = new AbortController()
    void this.#poll(this.#polling.signal)
  }

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(POLL_MS, signal)
      if (signal.aborted) return
      try {
        const version = this.#dataVersion()
        if (version === this.#seenVersion) continue
        this.#notifyIfMoved()
        this.#seenVersion = version
      } catch {
        // A store in trouble is told by the reads and writes of its users; the next round asks again.
      }
    }
  }

  /** Leases, probes and keys draw no seq: they disturb nobody. */
  #notifyIfMoved(): void {
    const seq = this.#lastSeq()
    if (seq === this.#seenSeq) return
    this.#seenSeq = seq
    for (const listener of this.#listeners) queueMicrotask(listener)
  }
}
