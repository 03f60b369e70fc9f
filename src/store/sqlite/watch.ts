// Notifies listeners of written entries: at once for this process, by polling the last seq for others.
import type { Clock } from '../../runtime/clock.ts'
import type { Seq } from '../store.ts'

/**
 * Reading the last seq costs 2.5 µs, as much as PRAGMA data_version, and ignores commits that are irrelevant to readers: leases,
 * probes, keys. Watching the log file instead would lag one write behind.
 */
const POLL_MS = 20

export class CommitWatch {
  readonly #clock: Clock
  readonly #lastSeq: () => Seq
  readonly #onRound: () => void
  readonly #listeners = new Set<() => void>()
  #polling: AbortController | undefined
  #lastSeen: Seq | undefined
  #closed = false

  constructor({
    clock,
    lastSeq,
    onRound,
  }: {
    readonly clock: Clock
    readonly lastSeq: () => Seq
    /** Called before every poll. */
    readonly onRound: () => void
  }) {
    this.#clock = clock
    this.#lastSeq = lastSeq
    this.#onRound = onRound
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

  /** After a commit of this process. */
  committed(): void {
    if (this.#listeners.size > 0) this.#check()
  }

  close(): void {
    this.#closed = true
    this.#listeners.clear()
    this.#polling?.abort()
  }

  #start(): void {
    this.#lastSeen = undefined
    this.#check()
    this.#polling = new AbortController()
    void this.#poll(this.#polling.signal)
  }

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(POLL_MS, signal)
      if (signal.aborted) return
      this.#onRound()
      this.#check()
    }
  }

  #check(): void {
    try {
      const seq = this.#lastSeq()
      if (seq === this.#lastSeen) return
      this.#lastSeen = seq
      for (const listener of this.#listeners) queueMicrotask(listener)
    } catch {
      // Reads and writes report trouble to their callers; the next round polls again.
    }
  }
}
