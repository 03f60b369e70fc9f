// The changes feed in memory: entries ordered by the write that last changed their public object, and how far the catalog has got.

import { type Changes, type Cursor, type Scale, Timelines } from '../domain/feed.ts'
import { readIdWords, writeIdWords } from '../domain/ids.ts'
import { Encoded, type JsonPiece, joinJson } from '../domain/json.ts'
import { grown } from '../memory/growing.ts'
import { Interner } from '../memory/string-table.ts'
import type { Seq, StoreHistory } from '../store/store.ts'
import type { Records, SlotTable } from './records.ts'

/** A changed slot, or the id of a removed entry. */
type LoggedChange =
  | { readonly seq: Seq; readonly slot: number; readonly followed: string }
  | { readonly seq: Seq; readonly removed: string }

/** A shorter log is not compacted. */
const MIN_COMPACTED = 1_024

/**
 * An append-only list of (seq, slot). An entry that changes again is appended again; the older item is stale because the slot then
 * has another seq. 24 bytes per entry, 28 per removed one.
 */
export class ChangeLog {
  #seqs = new Float64Array(0)
  /** A slot, or, if negative, the bitwise complement of a tombstone's number. */
  #refs = new Int32Array(0)
  #length = 0
  #isSorted = true
  #live = 0
  /** The seq of each slot; 0 if it has none. */
  #seqOf = new Float64Array(0)
  /** JSON fragment of each slot about the source it follows, by its number in `#texts`. */
  #followed = new Uint32Array(0)
  readonly #texts = new Interner()
  #tombstones = new Uint32Array(0)
  #tombstoneCount = 0

