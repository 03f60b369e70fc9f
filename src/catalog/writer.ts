// Applies writes to every part of the catalog.
import { toFollowed } from '../domain/provenance.ts'
import type { Rates } from '../domain/rates.ts'
import type { Entry, Service } from '../domain/service.ts'
import type { Timelines } from '../domain/timelines.ts'
import type { Snapshot } from '../memory/snapshot.ts'
import type { Change, Seq, StoredEmbedding } from '../store/store.ts'
import { isHidden } from './hidden-entries.ts'
import type { CatalogParts } from './parts.ts'

/** So many embeddings wait in memory to be stored. */
const MAX_UNSTORED = 20_000

export class CatalogWriter {
  readonly #parts: CatalogParts
  /** Embeddings that had to be made and are not stored yet; undefined where they are made once more later on. */
  readonly #unstored = new Map<number, Uint8Array | undefined>()
  #generation = 0
  /** Applied so far; beyond what is visible while more is to come. */
  #applied: Seq = 0

  constructor(parts: CatalogParts) {
    this.#parts = parts
  }

  /** Rises with everything that a read can show. */
  get generation(): number {
    return this.#generation
  }

  /** With `more` to come, the sorted indexes and `seq` wait for the last page. */
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
    if (this.#applied > this.#parts.seq) this.#generation++
    this.#parts.position.reach(this.#applied)
  }

  /** Puts what was applied with `more` to come into the sorted indexes, so that the last page need not; in a few long steps. */
  placing(): Generator<void> {
    return this.#parts.orders.place()
  }

  /** Tells prices in dollars by these rates from now on; in steps, between which anything may be read and applied. */
  *revalue(rates: Rates): Generator<void> {
    yield* this.#parts.orders.revalue(rates, slot => this.#parts.filters.changed(slot))
    this.#generation++
  }

  /** As `CatalogParts.serialize`, with what is still to be done; nothing may be applied between its steps. */
  *serialize(snapshot: Snapshot): Generator<void> {
    yield* this.#parts.serialize(snapshot)
    for (const slot of snapshot.numbers([...this.#unstored.keys()]))
      if (snapshot.isReading) this.#unstored.set(slot, undefined)
    // It becomes visible with the next page that is applied.
    this.#applied = snapshot.number(this.#applied)
    // The keys are those of the rates at which the snapshot was made.
    if (snapshot.isReading) yield* this.revalue(this.#parts.columns.rates)
  }

  /** Takes out embeddings that had to be made and are worth storing, at most `limit`. */
  takeEmbeddings(limit: number): StoredEmbedding[] {
    const embeddings: StoredEmbedding[] = []
    for (const [slot, made] of this.#unstored) {
      if (embeddings.length === limit) break
      this.#unstored.delete(slot)
      const embedding = made ?? this.#parts.index.embedDocument(this.#parts.records.service(slot).decode())
      if (embedding) embeddings.push({ id: this.#parts.ids.id(slot), embedding })
    }
    return embeddings
  }

  #put(entry: Entry, objectSeq: Seq, embedding: Uint8Array | undefined): void {
    if (isHidden(entry)) {
      if (this.#parts.hidden.put(entry, objectSeq)) this.#drop(entry.id, objectSeq)
      return
    }
    this.#parts.hidden.delete(entry.id)
    const found = this.#parts.ids.find(entry.id)
    const slot = found ?? this.#parts.ids.add(entry.id)
    if (found !== undefined) this.#parts.crowds.leave(slot)
    const before = found === undefined ? undefined : this.#parts.records.service(slot).decode()
    if (!before || textOf(entry) !== textOf(before)) {
      const made = this.#parts.index.set(slot, entry, { embedding, before })
      if (made) this.#unstored.set(slot, this.#unstored.size < MAX_UNSTORED ? made : undefined)
    }
    if (this.#parts.orders.write(slot, entry)) this.#parts.filters.changed(slot)
    this.#parts.records.write(slot, entry)
    this.#parts.log.put(slot, objectSeq, toFragment(toFollowed(entry)))
    this.#parts.offers.write(slot, entry)
    this.#parts.namesakes.write(slot, entry)
    this.#parts.backings.write(slot, entry)
    this.#parts.places.write(slot, entry)
    this.#parts.crowds.enter(slot)
    this.#parts.listings.forget(slot)
    this.#parts.fingerprints.write(slot, entry)
    this.#parts.tallies.write(slot, entry)
  }

  #forget(id: string, seq: Seq, endpoint: string | undefined): void {
    this.#parts.hidden.delete(id)
    if (endpoint !== undefined) this.#parts.places.addRemoved(endpoint)
    this.#drop(id, seq)
  }

  #drop(id: string, seq: Seq): void {
    const slot = this.#parts.ids.find(id)
    this.#parts.log.addTombstone(id, slot, seq)
    if (slot === undefined) return
    this.#parts.index.delete(slot, this.#parts.records.service(slot).decode())
    this.#unstored.delete(slot)
    this.#parts.crowds.leave(slot)
    this.#parts.orders.release(slot)
    this.#parts.offers.release(slot)
    this.#parts.namesakes.release(slot)
    this.#parts.backings.release(slot)
    this.#parts.places.release(slot)
    this.#parts.tallies.release(slot)
    this.#parts.listings.forget(slot)
    this.#parts.records.release(slot)
    this.#parts.ids.remove(id)
  }
}

/** Fields as they stand among others in JSON. */
const toFragment = (fields: object | null): string =>
  fields === null ? '' : `${JSON.stringify(fields).slice(1, -1)},`

/** What the search index reads of a service. */
const textOf = ({ name, description, category, endpoint }: Entry | Service): string =>
  `${name}\n${description}\n${category}\n${endpoint}`
