// What an operator took out of sight: in no answer, but known, so that who asks for it is told why. There are few.
import { placeOf } from '../domain/resolve/place.ts'
import type { Entry, Hidden } from '../domain/service.ts'
import type { Snapshot } from '../memory/snapshot.ts'
import type { Seq } from '../store/store.ts'

type HiddenEntry = Entry & { readonly hidden: Hidden }
type Row = { readonly entry: HiddenEntry; readonly objectSeq: Seq }

export class HiddenEntries {
  #rows = new Map<string, Row>()

  /** Returns whether it is news to those who follow the catalog. */
  put(entry: HiddenEntry, objectSeq: Seq): boolean {
    const before = this.#rows.get(entry.id)
    this.#rows.set(entry.id, { entry, objectSeq })
    return before?.objectSeq !== objectSeq
  }

  delete(id: string): void {
    this.#rows.delete(id)
  }

  find(id: string): HiddenEntry | undefined {
    return this.#rows.get(id)?.entry
  }

  /** Those whose endpoint is one of these places. */
  at(places: readonly string[]): HiddenEntry[] {
    return [...this.#rows.values()]
      .map(({ entry }) => entry)
      .filter(({ endpoint }) => places.includes(placeOf(endpoint)))
  }

  carry(snapshot: Snapshot): void {
    const rows = snapshot.texts([...this.#rows.values()].map(row => JSON.stringify(row)))
    if (snapshot.isReading)
      this.#rows = new Map(rows.map(text => JSON.parse(text) as Row).map(row => [row.entry.id, row]))
  }
}

export const isHidden = (entry: Entry): entry is HiddenEntry => entry.hidden !== undefined