  get bytes(): number {
    const arrays = [this.#seqs, this.#refs, this.#seqOf, this.#followed, this.#tombstones]
    return arrays.reduce((sum, array) => sum + array.byteLength, 0)
  }

  /** @param followed JSON fragment about the source that the entry follows; empty for this directory's own entries */
  put(slot: number, seq: Seq, followed: string): void {
    this.#seqOf = grown(this.#seqOf, slot + 1)
    this.#followed = grown(this.#followed, slot + 1)
    this.#followed[slot] = this.#texts.number(followed)
    const before = this.#seqOf[slot]!
    if (before === seq) return
    if (before === 0) this.#live++
    this.#seqOf[slot] = seq
    this.#append(seq, slot)
  }

  /** @param slot undefined if this catalog never had the entry; its tombstone is still part of the feed */
  addTombstone(id: string, slot: number | undefined, seq: Seq): void {
    if (slot !== undefined && this.#seqOf[slot] !== 0) {
      this.#seqOf[slot] = 0
      this.#live--
    }
    const number = this.#tombstoneCount++
    this.#tombstones = grown(this.#tombstones, 4 * this.#tombstoneCount)
    writeIdWords(id, this.#tombstones, 4 * number)
    this.#live++
    this.#append(seq, ~number)
  }

  /** Sorts what was put in another order, so that the next read need not wait for it. */
  restoreOrder(): void {
    if (!this.#isSorted) this.#rebuild()
  }

  /**
   * Changes after `since` up to `until`, in order.
   * @param exists whether an id has an entry; then its tombstone is left out
   */
  after(since: Seq, until: Seq, limit: number, exists: (id: string) => boolean): LoggedChange[] {
    this.restoreOrder()
    const changes: LoggedChange[] = []
    for (let at = this.#firstAfter(since); at < this.#length && changes.length < limit; at++) {
      const seq = this.#seqs[at]!
      if (seq > until) break
      const ref = this.#refs[at]!
      if (ref < 0) {
        const removed = readIdWords(this.#tombstones, 4 * ~ref)
        if (!exists(removed)) changes.push({ seq, removed })
      } else if (this.#seqOf[ref] === seq)
        changes.push({ seq, slot: ref, followed: this.#texts.texts[this.#followed[ref]!]! })
    }
    return changes
  }

  #append(seq: Seq, ref: number): void {
    if (this.#length === this.#seqs.length && this.#length > MIN_COMPACTED && this.#length > 2 * this.#live)
      this.#rebuild()
    this.#seqs = grown(this.#seqs, this.#length + 1)
    this.#refs = grown(this.#refs, this.#length + 1)
    if (this.#length > 0 && seq < this.#seqs[this.#length - 1]!) this.#isSorted = false
    this.#seqs[this.#length] = seq
    this.#refs[this.#length++] = ref
  }

  /** Drops stale items and sorts the rest if needed. */
  #rebuild(): void {
    let count = 0
    for (let at = 0; at < this.#length; at++) {
      const [seq, ref] = [this.#seqs[at]!, this.#refs[at]!]
      if (ref >= 0 && this.#seqOf[ref] !== seq) continue
      this.#seqs[count] = seq
      this.#refs[count++] = ref
    }
    this.#length = count
    if (!this.#isSorted) this.#sort()
    this.#isSorted = true
  }

  /**
   * Sorting a typed array without a comparator is ten times as fast, and seqs are unique: so the seqs are sorted alone, and each ref
   * then finds its position by binary search.
   */
  #sort(): void {
    const [seqs, refs] = [this.#seqs.slice(0, this.#length), this.#refs.slice(0, this.#length)]
    this.#seqs.subarray(0, this.#length).sort()
    for (let at = 0; at < seqs.length; at++) this.#refs[this.#firstAfter(seqs[at]! - 1)] = refs[at]!
  }

  #firstAfter(since: Seq): number {
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#seqs[middle]! <= since) low = middle + 1
      else high = middle
    }
    return low
  }
}

// The position of a catalog in the history of its store: the visible seq, callers that wait for a later one, and valid cursors.

export class Position {
  readonly #watchers = new Set<() => void>()
  readonly #waiting: { readonly seq: Seq; readonly resolve: () => void }[] = []
  #timelines = new Timelines()
  #seq: Seq = 0
  /** Called with a cursor that is refused and what is known here and in the store, for the log. */
  onUnknownCursor: ((found: Record<string, unknown>) => void) | undefined

  /** Everything up to this write is visible. */
  get seq(): Seq {
    return this.#seq
  }

  /** The timelines of everything applied, and those that the store has reported since. */
  get timelines(): Timelines {
    return this.#timelines
  }

  set timelines(timelines: Timelines) {
    this.#timelines = timelines
  }

  /** Makes everything up to `seq` visible and wakes waiting callers. */
  advance(seq: Seq): void {
    const isRisen = seq > this.#seq
    this.#seq = seq
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      if (this.#waiting[i]!.seq <= seq) this.#waiting.splice(i, 1)[0]!.resolve()
    }
    if (isRisen) for (const watcher of [...this.#watchers]) watcher()
  }

  /** Resolves when everything up to `seq` is visible. */
  whenReached(seq: Seq): Promise<void> {
    if (seq <= this.#seq) return Promise.resolve()
    return new Promise(resolve => this.#waiting.push({ seq, resolve }))
  }

  /** Calls back whenever `seq` has risen; returns a function that stops it. */
  watch(onRise: () => void): () => void {
    const watcher = () => onRise()
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /**
   * Whether a cursor is a position in the history. This process has read it up to `last`; another process may be ahead, so an
   * unknown cursor is checked against the store, whose timelines are adopted.
   */
  async includes(
    scale: Scale,
    cursor: Cursor,
    last: number,
    readHistory: () => Promise<StoreHistory>,
  ): Promise<boolean> {
    if (this.#timelines.has(scale, cursor, last)) return true
    const history = await readHistory()
    const isIncluded = history.timelines.has(scale, cursor, history[scale])
    if (isIncluded) this.#timelines = history.timelines
    else
      this.onUnknownCursor?.({
        ...{ scale, ...cursor, last, stored: history[scale] },
        ...{ newest: this.#timelines.newest, storedNewest: history.timelines.newest },
        expected: history.timelines.toCursor(scale, cursor.number),
      })
    return isIncluded
  }
}

// A page of the changes feed, assembled from encoded records.

/** @param seq everything up to it is visible; later changes belong to a page of the store that is not fully applied yet */
export function pageOfChanges(
  {
    log,
    ids,
    records,
    seq,
    timelines,
  }: { log: ChangeLog; ids: SlotTable; records: Records; seq: Seq; timelines: Timelines },
  since: Seq,
  limit: number,
): Encoded<Changes> {
  const logged = log.after(since, seq, limit + 1, id => ids.find(id) !== undefined)
  const changes = logged.slice(0, limit)
  const caughtUp = logged.length <= limit
  // A cursor from a process that was further ahead must not move back.
  const next = caughtUp ? Math.max(since, seq) : changes.at(-1)!.seq
  const pieces: JsonPiece[] = ['{"changes":[']
  for (const [index, change] of changes.entries()) {
    if (index > 0) pieces.push(',')
    if ('removed' in change) {
      pieces.push(JSON.stringify({ seq: change.seq, id: change.removed, type: 'delete' }))
      continue
    }
    const { seq, slot, followed } = change
    const head = JSON.stringify({ seq, id: ids.id(slot), type: 'upsert' }).slice(0, -1)
    pieces.push(`${head},${followed}"service":`, records.service(slot).bytes, '}')
  }
  const tail = JSON.stringify({ next: timelines.toCursor('seq', next), caughtUp }).slice(1)
  pieces.push(`],${tail}`)
  return new Encoded(joinJson(pieces))
}
