// The terms of listings that were removed, retired or moved within a week: a seller must not escape a low price, or another payee, by
// withdrawing the listing while a customer waits. They are stored in the snapshot of the catalog only: a start without one forgets them.
import { compareDecimals } from '../domain/money.ts'
import type { EarlierTerms } from '../domain/resolve/earlier-terms.ts'
import type { Snapshot } from '../memory/snapshot.ts'

/** Places, the oldest withdrawal first; about 1 KB each. */
const MAX_PLACES = 10_000
/** Listings per place. */
const MAX_LISTINGS = 8

export class WithdrawnTerms {
  readonly #terms = new Map<string, readonly EarlierTerms[]>()

  /** @param key of the place of the listing */
  add(key: string, added: EarlierTerms): void {
    const terms = withLowest(this.#terms.get(key) ?? [], added)
    this.#terms.delete(key)
    this.#terms.set(key, terms)
    for (const oldest of this.#terms.keys()) {
      if (this.#terms.size <= MAX_PLACES) break
      this.#terms.delete(oldest)
    }
  }

  get isEmpty(): boolean {
    return this.#terms.size === 0
  }

  at(key: string): readonly EarlierTerms[] {
    return this.#terms.get(key) ?? []
  }

  serialize(snapshot: Snapshot): void {
    const places = snapshot.texts([...this.#terms].map(place => JSON.stringify(place)))
    if (!snapshot.isReading) return
    for (const place of places) {
      const [key, terms] = JSON.parse(place) as [string, readonly EarlierTerms[]]
      this.#terms.set(key, terms)
    }
  }
}

/** One of each query and payees, with the lowest price; if there are too many, the dearest goes, so that no flood hides a low one. */
function withLowest(before: readonly EarlierTerms[], added: EarlierTerms): readonly EarlierTerms[] {
  const same = before.find(each => identityOf(each) === identityOf(added))
  const others = before.filter(each => each !== same)
  const lowest = same && isLower(same, added) ? { ...same, at: added.at } : added
  if (others.length < MAX_LISTINGS) return [...others, lowest]
  const dearest = others.reduce((a, b) => (isLower(a, b) ? b : a))
  return isLower(lowest, dearest) ? [...others.filter(each => each !== dearest), lowest] : others
}

const identityOf = ({ query, payees, asks, isByStranger }: EarlierTerms): string =>
  JSON.stringify([query, payees, asks?.currency, isByStranger])

/** Prices in other currencies are not compared: the earlier one stays. */
const isLower = ({ asks: a }: EarlierTerms, { asks: b }: EarlierTerms): boolean =>
  a !== null && b !== null && a.currency === b.currency && compareDecimals(a.amount, b.amount) < 0
