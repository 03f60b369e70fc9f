// The searches of webhooks with a saved sentence, which run again on every event, while a webhook costs its owner nothing. So all of
// them together get a small share of the process's time and take turns: the more there are, the longer they wait.
import type { Clock } from '../runtime/clock.ts'

/** Ids of the services that a sentence finds, without weak hits. */
export type SearchSentence = (sentence: string) => ReadonlySet<string>

/** Share of the process's time. */
const SHARE = 1 / 10
/** Minimum cost of a search, as its webhook is read and written too. */
const MIN_COST_MS = 2
/** A turn may be this early, as rounds are at least this far apart. */
const EARLY_MS = 100
/** An unused turn is dropped after this time: its webhook was removed, or has nothing to search any more. */
const RETAINED_MS = 60_000
/** Turns further ahead were drawn by a clock that has been set back since. */
const MAX_WAIT_MS = 60 * 60_000

export class SearchDeferred extends Error {
  override readonly name = 'SearchDeferred'
  constructor(readonly until: Date) {
    super('Other sentences are looked up before it.')
  }
}

export class SearchQueue {
  readonly #search: SearchSentence
  readonly #clock: Clock
  /** Moving average of the cost of a search. */
  #costMs = MIN_COST_MS
  #nextMs = 0
  /** The time of each webhook's turn, ascending. */
  readonly #turns = new Map<string, number>()

  constructor(search: SearchSentence, clock: Clock) {
    this.#search = search
    this.#clock = clock
  }

  /** @throws SearchDeferred */
  find(sentence: string, webhookId: string): ReadonlySet<string> {
    this.#take(webhookId, this.#clock.now().getTime())
    const from = performance.now()
    const ids = this.#search(sentence)
    const costMs = 0.9 * this.#costMs + 0.1 * (performance.now() - from)
    this.#costMs = Math.max(MIN_COST_MS, costMs)
    return ids
  }

  #take(webhookId: string, nowMs: number): void {
    this.#dropOld(nowMs)
    const turnMs = this.#turns.get(webhookId) ?? this.#draw(nowMs)
    if (turnMs > nowMs + EARLY_MS) {
      this.#turns.set(webhookId, turnMs)
      throw new SearchDeferred(new Date(turnMs))
    }
    this.#turns.delete(webhookId)
  }

  #draw(nowMs: number): number {
    const turnMs = Math.max(nowMs, this.#nextMs)
    this.#nextMs = turnMs + this.#costMs / SHARE
    return turnMs
  }

  #dropOld(nowMs: number): void {
    if (this.#nextMs > nowMs + MAX_WAIT_MS) {
      this.#turns.clear()
      this.#nextMs = nowMs
    }
    for (const [webhookId, turnMs] of this.#turns) {
      if (turnMs >= nowMs - RETAINED_MS) return
      this.#turns.delete(webhookId)
    }
  }
}
