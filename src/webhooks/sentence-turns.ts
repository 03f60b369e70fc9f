// What a saved sentence finds is looked up anew whenever something happens, and webhooks cost nobody anything. So all sentences
// together get a small part of the time, and take turns: the more there are, the longer they wait, and nobody else does.
import type { Clock } from '../runtime/clock.ts'

/** The services that a sentence finds; those that hardly fit are not among them. */
export type SearchSentence = (sentence: string) => ReadonlySet<string>

/** Of the time of the process. */
const SHARE = 1 / 10
/** What a search counts for at least: its webhook is read and written too. */
const MIN_COST_MS = 2
/** Webhooks are looked at in rounds that are no closer than this. */
const EARLY_MS = 100
/** A turn that nobody takes is over: its webhook was removed, or has nothing to look up any more. */
const KEPT_MS = 60_000
/** A clock that was set back would keep all of them waiting for as long. */
const MAX_WAIT_MS = 60 * 60_000

export class NotYet extends Error {
  override readonly name = 'NotYet'
  constructor(readonly until: Date) {
    super('Other sentences are looked up before it.')
  }
}

export class SentenceTurns {
  readonly #search: SearchSentence
  readonly #clock: Clock
  /** Of the last ones, a moving mean. */
  #costMs = MIN_COST_MS
  #nextMs = 0
  /** When the turn of a webhook is, ascending. */
  readonly #turns = new Map<string, number>()

  constructor(search: SearchSentence, clock: Clock) {
    this.#search = search
    this.#clock = clock
  }

  /** @throws NotYet */
  find(sentence: string, webhookId: string): ReadonlySet<string> {
    this.#take(webhookId, this.#clock.now().getTime())
    const from = performance.now()
    const found = this.#search(sentence)
    const costMs = 0.9 * this.#costMs + 0.1 * (performance.now() - from)
    this.#costMs = Math.max(MIN_COST_MS, costMs)
    return found
  }

  #take(webhookId: string, nowMs: number): void {
    this.#forget(nowMs)
    const turnMs = this.#turns.get(webhookId) ?? this.#draw(nowMs)
    if (turnMs > nowMs + EARLY_MS) {
      this.#turns.set(webhookId, turnMs)
      throw new NotYet(new Date(turnMs))
    }
    this.#turns.delete(webhookId)
  }

  #draw(nowMs: number): number {
    const turnMs = Math.max(nowMs, this.#nextMs)
    this.#nextMs = turnMs + this.#costMs / SHARE
    return turnMs
  }

  #forget(nowMs: number): void {
    if (this.#nextMs > nowMs + MAX_WAIT_MS) {
      this.#turns.clear()
      this.#nextMs = nowMs
    }
    for (const [webhookId, turnMs] of this.#turns) {
      if (turnMs >= nowMs - KEPT_MS) return
      this.#turns.delete(webhookId)
    }
  }
}
