// Lists of ids and slots: those of a seller, those of an owner, verified ones, and given ids in an order.
import type { IndexedOrder, SortOrder } from '../../domain/queries/orders.ts'
import type { KeyColumn } from '../columns/key-column.ts'
import type { CatalogParts } from '../parts.ts'

/** Entries of one payee that are read, and those that are listed. */
const MAX_OF_PAYEE = 10_000
const MAX_OF_SELLER = 100

/** A stable sort; entries without a key come last. */
export function sortIds(
  { ids: table, columns }: CatalogParts,
  ids: readonly string[],
  order: IndexedOrder,
  direction: SortOrder,
): string[] {
  const step = direction === 'asc' ? 1 : -1
  const column: KeyColumn | undefined = order === 'age' ? undefined : columns.keys[order]
  const keys = column ?? table
  const missing = (slot: number) => (column?.isMissing?.(slot) ? 1 : 0)
  return ids
    .flatMap(id => table.find(id) ?? [])
    .sort((a, b) => missing(a) - missing(b) || step * keys.compare(a, b))
    .map(slot => table.id(slot))
}

/** Ids of verified entries, oldest first, and their total number. */
export function listVerified(
  { sortedIndexes, ids: table }: CatalogParts,
  from: number,
  count: number,
): { readonly ids: readonly string[]; readonly total: number } {
  const age = sortedIndexes.narrow({ status: 'verified' })?.set.age
  const ids: string[] = []
  if (age && count > 0) age.scan(from, 1, slot => ids.push(table.id(slot)) < count)
  return { ids, total: age?.size ?? 0 }
}

/** Slots of the entries with a payment address, the most trusted first, and last those that must not be paid. */
export const listOfSeller = ({ offers, order }: CatalogParts, payee: string): number[] =>
  offers.withPayee(payee, MAX_OF_PAYEE).sort(order).slice(0, MAX_OF_SELLER)

/**
 * Ids of entries that belong to an owner or have the payment address, and of all hidden ones, newest first. It may contain false
 * positives, so the caller checks each.
 */
export function listOfOwner(
  { offers, namesakes, ids: table, hidden }: CatalogParts,
  owner: string,
  payee: string | undefined,
): string[] {
  const paid = payee === undefined ? [] : offers.withPayee(payee, MAX_OF_PAYEE)
  const slots = new Set([...namesakes.ownedBy(owner), ...paid])
  const ids = [...slots].map(slot => table.id(slot))
  return [...ids, ...hidden.all().map(({ id }) => id)].sort().reverse()
}
