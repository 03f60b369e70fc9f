// Creates the key column of each order.

import type { Rates } from '../../domain/money/rates.ts'
import { ORDERS, SORT_KEYS, type SortKey } from '../../domain/queries/orders.ts'
import { DecimalColumn } from './decimal-column.ts'
import type { KeyColumn } from './key-column.ts'
import { NumberColumn } from './number-column.ts'
import { TextColumn } from './text-column.ts'

type Kinds = { readonly number: NumberColumn; readonly decimal: DecimalColumn; readonly text: TextColumn }
export type KeyColumns = { readonly [K in SortKey]: Kinds[(typeof ORDERS)[K]['key']['kind']] }

const createKeyColumn = (order: SortKey, rates: () => Rates): KeyColumn => {
  const { key } = ORDERS[order]
  switch (key.kind) {
    case 'number':
      return new NumberColumn(key)
    case 'decimal':
      return new DecimalColumn(key, rates)
    case 'text':
      return new TextColumn(key)
  }
}

/** @param rates returns the exchange rates when a key is written */
export const createKeyColumns = (rates: () => Rates): KeyColumns =>
  Object.fromEntries(SORT_KEYS.map(order => [order, createKeyColumn(order, rates)])) as unknown as KeyColumns
