// The terms of listings that were removed, retired or moved within a day: a seller must not escape a low price by withdrawing the
// listing while a customer waits. Kept in this process only; a day after a start they are complete again.
import type { EarlierTerms } from '../domain/resolve/judge-payment.ts'
import type { Seen } from '../domain/terms.ts'

/** Places, the oldest withdrawal first; about 1 KB each. */
const MAX_PLACES = 10_000
/** Payment requirements per place. */
const MAX_TERMS = 8

export class WithdrawnTerms {
  readonly #terms = new Map<string, readonly EarlierTerms[]>()

  /** @param key of the place of the listing */
  add(key: string, { at, resources }: Seen): void {
    const added = (resources[0]?.ways ?? []).map(({ chain, asset, payTo, amount }) => ({
      ...{ chain, asset, payTo, amount, at },
    }))
    const terms = [...added, ...(this.#terms.get(key) ?? [])].slice(0, MAX_TERMS)
    this.#terms.delete(key)
    if (terms.length > 0) this.#terms.set(key, terms)
    for (const oldest of this.#terms.keys()) {
      if (this.#terms.size <= MAX_PLACES) break
      this.#terms.delete(oldest)
    }
  }

  at(key: string): readonly EarlierTerms[] {
    return this.#terms.get(key) ?? []
  }
}
