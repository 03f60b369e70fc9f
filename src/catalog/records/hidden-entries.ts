// Entries that an operator hid. They appear in no list, but a lookup by id returns the reason. There are few.

import type { Entry, Hidden } from '../../domain/listing/service.ts'
import { hasQuery, placeOf, type QueryValues, queryOf } from '../../domain/resolve/place.ts'
import type { Seq } from '../../store/store.ts'

type HiddenEntry = Entry & { readonly hidden: Hidden }
type Row = { readonly entry: HiddenEntry; readonly objectSeq: Seq }

export class HiddenEntries {
  readonly #rows = new Map<string, Row>()
  /** Ids by place. */
  readonly #ids = new Map<string, Set<string>>()

  /** Returns whether its public object changed, so that followers have to be notified. */
  put(entry: HiddenEntry, objectSeq: Seq): boolean {
    const before = this.#rows.get(entry.id)
    this.delete(entry.id)
    this.#add({ entry, objectSeq })
    return before?.objectSeq !== objectSeq
  }

  delete(id: string): void {
    const row = this.#rows.get(id)
    if (!row) return
    this.#rows.delete(id)
    const place = placeOf(row.entry.endpoint)
    const ids = this.#ids.get(place)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(place)
  }

  find(id: string): HiddenEntry | undefined {
    return this.#rows.get(id)?.entry
  }

  all(): HiddenEntry[] {
    return [...this.#rows.values()].map(({ entry }) => entry)
  }

  /** Entries whose endpoint is at one of the places of a URL and has no query parameter that the URL lacks. */
  at(places: readonly string[], asked: QueryValues): HiddenEntry[] {
    if (this.#rows.size === 0) return []
    return places
      .flatMap(place => [...(this.#ids.get(place) ?? [])].map(id => this.#rows.get(id)!.entry))
      .filter(({ endpoint }) => hasQuery(asked, queryOf(endpoint)))
  }

  #add(row: Row): void {
    const { id, endpoint } = row.entry
    this.#rows.set(id, row)
    const place = placeOf(endpoint)
    this.#ids.set(place, (this.#ids.get(place) ?? new Set()).add(id))
  }
}

export const isHidden = (entry: Entry): entry is HiddenEntry => entry.hidden !== undefined
