// Who waits with whom: those that are asked for consent, those that answer at once and those that take their time have pools of their
// own, so that a crowd in one keeps nobody in another waiting.

import { type WebhookPool as Pool, WEBHOOK_POOLS } from '../domain/webhooks.ts'
import type { Clock } from '../runtime/clock.ts'
import { PROMPT_MS } from './slots.ts'

/** How many have their turn at a time, and how many of one owner. */
const PLACES: Readonly<Record<Pool, { readonly all: number; readonly perOwner: number }>> = {
  challenge: { all: 32, perOwner: 4 },
  prompt: { all: 64, perOwner: 16 },
  slow: { all: 32, perOwner: 4 },
}
/** Who was prompt the last time and is not this time leaves its place to others; of such so many are waited for. */
export const MAX_OVERDUE = 64

/** A run sends nothing new after this time. Who is prompt has a short run, so that the next need not wait. */
export const RUN_MS: Readonly<Record<Pool, number>> = { challenge: 0, prompt: PROMPT_MS, slow: 5_000 }

export type Stay = {
  /** Raised where it is not waited for any more. */
  readonly signal: AbortSignal
  leave(): void
}

type ActiveRun = { readonly pool: Pool; readonly sinceMs: number; readonly enough: AbortController }

export class DeliveryPools {
  readonly #clock: Clock
  /** In the order of their coming. */
  readonly #runs = new Set<ActiveRun>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The pools with places to give, and how many. */
  *free(): Iterable<{ readonly pool: Pool; readonly limit: number; readonly perOwner: number }> {
    for (const pool of WEBHOOK_POOLS) {
      const { all, perOwner } = PLACES[pool]
      const limit = all - this.#inPool(pool).length
      if (limit > 0) yield { pool, limit, perOwner }
    }
  }

  enter(pool: Pool): Stay {
    const run = { pool, sinceMs: this.#nowMs(), enough: new AbortController() }
    this.#runs.add(run)
    return { signal: run.enough.signal, leave: () => void this.#runs.delete(run) }
  }

  /** Ends the longest of the overdue where there are too many. */
  clear(): void {
    const overdue = this.#present(run => run.pool === 'prompt' && this.#isOverdue(run))
    const tooMany = overdue.slice(0, Math.max(0, overdue.length - MAX_OVERDUE))
    for (const { enough } of tooMany) enough.abort(new Error('Others have waited for it long enough.'))
  }

  #inPool(pool: Pool): ActiveRun[] {
    return this.#present(run => run.pool === pool && !(pool === 'prompt' && this.#isOverdue(run)))
  }

  #present(isOne: (run: ActiveRun) => boolean): ActiveRun[] {
    return [...this.#runs].filter(isOne)
  }

  #isOverdue({ sinceMs }: ActiveRun): boolean {
    return this.#nowMs() - sinceMs > PROMPT_MS
  }

  #nowMs(): number {
    return this.#clock.now().getTime()
  }
}
