// Notifies listeners of written entries: at once for this process, by polling the last seq for others. Each engine has its own way to
// learn when to poll.
import type { Seq } from './store.ts'

export abstract class CommitWatch implements AsyncDisposable {
  readonly #listeners = new Set<() => void>()
  #polling: AbortController | undefined
  #running: Promise<void> | undefined
  #lastSeen: Seq | undefined
  #closed = false

  watch(onCommit: () => void): () => void {
    // A new listener for every call: the same function may watch twice.
    const listener = () => onCommit()
    if (this.#listeners.size === 0 && !this.#closed) {
      this.#polling = new AbortController()
      this.#running = this.poll(this.#polling.signal)
    }
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#polling?.abort()
    }
  }

  /** Calls the listeners if the seq is new to this process. Returns whether it is, and not the first one. */
  reached(seq: Seq): boolean {
    if (this.#lastSeen !== undefined && seq <= this.#lastSeen) return false
    const isFirst = this.#lastSeen === undefined
    this.#lastSeen = seq
    this.notify()
    return !isFirst
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#listeners.clear()
    this.#polling?.abort()
    await this.#running
  }

  protected notify(): void {
    for (const listener of this.#listeners) queueMicrotask(listener)
  }

  /** Reads the last seq again and again, and passes it to `reached`, until the signal. Never fails. */
  protected abstract poll(signal: AbortSignal): Promise<void>
}
