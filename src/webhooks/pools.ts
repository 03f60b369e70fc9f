// Separate pools for challenges, for prompt receivers and for slow ones, so that a crowd in one pool does not delay another.

import { type WebhookPool as Pool, WEBHOOK_POOLS } from '../domain/webhooks.ts'
import type { Clock } from '../runtime/clock.ts'
import { PROMPT_MS } from './slots.ts'

/** Maximum number of concurrent runs, in all and per owner. */
const MAX_RUNS: Readonly<Record<Pool, { readonly all: number; readonly perOwner: number }>> = {
  challenge: { all: 32, perOwner: 4 },
  prompt: { all: 64, perOwner: 16 },
  slow: { all: 32, perOwner: 4 },
}
/** A run in the prompt pool that becomes slow frees its place; at most this many such runs continue. */
export const MAX_OVERDUE = 64

/** A run starts no message after this time. Prompt receivers have short runs, so that the next one need not wait. */
export const RUN_MS: Readonly<Record<Pool, number>> = { challenge: 0, prompt: PROMPT_MS, slow: 5_000 }

export type PoolPlace = {
  /** Aborted when the run has to end. */
  readonly signal: AbortSignal
  leave(): void
}

type ActiveRun = { readonly pool: Pool; readonly sinceMs: number; readonly controller: AbortController }

export class DeliveryPools {
  readonly #clock: Clock
  /** In the order of arrival. */
  readonly #runs = new Set<ActiveRun>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The pools with free places, and how many. */
  *free(): Iterable<{ readonly pool: Pool; readonly limit: number; readonly perOwner: number }> {
    for (const pool of WEBHOOK_POOLS) {
      const { all, perOwner } = MAX_RUNS[pool]
      const limit = all - this.#inPool(pool).length
      if (limit > 0) yield { pool, limit, perOwner }
    }
  }

  enter(pool: Pool): PoolPlace {
    const run = { pool, sinceMs: this.#nowMs(), controller: new AbortController() }
    this.#runs.add(run)
    return { signal: run.controller.signal, leave: () => void this.#runs.delete(run) }
  }

  /** Aborts the longest overdue runs if there are too many. */
  abortOverdue(): void {
    const overdue = this.#filter(run => run.pool === 'prompt' && this.#isOverdue(run))
    const tooMany = overdue.slice(0, Math.max(0, overdue.length - MAX_OVERDUE))
    for (const { controller } of tooMany) controller.abort(new Error('The receiver was too slow.'))
  }

  #inPool(pool: Pool): ActiveRun[] {
    return this.#filter(run => run.pool === pool && !(pool === 'prompt' && this.#isOverdue(run)))
  }

  #filter(predicate: (run: ActiveRun) => boolean): ActiveRun[] {
    return [...this.#runs].filter(predicate)
  }

  #isOverdue({ sinceMs }: ActiveRun): boolean {
    return this.#nowMs() - sinceMs > PROMPT_MS
  }

  #nowMs(): number {
    return this.#clock.now().getTime()
  }
}
