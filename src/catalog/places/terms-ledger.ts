// What was seen at places and is not read with the listings when a payment is judged: of listings that were removed, retired or moved within
// a week, of those of a crowd, and payees that an endpoint no longer names. A seller must not escape a low price by withdrawing the listing
// while a customer waits, or by listing the place many times; nor a thief the payee before him. So nothing is dropped for others: a page is
// forgotten by its age alone, and takes less memory than the listing that it is of. It is stored in the snapshot of the catalog only: a
// start without one forgets it.
import { type EarlierTerms, type NamedPayee, REPLACED_FOR_MS } from '../../domain/resolve/earlier-terms.ts'
import { hasQuery, type QueryValues } from '../../domain/resolve/place.ts'
import { lowestPrices, type PriceUntil, RAISED_FOR_MS } from '../../domain/terms/terms.ts'
import { systemClock } from '../../runtime/clock.ts'

/** Prices and sets of payees, of one page each. */
const MAX_OF_PAGE = 8
/** Queries of a place that are compared parameter by parameter, the newest; a page is always found by its whole query. */
const MAX_COMPARED = 256

export type SeenTerms = {
  /** Key of the place. */
  readonly place: string
  /** Sorted. */
  readonly query: string
  readonly isByStrangerToEndpoint: boolean
  readonly prices: readonly PriceUntil[]
  readonly named: readonly NamedPayee[]
  readonly at: string
}

/** What was seen for one query of a place, by strangers' listings or by others. */
type Page = Omit<SeenTerms, 'named'> & {
  readonly payees: readonly { readonly named: readonly NamedPayee[]; readonly at: string }[]
}

export class TermsLedger {
  /** Pages as JSON, by place, query and whether strangers listed it; the last addition is the last. */
  readonly #pages = new Map<string, string>()
  /** Queries of each place, without those of strangers; the last addition is the last. */
  readonly #queries = new Map<string, Set<string>>()

  add(seen: SeenTerms): void {
    // A process whose clock is ahead must not make all others forget.
    const atMs = Math.min(Date.parse(seen.at), systemClock.now().getTime())
    const before = this.#find(seen)
    if (before) this.#delete(before)
    this.#set(toPage(before, { ...seen, at: new Date(atMs).toISOString() }))
    this.#forgetBefore(atMs - REPLACED_FOR_MS)
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0
  }

  /** @param own queries, sorted, that the URL is known to have */
  at(place: string, asked: QueryValues, own: readonly string[]): readonly EarlierTerms[] {
    const others = [...(this.#queries.get(place) ?? [])].slice(-MAX_COMPARED)
    return [...new Set([...own, ...others.filter(query => hasQuery(asked, query))])]
      .flatMap(query =>
        [true, false].map(isByStrangerToEndpoint => ({ place, query, isByStrangerToEndpoint })),
      )
      .flatMap(of => toEarlierTerms(this.#find(of)))
  }

  #find(of: Pick<Page, 'place' | 'query' | 'isByStrangerToEndpoint'>): Page | undefined {
    const text = this.#pages.get(keyOf(of))
    return text === undefined ? undefined : (JSON.parse(text) as Page)
  }

  #set(page: Page): void {
    const { place, query, isByStrangerToEndpoint } = page
    this.#pages.set(keyOf(page), JSON.stringify(page))
    if (query === '' || isByStrangerToEndpoint) return
    this.#queries.getOrInsertComputed(place, () => new Set()).add(query)
  }

  #delete(page: Page): void {
    const { place, query, isByStrangerToEndpoint } = page
    this.#pages.delete(keyOf(page))
    const queries = isByStrangerToEndpoint ? undefined : this.#queries.get(place)
    queries?.delete(query)
    if (queries?.size === 0) this.#queries.delete(place)
  }

  /** A page that was added later than one that stays is forgotten after it. */
  #forgetBefore(ms: number): void {
    for (const text of this.#pages.values()) {
      const page = JSON.parse(text) as Page
      if (Date.parse(page.at) >= ms) break
      this.#delete(page)
    }
  }
}

const keyOf = ({
  place,
  query,
  isByStrangerToEndpoint,
}: Pick<Page, 'place' | 'query' | 'isByStrangerToEndpoint'>): string =>
  `${place}${isByStrangerToEndpoint ? '!' : '?'}${query}`

const toEarlierTerms = (page: Page | undefined): readonly EarlierTerms[] => {
  if (!page) return []
  const { query, isByStrangerToEndpoint, prices, payees } = page
  return [
    ...prices.map(({ until, ...asks }) => ({ query, isByStrangerToEndpoint, at: until, asks, payees: [] })),
    ...payees.map(({ named, at }) => ({ query, isByStrangerToEndpoint, at, asks: null, payees: named })),
  ]
}

function toPage(before: Page | undefined, { named, ...seen }: SeenTerms): Page {
  // A listing of a crowd may have been seen long before another one.
  const at = before && before.at > seen.at ? before.at : seen.at
  const isWithin = (then: string, ms: number) => Date.parse(at) - Date.parse(then) <= ms
  const prices = [...(before?.prices ?? []), ...seen.prices].filter(({ until }) =>
    isWithin(until, RAISED_FOR_MS),
  )
  const text = JSON.stringify(named)
  const isSame = (payees: Page['payees'][number]) => JSON.stringify(payees.named) === text
  const noted = before?.payees ?? []
  const others = noted.filter(payees => !isSame(payees) && isWithin(payees.at, REPLACED_FOR_MS))
  const lastAt = noted.filter(isSame).reduce((last, payees) => (payees.at > last ? payees.at : last), seen.at)
  return {
    ...seen,
    at,
    prices: lowestPrices(prices, MAX_OF_PAGE),
    // Of too many, the first stay: a thief can add any number after he has the endpoint.
    payees: named.length > 0 ? [...others.slice(0, MAX_OF_PAGE), { named, at: lastAt }] : others,
  }
}
