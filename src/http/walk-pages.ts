// Walks over a list that is longer than a page.
import type { Directory } from '../directory.ts'
import type { ListQuery } from '../domain/queries.ts'
import type { Service } from '../domain/service.ts'

const LARGEST_PAGE = 100

export type Walks = {
  /**
   * Page after page of a list, each service once, also when others come in meanwhile. What is removed meanwhile can hide
   * another: a copy that misses nothing is made with `export` and kept with `changes`.
   */
  pages(query?: Partial<ListQuery>): AsyncGenerator<Service[], void>
  /** The same, service by service. */
  all(query?: Partial<ListQuery>): AsyncGenerator<Service, void>
}

export function createWalks(list: Directory['list']): Walks {
  async function* pages(query: Partial<ListQuery> = {}): AsyncGenerator<Service[], void> {
    const { limit = LARGEST_PAGE } = query
    const seen = new Set<string>()
    for (let offset = query.offset ?? 0; ; offset += limit) {
      const page = await list({ ...query, limit, offset })
      const services = page.services.decode()
      const fresh = services.filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      if (fresh.length > 0) yield fresh
      if (services.length < limit || offset + limit >= (page.total ?? Number.POSITIVE_INFINITY)) return
    }
  }

  return {
    pages,
    async *all(query) {
      for await (const page of pages(query)) yield* page
    },
  }
}
