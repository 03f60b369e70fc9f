// Caches documents for some minutes: the many services of one origin are probed one after the other and share its documents.
import type { Clock } from '../../runtime/clock.ts'

const TTL_MS = 10 * 60_000
const MAX_DOCUMENTS = 192
/** With `MAX_DOCUMENTS` this bounds the cache to 12 MiB; larger documents are read again. */
const MAX_BYTES = 64 * 1024

export type ReadDocument = { readonly status: number | null; readonly body: Uint8Array }

/** Keyed by URL; evicts the oldest. */
export class DocumentCache {
  readonly #clock: Clock
  readonly #documents = new Map<string, ReadDocument & { readonly untilMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  find(url: string): ReadDocument | undefined {
    const cached = this.#documents.get(url)
    const nowMs = this.#clock.now().getTime()
    // A clock set back must not extend the lifetime.
    return cached && cached.untilMs > nowMs && cached.untilMs <= nowMs + TTL_MS ? cached : undefined
  }

  /** Errors that may pass are not cached. */
  put(url: string, { status, body }: ReadDocument): void {
    if (status === null || status === 429 || status >= 500 || body.length > MAX_BYTES) return
    this.#documents.delete(url)
    this.#documents.set(url, { status, body, untilMs: this.#clock.now().getTime() + TTL_MS })
    if (this.#documents.size > MAX_DOCUMENTS) this.#documents.delete(this.#documents.keys().next().value!)
  }
}
