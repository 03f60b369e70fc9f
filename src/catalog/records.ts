// The slot of each entry, its public JSON ready to send, and the entries that an operator hid.

import { hasQuery, placeOf, type QueryValues, queryOf } from '../domain/hosts/endpoint.ts'
import { isServiceId, readIdWords, writeIdWords } from '../domain/ids.ts'
import { Encoded } from '../domain/json.ts'
import {
  type Entry,
  type Hidden,
  type Service,
  type StatusRecord,
  toService,
  toStatusRecord,
} from '../domain/listing/service.ts'
import { Arena } from '../memory/arena.ts'
import { grown } from '../memory/growing.ts'
import { ChainedHash } from '../memory/hash-table.ts'
import type { Seq } from '../store/store.ts'

/** Finds the slot of an id: a chained hash table in typed arrays, about 26 bytes per entry; a Map needs 165. */
export class SlotTable {
  /** Four words of the id for each slot. */
  #words = new Uint32Array(0)
  /** The last word of an id is random, so it serves as its hash. */
  readonly #slots = new ChainedHash(slot => this.#words[4 * slot + 3]!)
  #next = 0
  #free: number[] = []
  readonly #probe = new Uint32Array(4)
  size = 0

  get bytes(): number {
    return this.#words.byteLength + this.#slots.bytes
  }

  find(id: string): number | undefined {
    if (!isServiceId(id)) return undefined
    writeIdWords(id, this.#probe, 0)
    const slot = this.#seek()
    return slot < 0 ? undefined : slot
  }

  /** Assigns a slot to an id that has none. */
  add(id: string): number {
    const slot = this.#free.pop() ?? this.#next++
    this.#words = grown(this.#words, 4 * (slot + 1))
    writeIdWords(id, this.#words, 4 * slot)
    this.#slots.add(slot)
    this.size++
    return slot
  }

  /** Frees the slot for reuse. */
  remove(id: string): void {
    writeIdWords(id, this.#probe, 0)
    const slot = this.#seek()
    if (slot < 0) return
    this.#slots.remove(slot)
    this.#free.push(slot)
    this.size--
  }

  id(slot: number): string {
    return readIdWords(this.#words, 4 * slot)
  }

  /** Orders slots by id, which is by age. */
  compare(a: number, b: number): number {
    for (let i = 0; i < 4; i++) {
      const difference = this.#words[4 * a + i]! - this.#words[4 * b + i]!
      if (difference !== 0) return difference
    }
    return 0
  }

  /** One of the four words of an id, the most significant first. */
  word(slot: number, place: number): number {
    return this.#words[4 * slot + place]!
  }

  /** Orders a slot against an id that may be absent. */
  compareTo(slot: number, words: Uint32Array): number {
    for (let i = 0; i < 4; i++) {
      const difference = this.#words[4 * slot + i]! - words[i]!
      if (difference !== 0) return difference
    }
    return 0
  }

  #seek(): number {
    // Not destructured: an iterator over four words costs more than the search.
    const [probe, words] = [this.#probe, this.#words]
    const w0 = probe[0]!
    const w1 = probe[1]!
    const w2 = probe[2]!
    const w3 = probe[3]!
    let slot = this.#slots.first(w3)
    for (; slot >= 0; slot = this.#slots.next(slot)) {
      const at = 4 * slot
      if (words[at + 3] === w3 && words[at + 2] === w2 && words[at + 1] === w1 && words[at] === w0) break
    }
    return slot
  }
}

// The public JSON of every entry, encoded when it changes: a read copies bytes.

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

export class Records {
  /** The service object as text and the status record as its tail. */
  readonly #arena = new Arena()

  get bytes(): number {
    return this.#arena.bytes
  }

  write(slot: number, entry: Entry): void {
    // ASCII only: an id, numbers and a date.
    const status = JSON.stringify(toStatusRecord(entry))
    this.#arena.write(slot, JSON.stringify(toService(entry)), status)
  }

  release(slot: number): void {
    this.#arena.release(slot)
  }

  service(slot: number): Encoded<Service> {
    return new Encoded(this.#arena.text(slot))
  }

  status(slot: number): Encoded<StatusRecord> {
    return new Encoded(this.#arena.tail(slot))
  }

  /** The services of these slots as one JSON array. */
  array(slots: readonly number[]): Encoded<Service[]> {
    const texts = slots.reduce((sum, slot) => sum + this.#arena.textLength(slot), 0)
    const separators = Math.max(0, slots.length - 1)
    const bytes = Buffer.allocUnsafeSlow(texts + separators + 2)
    bytes[0] = OPEN
    let at = 1
    for (let i = 0; i < slots.length; i++) {
      if (i > 0) bytes[at++] = COMMA
      at += this.#arena.copyText(slots[i]!, bytes, at)
    }
    bytes[at] = CLOSE
    return new Encoded(bytes)
  }

  /** A consistent view of the services of these slots, to be read one by one later. */
  freeze(slots: Uint32Array): Iterable<Encoded<Service>> {
    const view = this.#arena.freeze(slots)
    return (function* () {
      for (let i = 0; i < slots.length; i++) yield new Encoded<Service>(view(i))
    })()
  }
}

// Entries that an operator hid. They appear in no list, but a lookup by id returns the reason. There are few.

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
