// What was seen at places for listings that are not read when a payment is judged: those that were removed, retired or moved within a week,
// and those of a crowd. A seller must not escape a low price, or another payee, by withdrawing the listing while a customer waits, or by
// listing the place many times. It is stored in the snapshot of the catalog only: a start without one forgets what was withdrawn.
import { compareDecimals } from '../domain/money.ts'
import { type EarlierTerms, REPLACED_FOR_MS } from '../domain/resolve/earlier-terms.ts'
import { RAISED_FOR_MS } from '../domain/terms.ts'
import type { Snapshot } from '../memory/snapshot.ts'

/** Places, the oldest addition first; about 1 KB each. */
const MAX_PLACES = 10_000
/** Terms per query of a place, and for all queries together. */
const MAX_TERMS = { query: 8, place: 64 }

export class TermsLedger {
  readonly #terms = new Map<string, readonly EarlierTerms[]>()

  /** @param key of the place of the listing */
  add(key: string, added: EarlierTerms): void {
    const terms = withTerms(this.#terms.get(key) ?? [], added)
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

/**
 * Adds terms, without those that say nothing more: of the same query and payees, others with no higher price were seen later. No flood
 * hides a low price: of too many for one query, the dearest goes, and its time passes to the next lower one.
 */
function withTerms(before: readonly EarlierTerms[], added: EarlierTerms): readonly EarlierTerms[] {
  const all = [...before.flatMap(each => aged(each, added.at)), added]
  const terms = all.filter((each, i) => !all.some((other, j) => i !== j && says(other, each, i < j)))
  const ofQuery = terms.filter(each => each.query === added.query && isSameCurrency(each, added))
  if (ofQuery.length > MAX_TERMS.query) return withoutDearest(terms, ofQuery)
  // The terms of the bare path apply to every URL, so those of single queries go first.
  const surplus = terms.length > MAX_TERMS.place && (terms.find(({ query }) => query !== '') ?? terms[0])
  return surplus ? terms.filter(each => each !== surplus) : terms
}

/** What the terms still say later: prices are compared for a day, payees for a week. */
function aged(terms: EarlierTerms, now: string): EarlierTerms[] {
  const ageMs = Date.parse(now) - Date.parse(terms.at)
  if (ageMs > REPLACED_FOR_MS) return []
  return [ageMs > RAISED_FOR_MS ? { ...terms, asks: null } : terms]
}

/** Whether the first terms say all that the second say. @param isLater of two that say the same, the later ones are kept */
function says(first: EarlierTerms, second: EarlierTerms, isLater: boolean): boolean {
  if (subjectOf(first) !== subjectOf(second) || first.at < second.at) return false
  if (second.asks === null && first.asks !== null) return true
  if (!isSameCurrency(first, second) || isLower(second, first)) return false
  return isLower(first, second) || isLater || first.at > second.at
}

function withoutDearest(terms: readonly EarlierTerms[], rivals: readonly EarlierTerms[]): EarlierTerms[] {
  const [dearest, next] = rivals.toSorted((a, b) => (isLower(a, b) ? 1 : isLower(b, a) ? -1 : 0)) as [
    EarlierTerms,
    EarlierTerms,
  ]
  const at = next.at > dearest.at ? next.at : dearest.at
  return terms.filter(each => each !== dearest).map(each => (each === next ? { ...next, at } : each))
}

const subjectOf = ({ query, payees, isByStranger }: EarlierTerms): string =>
  JSON.stringify([query, payees, isByStranger])

const isSameCurrency = ({ asks: a }: EarlierTerms, { asks: b }: EarlierTerms): boolean =>
  a?.currency === b?.currency

const isLower = ({ asks: a }: EarlierTerms, { asks: b }: EarlierTerms): boolean =>
  a !== null && b !== null && a.currency === b.currency && compareDecimals(a.amount, b.amount) < 0
