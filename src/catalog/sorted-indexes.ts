// Sorted indexes: all entries, and those of the filter values that are asked for most, in every order that a list can ask for.
import { type AppliedFilters, FILTER_NAMES, type FilterName } from '../domain/filters.ts'
import { INDEXED_ORDERS, type IndexedOrder, SORT_KEYS } from '../domain/orders.ts'
import type { Rates } from '../domain/rates.ts'
import type { Entry } from '../domain/service.ts'
import { RadixSort } from '../memory/radix-sort.ts'
import type { Snapshot } from '../memory/snapshot.ts'
import { type SlotOrder, SortedSlots } from '../memory/sorted-slots.ts'
import { INDEXED_SETS, type IndexedName, indexOf } from './column-filters.ts'
import type { Columns, FieldValues } from './columns.ts'
import type { SlotTable } from './id-table.ts'

/** The same entries in each order, ascending. */
export type FilterSet = Readonly<Record<IndexedOrder, SortedSlots>>

/** A set of entries, and the filters that it does not take care of. */
export type Narrowed = { readonly set: FilterSet; readonly rest: AppliedFilters }

/** From this share of new entries on, sorting everything anew is cheaper than finding a place for each. */
const MANY = 2_000
const MANY_SHARE = 0.1

export class SortedIndexes {
  readonly #columns: Columns
  readonly #orders: Readonly<Record<IndexedOrder, SlotOrder>>
  readonly #ids: SlotTable
  readonly #radix = new RadixSort()
  readonly #sets = new Map<string, FilterSet>()
  readonly all: FilterSet
  /** Written, but in no order yet. */
  readonly #unplaced = new Set<number>()
  readonly #many: number

  /** @param options.many more new entries than this may be sorted together with all others */
  constructor(columns: Columns, ids: SlotTable, { many = MANY }: { readonly many?: number } = {}) {
    this.#many = many
    this.#columns = columns
    this.#ids = ids
    // Every order ends in the id, so that no two entries are equal and pages never overlap.
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

  /**
   * Writes an entry into the columns. A new one, and one that this moves, stands in no order until `place`. Returns whether any
   * filter may judge the slot otherwise than before.
   */
  write(slot: number, entry: Entry): boolean {
    const columns = this.#columns
    const values = columns.read(entry)
    if (!columns.holds(slot)) this.#unplaced.add(slot)
    else if (!this.#unplaced.has(slot) && this.#moves(slot, entry, values)) {
      this.#remove(slot)
      this.#unplaced.add(slot)
    }
    return columns.write(slot, entry, values)
  }

  /** Takes an entry out of the columns, and out of every order. @throws Error where any order does not hold it */
  release(slot: number): void {
    if (!this.#unplaced.delete(slot)) this.#remove(slot)
    this.#columns.release(slot)
  }

  /** Puts what was written into every order, in a few long steps. */
  *place(): Generator<void> {
    const slots = [...this.#unplaced]
    this.#unplaced.clear()
    if (slots.length > this.#many && slots.length > MANY_SHARE * this.#ids.size)
      yield* this.#insertMany(slots)
    else for (const slot of slots) this.#insert(slot)
  }

  /** Tells prices in dollars by other rates from now on; in steps, between which anything may be read and written. */
  *revalue(rates: Rates, onChange: (slot: number) => void): Generator<void> {
    const slots = [...this.#unplaced]
    this.all.age.scan(0, 1, slot => slots.push(slot) > 0)
    yield* this.#columns.revalue(rates, slots, (slot, write) => {
      const isPlaced = !this.#unplaced.has(slot)
      if (isPlaced) this.#remove(slot)
      write()
      if (isPlaced) this.#insert(slot)
      onChange(slot)
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

  /** Adds many slots at once: sorting everything anew costs less than finding a place for each. One order a step. */
  *#insertMany(slots: readonly number[]): Generator<void> {
    const present = new Uint32Array(this.all.age.size + slots.length)
    let count = 0
    this.all.age.scan(0, 1, slot => {
      present[count++] = slot
      return true
    })
    present.set(slots, count)
    for (const place of [3, 2, 1, 0]) this.#radix.sort(present, slot => this.#ids.word(slot, place))
    const setsOf = this.#createSetsOf()
    for (const order of INDEXED_ORDERS) {
      const ordered = this.#sorted(order, present)
      for (const set of this.#sets.values()) set[order].clear()
      for (let i = 0; i < ordered.length; i++) {
        const slot = ordered[i]!
        const sets = setsOf(slot)
        for (let j = 0; j < sets.length; j++) sets[j]![order].append(slot)
      }
      yield
    }
  }

  /** Every other order begins with that of age, which decides between equals. */
  #sorted(order: IndexedOrder, byAge: Uint32Array): Uint32Array {
    if (order === 'age') return byAge
    const slots = byAge.slice()
    this.#columns.keys[order].sort(slots, this.#radix)
    return slots
  }

  /** The smallest set that holds everything the filters can pass; undefined when nothing can. */
  narrow(filters: AppliedFilters): Narrowed | undefined {
    let set = this.all
    let covered: readonly IndexedName[] = []
    for (const names of INDEXED_SETS) {
      if (!areIn(filters, names) || areAmong(covered, names)) continue
      const found = this.#find(names, filters)
      if (!found) return undefined
      if (set !== this.all && found.age.size >= set.age.size) continue
      set = found
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

  /** How many entries have a value. @param number that of the value */
  countOf(name: IndexedName, number: number): number {
    return this.#sets.get(partOf(name, number))?.age.size ?? 0
  }

  serialize(snapshot: Snapshot): void {
    for (const key of snapshot.texts([...this.#sets.keys()])) {
      const set = this.#setOf(key)
      for (const order of INDEXED_ORDERS) set[order].serialize(snapshot)
    }
  }

  /** All entries, and each set with one of the values that the slot has. */
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

  /** Finds the sets of many slots: few combinations of values occur, and each is looked up once. */
  #createSetsOf(): (slot: number) => readonly FilterSet[] {
    const indexes = INDEXED.map(indexOf)
    /** By the number of a combination of the first values, and the value that follows: the number of both together. */
    const combinations = indexes.map(() => new Map<number, number>())
    const known: (readonly FilterSet[])[] = []
    /** Of each slot the number of its combination, from 1: it is asked for in every order. */
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
      known[number] ??= this.#keysOf(slot).map(key => this.#setOf(key))
      return known[number]!
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

// Loops, because every list passes here: functions that are handed in would cost as much as finding the set.
function areIn(filters: AppliedFilters, names: readonly IndexedName[]): boolean {
  for (const name of names) {
    const filter = filters[name]
    // Several values: a set is kept for each of them, and none for all.
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
