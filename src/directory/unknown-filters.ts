// The filters of a query that nothing here has by that name: a typing error looks like an honest answer without results.
import type { Filters } from '../domain/queries/filters.ts'
import { findUnknownFilters, type UnknownFilter } from '../domain/queries/unknown-filters.ts'
import type { Message } from '../messages/message.ts'
import type { Directory, LocalDirectory } from './directory.ts'

const toQuery = (alone: Filters) => ({ ...alone, limit: 1, offset: 0 })

/** From memory. */
export const listUnknownFilters = (
  reads: Pick<LocalDirectory['reads'], 'list'>,
  filters: Filters,
): UnknownFilter[] =>
  findUnknownFilters(filters).filter(({ alone }) => reads.list(toQuery(alone)).total === 0)

/** @param found the number of results; where there are some, every filter is known */
export async function readUnknownFilters(
  directory: Pick<Directory, 'categories' | 'list'>,
  filters: Filters,
  found: number,
): Promise<Message[]> {
  if (found > 0 || findUnknownFilters(filters).length === 0) return []
  const category = (await directory.categories()).map(({ id }) => id)
  const told = findUnknownFilters(filters, { category }).map(async ({ alone, message }) => {
    const { total } = await directory.list(toQuery(alone))
    return total === 0 ? [message] : []
  })
  return (await Promise.all(told)).flat()
}
