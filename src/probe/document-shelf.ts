// Documents that were read a moment ago: the many services of one origin are asked one after the other, and say the same of it.
import type { Clock } from '../runtime/clock.ts'

const KEPT_MS = 10 * 60_000
const MAX_DOCUMENTS = 192
/** With those of all others 12 MiB; larger ones are read again. */
const MAX_BYTES = 64 * 1024

export type ReadDocument = { readonly status: number | null; readonly body: Uint8Array }

/** By URL; the oldest makes room for the newest. */
export class DocumentShelf {
  readonly #clock: Clock
  readonly #kept = new Map<string, ReadDocument & { readonly untilMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  find(url: string): ReadDocument | undefined {
    const kept = this.#kept.get(url)
    const nowMs = this.#clock.now().getTime()
    // A clock that was set back keeps nothing for longer than it is meant to be kept.
    return kept && kept.untilMs > nowMs && kept.untilMs <= nowMs + KEPT_MS ? kept : undefined
  }

  /** What could not be read now may be readable in a moment. */
  put(url: string, { status, body }: ReadDocument): void {
    if (status === null || status === 429 || status >= 500 || body.length > MAX_BYTES) return
    this.#kept.delete(url)
    this.#kept.set(url, { status, body, untilMs: this.#clock.now().getTime() + KEPT_MS })
    if (this.#kept.size > MAX_DOCUMENTS) this.#kept.delete(this.#kept.keys().next().value!)
  }
}
