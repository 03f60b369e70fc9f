// What was seen at places and is not read with the listings when a payment is judged: of listings that were removed, retired or moved within
// a week, of those of a crowd, and payees that an endpoint no longer names. A seller must not escape a low price by withdrawing the listing
// while a customer waits, or by listing the place many times; nor a thief the payee before him. It is stored in the snapshot of the
// catalog only: a start without one forgets it.
import { type EarlierTerms, type NamedPayee, REPLACED_FOR_MS } from '../domain/resolve/earlier-terms.ts'
import { lowestPrices, type PriceUntil, RAISED_FOR_MS } from '../domain/terms.ts'
import type { Snapshot } from '../memory/snapshot.ts'

/** Places, the oldest addition first; about 1 KB each. */
const MAX_PLACES = 10_000
/** Prices and sets of payees, of one query each. */
const MAX_OF_QUERY = 8
/** Queries of a place, of strangers and of others each. The bare path, which applies to every URL, is not counted. */
const MAX_QUERIES = 32

/** What was seen for one query of a place, by strangers' listings or by others. */
type Page = {
  readonly query: string
  readonly isByStranger: boolean
  readonly prices: readonly PriceUntil[]
  readonly payees: readonly { readonly named: readonly NamedPayee[]; readonly at: string }[]
}

export type SeenTerms = Pick<Page, 'query' | 'isByStranger' | 'prices'> & {
  readonly named: readonly NamedPayee[]
  readonly at: string
}

export class TermsLedger {
  readonly #pages = new Map<string, readonly Page[]>()

  /** @param key of the place */
  add(key: string, seen: SeenTerms): void {
    const pages = withSeen(this.#pages.get(key) ?? [], seen)
    this.#pages.delete(key)
    this.#pages.set(key, pages)
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PLACES) break
      this.#pages.delete(oldest)
    }
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0
  }

  /** @param isOfQuery whether the terms of a query apply */
  at(key: string, isOfQuery: (query: string) => boolean): readonly EarlierTerms[] {
    const pages = (this.#pages.get(key) ?? []).filter(({ query }) => isOfQuery(query))
    return pages.flatMap(({ query, isByStranger, prices, payees }) => [
      ...prices.map(({ until, ...asks }) => ({ query, isByStranger, at: until, asks, payees: [] })),
      ...payees.map(({ named, at }) => ({ query, isByStranger, at, asks: null, payees: named })),
    ])
  }

  serialize(snapshot: Snapshot): void {
    const places = snapshot.texts([...this.#pages].map(place => JSON.stringify(place)))
    if (!snapshot.isReading) return
    for (const place of places) {
      const [key, pages] = JSON.parse(place) as [string, readonly Page[]]
      this.#pages.set(key, pages)
    }
  }
}

function withSeen(pages: readonly Page[], seen: SeenTerms): readonly Page[] {
  const { query, isByStranger } = seen
  const isOf = (page: Page) => page.query === query && page.isByStranger === isByStranger
  const page = toPage(pages.find(isOf), seen)
  const others = pages.filter(each => !isOf(each))
  const queried = others.filter(each => each.query !== '' && each.isByStranger === isByStranger)
  const surplus = query !== '' && queried.length >= MAX_QUERIES ? queried[0] : undefined
  return [...others.filter(each => each !== surplus), page]
}

function toPage(before: Page | undefined, { query, isByStranger, prices, named, at }: SeenTerms): Page {
  const isWithin = (then: string, ms: number) => Date.parse(at) - Date.parse(then) <= ms
  const recent = [...(before?.prices ?? []), ...prices].filter(({ until }) => isWithin(until, RAISED_FOR_MS))
  const text = JSON.stringify(named)
  const isSame = (payees: Page['payees'][number]) => JSON.stringify(payees.named) === text
  const noted = before?.payees ?? []
  const others = noted.filter(payees => !isSame(payees) && isWithin(payees.at, REPLACED_FOR_MS))
  // A listing of a crowd may have been seen long before another one.
  const lastAt = noted.filter(isSame).reduce((last, payees) => (payees.at > last ? payees.at : last), at)
  return {
    query,
    isByStranger,
    prices: lowestPrices(recent, MAX_OF_QUERY),
    // Of too many, the first stay: a thief can add any number after he has the endpoint.
    payees: named.length > 0 ? [...others.slice(0, MAX_OF_QUERY), { named, at: lastAt }] : others,
  }
}
