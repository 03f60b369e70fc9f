// Every order that a list can ask for, kept at all times, for all entries and for the filter sets people use most.
import { categoryKey } from '../domain/categories.ts'
import { chainKey } from '../domain/chains.ts'
import type { Filters, SortKey } from '../domain/queries.ts'
import { STATUSES } from '../domain/standing.ts'
import { RadixSort } from '../memory/radix-sort.ts'
import type { Image } from '../memory/snapshot.ts'
import { OrderedSlots, type SlotOrder } from '../memory/sorted-slots.ts'
import type { Columns } from './columns.ts'
import type { SlotTable } from './id-table.ts'

const KEPT = ['age', 'name', 'price', 'trustScore'] as const
export type Kept = SortKey | 'age'

/** So few names are compared with each other, and all that are the same for so many words. */
const FEW = 256
const DEEPEST = 16

/** The same entries in each kept order, ascending. */
export type FilterSet = Readonly<Record<Kept, OrderedSlots>>

/** A set of entries, and the filters that it does not take care of. */
export type Narrowed = { readonly set: FilterSet; readonly rest: Filters }

export class KeptOrders {
  readonly #columns: Columns
  readonly #orders: Readonly<Record<Kept, SlotOrder>>
  readonly #ids: SlotTable
  readonly #radix = new RadixSort()
  readonly #sets = new Map<string, FilterSet>()
  readonly all: FilterSet

