// Pages through a list that is longer than a page.
import type { Directory } from '../../directory/directory.ts'
import type { ListQuery } from '../../domain/queries.ts'
import type { Service } from '../../domain/service.ts'

const LARGEST_PAGE = 100

export type PagedListQuery = Omit<Partial<ListQuery>, 'offset' | 'cursor'>

export type Pagination = {
  /**
   * Page after page of a list, each service once, whatever comes, goes or moves meanwhile. What moves past the page in its
   * order can be missed: a copy that misses nothing is made with `export` and kept with `changes`.
   */
  pages(query?: PagedListQuery): AsyncGenerator<Service[], void>
  /** The same, service by service. */
  all(query?: PagedListQuery): AsyncGenerator<Service, void>
}

export function createPagination(list: Directory['list']): Pagination {
  async function* pages(query: PagedListQuery = {}): AsyncGenerator<Service[], void> {
    const { limit = LARGEST_PAGE } = query
    // What moves ahead of the page comes a second time.
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
