// Answers with a page of services and its links: by offset, or by cursor if the request has one.
import type { Reads } from '../../directory/directory.ts'
import { DirectoryError } from '../../domain/errors.ts'
import type { Page } from '../../domain/queries/answers.ts'
import type { Filters } from '../../domain/queries/filters.ts'
import { answerReady, JSON_TYPE, type Ready, toReady } from './answer.ts'
import { toCursorLinkHeader, toLinkHeader } from './links.ts'
import { queryOf } from './query-string.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Handler } from './route.ts'
import { toUnknownNotice } from './unknown-notice.ts'

export type PageContext = {
  readonly publicUrl: string
  readonly address: string
  /** The query without its paging parameters, as used in links. */
  readonly linkQuery: string
  readonly query: {
    readonly offset: number
    readonly limit: number
    readonly cursor?: string | undefined
  } & Filters
  /** The last reachable entry; Infinity without a limit. */
  readonly depth: number
  readonly reads: Pick<Reads, 'list'>
}

type ParsedQuery<Query> = { readonly query: Query; readonly linkQuery: string }

/** Answers synchronously from memory; only an unknown cursor needs the store. */
export function createPageHandler<Query>({
  cache,
  read,
  page,
  pageLater,
  toReady,
}: {
  readonly cache: ResponseCache
  readonly read: (queryText: string) => ParsedQuery<Query>
  readonly page: (query: Query) => Page
  readonly pageLater: (query: Query) => Promise<Page>
  readonly toReady: (page: Page, parsed: ParsedQuery<Query>) => Ready
}): Handler {
  const prepare = (queryText: string) => {
    const parsed = read(queryText)
    return toReady(page(parsed.query), parsed)
  }
  return ({ request }) => {
    const queryText = queryOf(request.url)
    try {
      return answerReady(request, cache(queryText, prepare))
    } catch (error) {
      if (!(error instanceof DirectoryError && error.code === 'history_changed')) throw error
    }
    const parsed = read(queryText)
    return pageLater(parsed.query).then(later => answerReady(request, toReady(later, parsed)))
  }
}

export function toReadyPage(page: Page, context: PageContext): Ready {
  const { services, total } = page
  const { query, reads } = context
  const Link = toLinks(page, context)
  const headers: Record<string, string> = {
    Link,
    ...(total !== undefined && { 'X-Total-Count': String(total) }),
    ...(total === 0 && toUnknownNotice(reads, query)),
  }
  return toReady(services.bytes, JSON_TYPE, headers, services.hash)
}

function toLinks(
  { total, next, since }: Page,
  { publicUrl, address, linkQuery, query, depth }: PageContext,
): string {
  const { offset, limit } = query
  if (since === undefined) return toLinkHeader({ address, linkQuery, offset, limit, total, depth })
  const changes = `${publicUrl}/api/changes?since=${since}`
  return toCursorLinkHeader({ address, linkQuery, limit, next, changes })
}
