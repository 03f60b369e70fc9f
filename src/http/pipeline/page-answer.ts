// A page of services with its links: by offset, or by cursor where the request used one.
import type { Page } from '../../domain/answers.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { answerReady, JSON_TYPE, type Ready, toReady } from './answer.ts'
import { toCursorLinkHeader, toLinkHeader } from './links.ts'
import { queryOf } from './query-string.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Exchange, Handler } from './route.ts'

export type Asked = {
  readonly publicUrl: string
  readonly address: string
  /** What is asked besides the page, as it stands in links. */
  readonly kept: string
  readonly query: { readonly offset: number; readonly limit: number; readonly cursor?: string | undefined }
  /** How far pages may lead; Infinity where there is no bound. */
  readonly depth: number
}

type Read<Query> = { readonly query: Query; readonly kept: string }

/** Pages from memory, at once; only where a cursor is not known here is the store asked about it. */
export function createPageHandler<Query>({
  keep,
  read,
  page,
  pageLater,
  toReady,
  onReady,
}: {
  readonly keep: ResponseCache
  readonly read: (question: string) => Read<Query>
  readonly page: (query: Query) => Page
  readonly pageLater: (query: Query) => Promise<Page>
  readonly toReady: (page: Page, asked: Read<Query>) => Ready
  /** Told of every answer from memory, also where it was kept. */
  readonly onReady?: (ready: Ready, exchange: Exchange) => void
}): Handler {
  const prepare = (question: string) => {
    const asked = read(question)
    return toReady(page(asked.query), asked)
  }
  return exchange => {
    const { request } = exchange
    const question = queryOf(request.url)
    try {
      const ready = keep(question, prepare)
      onReady?.(ready, exchange)
      return answerReady(request, ready)
    } catch (error) {
      if (!(error instanceof DirectoryError && error.code === 'history_changed')) throw error
    }
    const asked = read(question)
    return pageLater(asked.query).then(later => answerReady(request, toReady(later, asked)))
  }
}

export function toReadyPage(page: Page, asked: Asked): Ready {
  const { services, total } = page
  const Link = toLinks(page, asked)
  const headers: Record<string, string> =
    total === undefined ? { Link } : { Link, 'X-Total-Count': String(total) }
  return toReady(services.bytes, JSON_TYPE, headers, services.hash)
}

function toLinks({ total, next, since }: Page, { publicUrl, address, kept, query, depth }: Asked): string {
  const { offset, limit } = query
  if (since === undefined) return toLinkHeader({ address, kept, offset, limit, total, depth })
  const changes = `${publicUrl}/api/changes?since=${since}`
  return toCursorLinkHeader({ address, kept, limit, next, changes })
}