  constructor(columns: Columns, ids: SlotTable) {
    this.#columns = columns
    this.#ids = ids
    // Every order ends in the id, so that no two entries are equal and pages never overlap.
    this.#orders = {
      age: (a, b) => ids.compare(a, b),
      name: (a, b) => columns.compareNames(a, b) || ids.compare(a, b),
      price: (a, b) => columns.comparePrices(a, b) || ids.compare(a, b),
      trustScore: (a, b) => columns.trust[a]! - columns.trust[b]! || ids.compare(a, b),
    }
    this.all = this.#createSet()
    this.#sets.set('', this.all)
  }

  get bytes(): number {
    let sum = 0
    for (const set of this.#sets.values()) for (const kept of KEPT) sum += set[kept].bytes
    return sum
  }

  insert(slot: number): void {
    for (const key of this.#keysOf(slot)) {
      const set = this.#setOf(key)
      for (const kept of KEPT) set[kept].insert(slot)
    }
  }

  /** To be called before the slot's columns change. @throws Error where any order does not hold it */
  remove(slot: number): void {
    for (const key of this.#keysOf(slot)) {
      const set = this.#sets.get(key)
      if (!set) throw new Error(`Slot ${slot} is not in the order: there is no set ${key}.`)
      for (const kept of KEPT) set[kept].remove(slot)
      if (set.age.size === 0 && set !== this.all) this.#sets.delete(key)
    }
  }

  /** Adds many slots at once: sorting everything anew costs less than finding a place for each. One order a step. */
  *insertMany(slots: readonly number[]): Generator<void> {
    const present = new Uint32Array(this.all.age.size + slots.length)
    let count = 0
    this.all.age.walk(0, 1, slot => {
      present[count++] = slot
      return true
    })
    present.set(slots, count)
    for (const place of [3, 2, 1, 0]) this.#radix.sort(present, slot => this.#ids.word(slot, place))
    const setsOf = this.#createSetsOf()
    for (const kept of KEPT) {
      const ordered = this.#sorted(kept, present)
      for (const set of this.#sets.values()) set[kept].clear()
      for (let i = 0; i < ordered.length; i++) {
        const slot = ordered[i]!
        const sets = setsOf(slot)
        for (let j = 0; j < sets.length; j++) sets[j]![kept].append(slot)
      }
      yield
    }
  }

  /** Every other order begins with that of age, which decides between equals. */
  #sorted(kept: Kept, byAge: Uint32Array): Uint32Array {
    if (kept === 'age') return byAge
    const [columns, radix, slots] = [this.#columns, this.#radix, byAge.slice()]
    if (kept === 'trustScore') radix.sort(slots, slot => columns.trust[slot]!)
    else if (kept === 'name') this.#sortNames(slots, 0)
    else for (const place of [3, 2, 1, 0]) radix.sort(slots, slot => columns.priceWord(slot, place))
    return slots
  }

  /** By four bytes, and those that share them by the next four. */
  #sortNames(slots: Uint32Array, place: number): void {
    if (slots.length < FEW || place === DEEPEST) {
      slots.sort(this.#orders.name)
      return
    }
    const word = (slot: number) => this.#columns.nameWord(slot, place)
    this.#radix.sort(slots, word)
    for (let start = 0; start < slots.length; ) {
      const own = word(slots[start]!)
      let end = start + 1
      while (end < slots.length && word(slots[end]!) === own) end++
      if (end - start > 1) this.#sortNames(slots.subarray(start, end), place + 1)
      start = end
    }
  }

  /** The smallest kept set that holds everything the filters can pass; undefined when nothing can. */
  narrow(filters: Filters): Narrowed | undefined {
    const { category, chain, status, maxPricePerRequest, currency } = filters
    // By name: taking the rest of an object apart costs as much as finding the set.
    const rest = { maxPricePerRequest, currency }
    // A value that never occurred has no number and so names a set that does not exist.
    const ofCategory =
      category === undefined ? '' : categoryPart(this.#columns.categories.find(categoryKey(category)))
    const ofChain = chain === undefined ? '' : chainPart(this.#columns.chains.find(chainKey(chain)))
    const byKind = this.#sets.get(ofCategory + ofChain)
    const byStatus = status === undefined ? this.all : this.#sets.get(statusPart(STATUSES.indexOf(status)))
    if (!byKind || !byStatus) return undefined
    if (status === undefined) return { set: byKind, rest }
    if (byKind === this.all) return { set: byStatus, rest }
    return byKind.age.size <= byStatus.age.size
      ? { set: byKind, rest: { ...rest, status } }
      : { set: byStatus, rest: { ...rest, category, chain } }
  }

  countOfCategory(number: number): number {
    return this.#sets.get(categoryPart(number))?.age.size ?? 0
  }

  carry(image: Image): void {
    for (const key of image.texts([...this.#sets.keys()])) {
      const set = this.#setOf(key)
      for (const kept of KEPT) set[kept].carry(image)
    }
  }

  /** All entries; each category, chain and status; each category on each chain. */
  #keysOf(slot: number): string[] {
    const columns = this.#columns
    const category = categoryPart(columns.category[slot])
    const keys = ['', category, statusPart(columns.statusNumber(slot))]
    for (const chain of columns.chainsOfSet[columns.chainSet[slot]!]!) {
      keys.push(chainPart(chain), category + chainPart(chain))
    }
    return keys
  }

  /** Finds the sets of many slots: few combinations of category, chains and status occur, and each is looked up once. */
  #createSetsOf(): (slot: number) => readonly FilterSet[] {
    const columns = this.#columns
    const { category, chainSet } = columns
    const known = new Map<number, FilterSet[]>()
    return slot => {
      const combination =
        (category[slot]! * 2 ** 24 + chainSet[slot]!) * STATUSES.length + columns.statusNumber(slot)
      let sets = known.get(combination)
      if (!sets) {
        sets = this.#keysOf(slot).map(key => this.#setOf(key))
        known.set(combination, sets)
      }
      return sets
    }
  }

  #setOf(key: string): FilterSet {
    let set = this.#sets.get(key)
    if (!set) {
      set = this.#createSet()
      this.#sets.set(key, set)
    }
    return set
  }

  #createSet(): FilterSet {
    return {
      age: new OrderedSlots(this.#orders.age),
      name: new OrderedSlots(this.#orders.name),
      price: new OrderedSlots(this.#orders.price),
      trustScore: new OrderedSlots(this.#orders.trustScore),
    }
  }
}

const categoryPart = (number: number | undefined): string => `c${number}`
const chainPart = (number: number | undefined): string => `n${number}`
const statusPart = (number: number): string => `s${number}`
