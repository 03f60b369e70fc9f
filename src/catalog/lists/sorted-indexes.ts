// Sorted indexes of all entries, and of those with the most used filter values, in every order that a list supports.

import type { Entry } from '../../domain/listing/service.ts'
import type { Rates } from '../../domain/money/rates.ts'
import { type AppliedFilters, FILTER_NAMES, type FilterName } from '../../domain/queries/filters.ts'
import { INDEXED_ORDERS, type IndexedOrder, SORT_KEYS } from '../../domain/queries/orders.ts'
import { RadixSort } from '../../memory/radix-sort.ts'
import { type SlotOrder, SortedSlots } from '../../memory/sorted-slots.ts'
import type { Columns, FieldValues } from '../columns/columns.ts'
import type { SlotTable } from '../columns/id-table.ts'
import { type FilterSet, INDEXED_SETS, type IndexedName, indexOf } from '../filters.ts'

/** A set of entries, and the filters that it does not cover. */
export type Narrowed = { readonly set: FilterSet; readonly rest: AppliedFilters }

/** With more new entries than both limits, sorting everything again is cheaper than inserting each. */
const MIN_SORTED = 2_000
const MIN_SORTED_SHARE = 0.1

export class SortedIndexes {
  readonly #columns: Columns
  readonly #orders: Readonly<Record<IndexedOrder, SlotOrder>>
  readonly #ids: SlotTable
  readonly #radix = new RadixSort()
  readonly #sets = new Map<string, FilterSet>()
  readonly all: FilterSet
  /** Written to the columns, but not yet in any order. */
  readonly #unplaced = new Set<number>()
  readonly #minSorted: number

