// Iterates over the pages of a list.
import type { Directory } from '../../directory/directory.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { ListQuery } from '../../domain/queries/queries.ts'

const LARGEST_PAGE = 100

export type PagedListQuery = Omit<Partial<ListQuery>, 'offset' | 'cursor'>

export type Pagination = {
  /**
   * The pages of a list, each service once, whatever is added, removed or reordered meanwhile. A service that moves to an earlier
   * position can be missed: for a complete copy use `export`, then `changes`.
   */
  pages(query?: PagedListQuery): AsyncGenerator<Service[], void>
  /** The same, service by service. */
  all(query?: PagedListQuery): AsyncGenerator<Service, void>
}

export function createPagination(list: Directory['list']): Pagination {
  async function* pages(query: PagedListQuery = {}): AsyncGenerator<Service[], void> {
    const { limit = LARGEST_PAGE } = query
    // A service that moves to a later position would appear again.
    const seen = new Set<string>()
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await list({ ...query, limit, offset: 0, cursor })
      const fresh = page.services.decode().filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      if (fresh.length > 0) yield fresh
      cursor = page.next
    }
  }

  return {
    pages,
    async *all(query) {
      for await (const page of pages(query)) yield* page
    },
  }
}
