// The entries by the write at which their public object last changed: the feed of changes, answered from memory.
import { readIdWords, writeIdWords } from '../domain/ids.ts'
import { FIRST_SLOTS, resized } from '../memory/arena.ts'
import { Interner } from '../memory/interner.ts'
import type { Snapshot } from '../memory/snapshot.ts'
import type { Seq } from '../store/store.ts'

/** A slot, or what is left of a removed entry. */
export type LoggedChange =
  | { readonly seq: Seq; readonly slot: number; readonly followed: string }
  | { readonly seq: Seq; readonly removed: string }

/** Below this a log is never worth tidying up. */
const SMALL = 1_024

/**
 * A growing list of (seq, slot). An entry that changes again is appended again; its older place is known to be dead
 * because the slot has another seq by then. 24 bytes an entry, 28 a removed one.
 */
export class ChangeLog {
  #seqs = new Float64Array(FIRST_SLOTS.log)
  /** A slot, or below zero the complement of a tombstone's number. */
  #refs = new Int32Array(FIRST_SLOTS.log)
  #length = 0
  #isSorted = true
  #live = 0
  /** The seq of each slot; 0: none. */
  #seqOf = new Float64Array(FIRST_SLOTS.log)
  /** What is told about whom each slot is listed for, by its number among the texts. */
  #followed = new Uint32Array(FIRST_SLOTS.log)
  readonly #texts = new Interner()
  #tombstones = new Uint32Array(4 * 16)
  #tombstoneCount = 0

  get bytes(): number {
    const arrays = [this.#seqs, this.#refs, this.#seqOf, this.#followed, this.#tombstones]
    return arrays.reduce((sum, array) => sum + array.byteLength, 0)
  }

  /** @param followed what the feed says about whom it is listed for; empty where this directory speaks for it */
  put(slot: number, seq: Seq, followed: string): void {
    if (slot >= this.#seqOf.length) {
      const capacity = Math.max(slot + 1, this.#seqOf.length * 2)
      this.#seqOf = resized(this.#seqOf, capacity)
      this.#followed = resized(this.#followed, capacity)
    }
    this.#followed[slot] = this.#texts.number(followed)
    const before = this.#seqOf[slot]!
    if (before === seq) return
    if (before === 0) this.#live++
    this.#seqOf[slot] = seq
    this.#append(seq, slot)
  }

  /** @param slot undefined where the entry was never seen here: its tombstone is news all the same */
  addTombstone(id: string, slot: number | undefined, seq: Seq): void {
    if (slot !== undefined && this.#seqOf[slot] !== 0) {
      this.#seqOf[slot] = 0
      this.#live--
    }
    const number = this.#tombstoneCount++
    if (4 * number >= this.#tombstones.length)
      this.#tombstones = resized(this.#tombstones, this.#tombstones.length * 2)
    writeIdWords(id, this.#tombstones, 4 * number)
    this.#live++
    this.#append(seq, ~number)
  }

  /** To be called before reading, after any number of changes in any order. */
  restoreOrder(): void {
    if (!this.#isSorted || (this.#length > SMALL && this.#length > 2 * this.#live)) this.#rebuild()
  }

  /** The last write that changed a public object. */
  get last(): Seq {
    return this.#length === 0 ? 0 : this.#seqs[this.#length - 1]!
  }

  /**
   * What changed after `since` and up to `until`, in order.
   * @param isThere of what was removed and has come back, only the return is told
   */
  after(since: Seq, until: Seq, limit: number, isThere: (id: string) => boolean): LoggedChange[] {
    const found: LoggedChange[] = []
    for (let at = this.#firstAfter(since); at < this.#length && found.length < limit; at++) {
      const seq = this.#seqs[at]!
      if (seq > until) break
      const ref = this.#refs[at]!
      if (ref < 0) {
        const removed = readIdWords(this.#tombstones, 4 * ~ref)
        if (!isThere(removed)) found.push({ seq, removed })
      } else if (this.#seqOf[ref] === seq)
        found.push({ seq, slot: ref, followed: this.#texts.texts[this.#followed[ref]!]! })
    }
    return found
  }

  serialize(snapshot: Snapshot): void {
    this.#seqs = snapshot.array(this.#seqs, this.#length)
    this.#refs = snapshot.array(this.#refs, this.#length)
    this.#length = snapshot.number(this.#length)
    this.#isSorted = snapshot.number(this.#isSorted ? 1 : 0) === 1
    this.#live = snapshot.number(this.#live)
    this.#seqOf = snapshot.array(this.#seqOf)
    this.#followed = snapshot.array(this.#followed)
    this.#texts.serialize(snapshot)
    this.#tombstones = snapshot.array(this.#tombstones, 4 * this.#tombstoneCount)
    this.#tombstoneCount = snapshot.number(this.#tombstoneCount)
  }

  #append(seq: Seq, ref: number): void {
    if (this.#length === this.#seqs.length) {
      this.#seqs = resized(this.#seqs, this.#length * 2)
      this.#refs = resized(this.#refs, this.#length * 2)
    }
    if (seq < this.last) this.#isSorted = false
    this.#seqs[this.#length] = seq
    this.#refs[this.#length++] = ref
  }

  /** Drops what is dead and sorts the rest, where it is not in order. */
  #rebuild(): void {
    let kept = 0
    for (let at = 0; at < this.#length; at++) {
      const [seq, ref] = [this.#seqs[at]!, this.#refs[at]!]
      if (ref >= 0 && this.#seqOf[ref] !== seq) continue
      this.#seqs[kept] = seq
      this.#refs[kept++] = ref
    }
    this.#length = kept
    if (!this.#isSorted) this.#sort()
    this.#isSorted = true
  }

  /**
   * Numbers sort by themselves ten times as fast as with a comparison, and no two entries share a seq: so the seqs are
   * sorted alone, and each entry then finds its place.
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
