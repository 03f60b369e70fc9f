// Values of filters that nothing here has by that name: a typing error looks like an honest answer without results.
import { type Message, say } from '../../messages/message.ts'
import { findSimilarName } from '../text/nearest.ts'
import { FILTER_NAMES, type FilterName, type Filters, filterOf } from './filters.ts'

/** A filter by itself: one that some service has is known here after all. */
export type UnknownFilter = {
  readonly name: FilterName
  readonly alone: Filters
  /** Empty if no known name is near. */
  readonly nearest: string
  readonly message: Message
}

/** @param used further values to be suggested, by filter */
export function findUnknownFilters(
  filters: Filters,
  used: Partial<Readonly<Record<FilterName, readonly string[]>>> = {},
): UnknownFilter[] {
  return FILTER_NAMES.flatMap(name => {
    const { known } = filterOf(name)
    const value = filters[name]
    if (!known || typeof value !== 'string' || known.has(value)) return []
    const nearest = findSimilarName(value, [...new Set([...known.names(), ...(used[name] ?? [])])]) ?? ''
    const message = say('filter_unknown', { filter: name, value, nearest })
    return [{ name, alone: { [name]: value }, nearest, message }]
  })
}
