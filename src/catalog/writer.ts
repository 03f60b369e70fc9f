// Writes the catalog. First its data structures, one per kind of query: an entry has the same slot in all of them.

import type { Timelines } from '../domain/feed.ts'
import { toFollowed } from '../domain/listing/backing.ts'
import type { Entry, Service } from '../domain/listing/service.ts'
import type { Rates } from '../domain/money/rates.ts'
import type { SlotOrder } from '../memory/sorted-slots.ts'
import type { RankingSource } from '../search/ranking/answer.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { Change, Seq, StoredEmbedding } from '../store/store.ts'
import { Backings, Fingerprints, Namesakes } from './backing.ts'
import { ChangeLog, Position } from './changes.ts'
import { Columns } from './columns.ts'
import { Offers } from './offers.ts'
import { Places } from './places.ts'
import { createRankingSource } from './ranking-source.ts'
import { HiddenEntries, isHidden, Records, SlotTable } from './records.ts'
import { SortedIndexes } from './sorted-indexes.ts'

export class CatalogParts {
  readonly ids = new SlotTable()
  readonly records = new Records()
  readonly columns = new Columns()
  readonly sortedIndexes = new SortedIndexes(this.columns, this.ids)
  readonly index: SearchIndex
  readonly log = new ChangeLog()
  readonly offers = new Offers()
  readonly namesakes = new Namesakes()
  readonly backings = new Backings()
  readonly places = new Places()
  readonly fingerprints = new Fingerprints()
  readonly hidden = new HiddenEntries()
  readonly position = new Position()
  /** Tie-break at equal relevance: what must not be paid last, the more trusted first, samples last, then the older. */
  readonly order: SlotOrder = (a, b) =>
    Number(this.places.danger(a) !== undefined) - Number(this.places.danger(b) !== undefined) ||
    this.columns.trust[b]! - this.columns.trust[a]! ||
    Number(this.places.isSample(a)) - Number(this.places.isSample(b)) ||
    this.ids.compare(a, b)
  readonly ranking: RankingSource

  constructor(index: SearchIndex) {
    this.index = index
    this.ranking = createRankingSource(this)
  }

  /** Everything up to this write is visible in every read. */
  get seq(): Seq {
    return this.position.seq
  }

  get timelines(): Timelines {
    return this.position.timelines
  }

  get bytes(): number {
    return (
      this.ids.bytes +
      this.records.bytes +
      this.columns.bytes +
      this.sortedIndexes.bytes +
      this.index.bytes +
      this.log.bytes +
      this.offers.bytes +
      this.namesakes.bytes +
      this.fingerprints.bytes +
      this.backings.bytes +
      this.places.bytes
    )
  }
}

// Then the writer, which applies changes to all of them.

/** Computed embeddings held in memory until they are stored. */
const MAX_UNSTORED = 20_000

export class CatalogWriter {
  readonly #parts: CatalogParts
  /** Computed embeddings that are not stored yet; undefined if they are to be computed again. */
  readonly #unstored = new Map<number, Uint8Array | undefined>()
  #generation = 0
  /** The last applied seq; ahead of the visible one while more pages are to come. */
  #applied: Seq = 0

  constructor(parts: CatalogParts) {
    this.#parts = parts
  }

  /** Rises with every change that a read can show. */
  get generation(): number {
    return this.#generation
  }

  /** Rises with every page, also while more are to come. */
  get applied(): Seq {
    return this.#applied
  }