  /** @param options.minSorted with more new entries than this, all entries may be sorted again */
  constructor(
    columns: Columns,
    ids: SlotTable,
    { minSorted = MIN_SORTED }: { readonly minSorted?: number } = {},
  ) {
    this.#minSorted = minSorted
    this.#columns = columns
    this.#ids = ids
    // Every order breaks ties by id, so that no two entries are equal and pages never overlap.
    this.#orders = forEachOrder(order => {
      if (order === 'age') return (a, b) => ids.compare(a, b)
      const column = columns.keys[order]
      return (a, b) => column.compare(a, b) || ids.compare(a, b)
    })
    this.all = this.#createSet()
    this.#sets.set('', this.all)
  }

  get bytes(): number {
    let sum = 0
    for (const set of this.#sets.values()) for (const order of INDEXED_ORDERS) sum += set[order].bytes
    return sum
  }

  /** Writes an entry to the columns. A new entry, and one whose keys change, is in no order until `place`. */
  write(slot: number, entry: Entry): void {
    const columns = this.#columns
    const values = columns.read(entry)
    if (!columns.holds(slot)) this.#unplaced.add(slot)
    else if (!this.#unplaced.has(slot) && this.#moves(slot, entry, values)) {
      this.#remove(slot)
      this.#unplaced.add(slot)
    }
    columns.write(slot, entry, values)
  }

  /** Removes an entry from the columns and from every order. @throws Error if an order does not contain it */
  release(slot: number): void {
    if (!this.#unplaced.delete(slot)) this.#remove(slot)
    this.#columns.release(slot)
  }

  /** Inserts written entries into every order, in a few long steps. */
  *place(): Generator<void> {
    const slots = [...this.#unplaced]
    this.#unplaced.clear()
    if (slots.length > this.#minSorted && slots.length > MIN_SORTED_SHARE * this.#ids.size)
      yield* this.#insertMany(slots)
    else for (const slot of slots) this.#insert(slot)
  }

  /** Switches dollar prices to other rates, in steps; reads and writes may run in between. */
  *revalue(rates: Rates): Generator<void> {
    const slots = [...this.#unplaced]
    this.all.age.scan(0, 1, slot => slots.push(slot) > 0)
    yield* this.#columns.revalue(rates, slots, (slot, write) => {
      const isPlaced = !this.#unplaced.has(slot)
      if (isPlaced) this.#remove(slot)
      write()
      if (isPlaced) this.#insert(slot)
    })
  }

  #moves(slot: number, entry: Entry, values: FieldValues): boolean {
    const before = this.#columns.at(slot)
    return (
      INDEXED.some(name => indexOf(name).codeOf(before) !== indexOf(name).codeOf(values)) ||
      SORT_KEYS.some(order => this.#columns.keys[order].moves(slot, entry))
    )
  }

  #insert(slot: number): void {
    for (const key of this.#keysOf(slot)) {
      const set = this.#setOf(key)
      for (const order of INDEXED_ORDERS) set[order].insert(slot)
    }
  }

  #remove(slot: number): void {
    for (const key of this.#keysOf(slot)) {
      const set = this.#sets.get(key)
      if (!set) throw new Error(`Slot ${slot} is not in the order: there is no set ${key}.`)
      for (const order of INDEXED_ORDERS) set[order].remove(slot)
      if (set.age.size === 0 && set !== this.all) this.#sets.delete(key)
    }
  }

  /** Sorts everything again, which costs less than inserting many slots. One order per step. */
  *#insertMany(slots: readonly number[]): Generator<void> {
    const all = new Uint32Array(this.all.age.size + slots.length)
    let count = 0
    this.all.age.scan(0, 1, slot => {
      all[count++] = slot
      return true
    })
    all.set(slots, count)
    for (const place of [3, 2, 1, 0]) this.#radix.sort(all, slot => this.#ids.word(slot, place))
    const setsOf = this.#createSetsOf()
    for (const order of INDEXED_ORDERS) {
      const ordered = this.#sorted(order, all)
      for (const set of this.#sets.values()) set[order].clear()
      for (let i = 0; i < ordered.length; i++) {
        const slot = ordered[i]!
        const sets = setsOf(slot)
        for (let j = 0; j < sets.length; j++) sets[j]![order].append(slot)
      }
      yield
    }
  }

  /** Other orders start from the order by age, which breaks ties, as the sort is stable. */
  #sorted(order: IndexedOrder, byAge: Uint32Array): Uint32Array {
    if (order === 'age') return byAge
    const slots = byAge.slice()
    this.#columns.keys[order].sort(slots, this.#radix)
    return slots
  }

  /** The smallest set that contains everything that can pass the filters; undefined if nothing can. */
  narrow(filters: AppliedFilters): Narrowed | undefined {
    let set = this.all
    let covered: readonly IndexedName[] = []
    for (const names of INDEXED_SETS) {
      if (!areIn(filters, names) || areAmong(covered, names)) continue
      const candidate = this.#find(names, filters)
      if (!candidate) return undefined
      if (set !== this.all && candidate.age.size >= set.age.size) continue
      set = candidate
      covered = names
    }
    return { set, rest: covered.length === 0 ? filters : without(filters, covered) }
  }

  #find(names: readonly IndexedName[], filters: AppliedFilters): FilterSet | undefined {
    let key = ''
    for (const name of names) {
      // A value that never occurred has no number.
      const number = indexOf(name).find(this.#columns, filters[name])
      if (number === undefined) return undefined
      key += partOf(name, number)
    }
    return this.#sets.get(key)
  }

  /** The number of entries with a value. @param number of the value */
  countOf(name: IndexedName, number: number): number {
    return this.#sets.get(partOf(name, number))?.age.size ?? 0
  }

  /** Keys of the set of all entries and of every set that contains the slot. */
  #keysOf(slot: number): string[] {
    const keys = ['']
    for (const names of INDEXED_SETS) {
      let combined = ['']
      for (const name of names) {
        const numbers = indexOf(name).numbersOf(this.#columns, slot)
        combined = combined.flatMap(key => numbers.map(number => key + partOf(name, number)))
      }
      keys.push(...combined)
    }
    return keys
  }

  /** Returns a lookup of sets by slot for many slots: few combinations of values occur, and each is resolved once. */
  #createSetsOf(): (slot: number) => readonly FilterSet[] {
    const indexes = INDEXED.map(indexOf)
    /** A trie: from the number of a combination of the first values and the next value to the number of both. */
    const combinations = indexes.map(() => new Map<number, number>())
    const setsByNumber: (readonly FilterSet[])[] = []
    /** The combination number of each slot, from 1; cached, as every order reads it. */
    const numbers = new Uint32Array(this.#columns.capacity)
    const numberOf = (slot: number): number => {
      const values = this.#columns.at(slot)
      let number = 0
      for (let i = 0; i < indexes.length; i++) {
        const code = number * 2 ** 32 + indexes[i]!.codeOf(values)
        number = combinations[i]!.get(code) ?? combinations[i]!.size + 1
        combinations[i]!.set(code, number)
      }
      return number
    }
    return slot => {
      if (numbers[slot] === 0) numbers[slot] = numberOf(slot)
      const number = numbers[slot]!
      setsByNumber[number] ??= this.#keysOf(slot).map(key => this.#setOf(key))
      return setsByNumber[number]!
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
    return forEachOrder(order => new SortedSlots(this.#orders[order]))
  }
}

const INDEXED: readonly IndexedName[] = [...new Set(INDEXED_SETS.flat())]

const partOf = (name: IndexedName, number: number): string => `${name}${number}`

// Loops, because every list runs this: callbacks would cost as much as finding the set.
function areIn(filters: AppliedFilters, names: readonly IndexedName[]): boolean {
  for (const name of names) {
    const filter = filters[name]
    // Several values: there is a set for each of them, but none for their union.
    if (filter === undefined || typeof filter === 'object') return false
  }
  return true
}

function areAmong(covered: readonly IndexedName[], names: readonly IndexedName[]): boolean {
  for (const name of names) if (!covered.includes(name)) return false
  return true
}

function without(filters: AppliedFilters, covered: readonly FilterName[]): AppliedFilters {
  const rest: Partial<Record<FilterName, unknown>> = {}
  for (const name of FILTER_NAMES)
    if (filters[name] !== undefined && !covered.includes(name)) rest[name] = filters[name]
  return rest as AppliedFilters
}

const forEachOrder = <T>(create: (order: IndexedOrder) => T): Readonly<Record<IndexedOrder, T>> =>
  Object.fromEntries(INDEXED_ORDERS.map(order => [order, create(order)])) as Record<IndexedOrder, T>
