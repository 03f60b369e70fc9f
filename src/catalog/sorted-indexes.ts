// Sorted indexes of all entries, and of those with the most used filter values, in every order that a list supports.
import type { Entry } from '../domain/listing/service.ts'
import type { Rates } from '../domain/money/rates.ts'
import {
  type AppliedFilters,
  FILTER_NAMES,
  type FilterName,
  INDEXED_ORDERS,
  type IndexedOrder,
  SORT_KEYS,
} from '../domain/queries/filters.ts'
import { RadixSort, type SlotOrder, type SlotTest, SortedSlots } from '../memory/sorted-slots.ts'
import type { Columns, FieldValues } from './columns.ts'
import { type FilterSet, INDEXED_NAMES, type IndexedName, indexOf } from './filters.ts'
import type { SlotTable } from './records.ts'

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
  readonly all: FilterSet
  /** The entries with each value of a filter, by the number of the value; undefined where there are none. */
  readonly #sets = Object.fromEntries(INDEXED_NAMES.map(name => [name, []])) as unknown as Readonly<
    Record<IndexedName, (FilterSet | undefined)[]>
  >
  /** Written to the columns, but not yet in any order. */
  readonly #pending = new Set<number>()
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
  }

  get bytes(): number {
    const sets = [this.all, ...INDEXED_NAMES.flatMap(name => this.#sets[name])]
    return sets.reduce(
      (sum, set) => sum + (set ? INDEXED_ORDERS.reduce((bytes, order) => bytes + set[order].bytes, 0) : 0),
      0,
    )
  }

  /** Writes an entry to the columns. A new entry, and one whose keys change, is in no order until `insertPending`. */
  write(slot: number, entry: Entry): void {
    const columns = this.#columns
    const values = columns.read(entry)
    if (!columns.holds(slot)) this.#pending.add(slot)
    else if (!this.#pending.has(slot) && this.#moves(slot, entry, values)) {
      this.#remove(slot)
      this.#pending.add(slot)
    }
    columns.write(slot, entry, values)
  }

  /** Removes an entry from the columns and from every order. @throws Error if an order does not contain it */
  release(slot: number): void {
    if (!this.#pending.delete(slot)) this.#remove(slot)
    this.#columns.release(slot)
  }

  /** Inserts written entries into every order, in a few long steps. */
  *insertPending(): Generator<void> {
    const slots = [...this.#pending]
    this.#pending.clear()
    if (slots.length > this.#minSorted && slots.length > MIN_SORTED_SHARE * this.#ids.size)
      yield* this.#insertMany(slots)
    else for (const slot of slots) this.#insert(slot)
  }

  /** Switches dollar prices to other rates, in steps; reads and writes may run in between. */
  *revalue(rates: Rates): Generator<void> {
    const slots = [...this.#pending]
    this.all.age.scan(0, 1, slot => slots.push(slot) > 0)
    yield* this.#columns.revalue(rates, slots, (slot, write) => {
      const isPlaced = !this.#pending.has(slot)
      if (isPlaced) this.#remove(slot)
      write()
      if (isPlaced) this.#insert(slot)
    })
  }

  #moves(slot: number, entry: Entry, values: FieldValues): boolean {
    const before = this.#columns.at(slot)
    return (
      INDEXED_NAMES.some(name => indexOf(name).codeOf(before) !== indexOf(name).codeOf(values)) ||
      SORT_KEYS.some(order => this.#columns.keys[order].moves(slot, entry))
    )
  }

  #insert(slot: number): void {
    for (const order of INDEXED_ORDERS) this.all[order].insert(slot)
    for (const name of INDEXED_NAMES)
      for (const number of indexOf(name).numbersOf(this.#columns, slot)) {
        const set = this.#setOf(name, number)
        for (const order of INDEXED_ORDERS) set[order].insert(slot)
      }
  }

  #remove(slot: number): void {
    for (const order of INDEXED_ORDERS) this.all[order].remove(slot)
    for (const name of INDEXED_NAMES)
      for (const number of indexOf(name).numbersOf(this.#columns, slot)) {
        const set = this.#sets[name][number]
        if (!set) throw new Error(`Slot ${slot} is not in the order: there is no set ${name} ${number}.`)
        for (const order of INDEXED_ORDERS) set[order].remove(slot)
        if (set.age.size === 0) this.#sets[name][number] = undefined
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
    for (const order of INDEXED_ORDERS) {
      const ordered = this.#sorted(order, all)
      this.all[order].fill(ordered)
      for (const name of INDEXED_NAMES) this.#fillSets(name, order, ordered)
      yield
    }
  }

  /** Fills the sets of one filter in one order. @param ordered all slots in that order */
  #fillSets(name: IndexedName, order: IndexedOrder, ordered: Uint32Array): void {
    const { numbersOf } = indexOf(name)
    const members: (number[] | undefined)[] = []
    for (let i = 0; i < ordered.length; i++) {
      const numbers = numbersOf(this.#columns, ordered[i]!)
      for (let j = 0; j < numbers.length; j++) {
        members[numbers[j]!] ??= []
        members[numbers[j]!]!.push(ordered[i]!)
      }
    }
    for (const [number, slots] of members.entries())
      if (slots) this.#setOf(name, number)[order].fill(Uint32Array.from(slots))
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
    let covered: IndexedName | undefined
    for (const name of INDEXED_NAMES) {
      const filter = filters[name]
      // Several values: there is a set for each of them, but none for their union.
      if (filter === undefined || typeof filter === 'object') continue
      // A value that never occurred has no number.
      const number = indexOf(name).find(this.#columns, filter)
      const candidate = number === undefined ? undefined : this.#sets[name][number]
      if (!candidate) return undefined
      if (covered !== undefined && candidate.age.size >= set.age.size) continue
      set = candidate
      covered = name
    }
    return { set, rest: covered === undefined ? filters : without(filters, covered) }
  }

  /** The entries of a set that pass, until the catalog changes; each order is filled when it is first read. */
  subset(of: FilterSet, passes: SlotTest): FilterSet {
    const filled: Partial<Record<IndexedOrder, SortedSlots>> = {}
    const fill = (order: IndexedOrder) => {
      const slots: number[] = []
      of[order].scan(0, 1, slot => {
        if (passes(slot)) slots.push(slot)
        return true
      })
      const sorted = new SortedSlots(this.#orders[order])
      sorted.fill(Uint32Array.from(slots))
      return sorted
    }
    const set = {} as FilterSet
    for (const order of INDEXED_ORDERS)
      Object.defineProperty(set, order, { get: () => (filled[order] ??= fill(order)) })
    return set
  }

  /** The number of entries with a value. @param number of the value */
  countOf(name: IndexedName, number: number): number {
    return this.#sets[name][number]?.age.size ?? 0
  }

  #setOf(name: IndexedName, number: number): FilterSet {
    this.#sets[name][number] ??= this.#createSet()
    return this.#sets[name][number]
  }

  #createSet(): FilterSet {
    return forEachOrder(order => new SortedSlots(this.#orders[order]))
  }
}

function without(filters: AppliedFilters, covered: FilterName): AppliedFilters {
  const rest: Partial<Record<FilterName, unknown>> = {}
  for (const name of FILTER_NAMES)
    if (filters[name] !== undefined && name !== covered) rest[name] = filters[name]
  return rest as AppliedFilters
}

const forEachOrder = <T>(create: (order: IndexedOrder) => T): Readonly<Record<IndexedOrder, T>> =>
  Object.fromEntries(INDEXED_ORDERS.map(order => [order, create(order)])) as Record<IndexedOrder, T>
