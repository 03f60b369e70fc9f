// The filters of a query without results that nothing here has by that name: a typing error looks like an honest answer.
import { findUnknownFilters } from '../domain/unknown-filters.ts'
import type { Message } from '../messages/message.ts'
import type { Directory } from './directory.ts'

/** @param found the number of results; where there are some, every filter is known */
export async function readUnknownFilters(
  directory: Pick<Directory, 'categories' | 'list'>,
  query: Parameters<typeof findUnknownFilters>[0],
  found: number,
): Promise<Message[]> {
  if (found > 0) return []
  const categories = await directory.categories()
  const used = categories.map(({ id }) => id)
  const told = findUnknownFilters(query, used).map(async ({ alone, message }) => {
    const { total } = await directory.list({ ...alone, limit: 1, offset: 0 })
    return total === 0 ? [message] : []
  })
  return (await Promise.all(told)).flat()
}