  /** With `more` pages to come, sorted indexes and `seq` are updated only with the last page. */
  apply(
    changes: readonly Change[],
    { more = false, timelines }: { more?: boolean; timelines?: Timelines } = {},
  ): void {
    if (timelines) this.#parts.position.timelines = timelines
    for (const { id, entry, objectSeq, embedding, endpoint } of changes) {
      if (entry) this.#put(entry, objectSeq, embedding)
      else this.#forget(id, objectSeq, endpoint)
    }
    this.#applied = Math.max(this.#applied, changes.at(-1)?.seq ?? 0)
    if (more) return
    for (const _ of this.placing());
    this.#parts.log.restoreOrder()
    if (changes.length > 0 || this.#applied > this.#parts.seq) this.#generation++
    this.#parts.position.advance(this.#applied)
  }

  /** Inserts pages applied with `more` into the sorted indexes ahead of the last page, in a few long steps. */
  placing(): Generator<void> {
    return this.#parts.sortedIndexes.insertPending()
  }

  /** Switches dollar prices to these rates, in steps; reads and `apply` may run in between. */
  *revalue(rates: Rates): Generator<void> {
    yield* this.#parts.sortedIndexes.revalue(rates)
    this.#generation++
  }

  /** Removes and returns computed embeddings that are not stored yet, at most `limit`. */
  takeEmbeddings(limit: number): StoredEmbedding[] {
    const embeddings: StoredEmbedding[] = []
    for (const [slot, computed] of this.#unstored) {
      if (embeddings.length === limit) break
      this.#unstored.delete(slot)
      const embedding =
        computed ?? this.#parts.index.embedDocument(this.#parts.records.service(slot).decode())
      if (embedding) embeddings.push({ id: this.#parts.ids.id(slot), embedding })
    }
    return embeddings
  }

  #put(entry: Entry, objectSeq: Seq, embedding: Uint8Array | undefined): void {
    this.#parts.places.restore(entry.id)
    if (isHidden(entry)) {
      if (this.#parts.hidden.put(entry, objectSeq)) this.#drop(entry.id, objectSeq)
      return
    }
    this.#parts.hidden.delete(entry.id)
    const existing = this.#parts.ids.find(entry.id)
    const slot = existing ?? this.#parts.ids.add(entry.id)
    const before = existing === undefined ? undefined : this.#parts.records.service(slot).decode()
    if (!before || textOf(entry) !== textOf(before)) {
      const computed = this.#parts.index.set(slot, entry, { embedding, before })
      if (computed) this.#unstored.set(slot, this.#unstored.size < MAX_UNSTORED ? computed : undefined)
    }
    this.#parts.sortedIndexes.write(slot, entry)
    this.#parts.records.write(slot, entry)
    this.#parts.log.put(slot, objectSeq, toFragment(toFollowed(entry)))
    this.#parts.offers.write(slot, entry)
    this.#parts.namesakes.write(slot, entry)
    this.#parts.backings.write(slot, entry)
    this.#parts.places.write(slot, entry)
    this.#parts.fingerprints.write(slot, entry)
  }

  #forget(id: string, seq: Seq, endpoint: string | undefined): void {
    this.#parts.hidden.delete(id)
    if (endpoint === undefined) this.#parts.places.restore(id)
    else this.#parts.places.addRemoved(id, endpoint)
    this.#drop(id, seq)
  }

  #drop(id: string, seq: Seq): void {
    const slot = this.#parts.ids.find(id)
    this.#parts.log.addTombstone(id, slot, seq)
    if (slot === undefined) return
    this.#parts.index.delete(slot, this.#parts.records.service(slot).decode())
    this.#unstored.delete(slot)
    this.#parts.sortedIndexes.release(slot)
    this.#parts.offers.release(slot)
    this.#parts.namesakes.release(slot)
    this.#parts.backings.release(slot)
    this.#parts.places.release(slot)
    this.#parts.records.release(slot)
    this.#parts.ids.remove(id)
  }
}

/** Fields as a JSON fragment inside an object. */
const toFragment = (fields: object | null): string =>
  fields === null ? '' : `${JSON.stringify(fields).slice(1, -1)},`

/** The text of a service that the search index reads. */
const textOf = ({ name, description, category, endpoint }: Entry | Service): string =>
  `${name}\n${description}\n${category}\n${endpoint}`
