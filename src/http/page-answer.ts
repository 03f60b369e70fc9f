// A page of services with its links: by offset, or by cursor where the request used one.
import type { Page } from '../domain/answers.ts'
import { JSON_TYPE, type Ready, toReady } from './answer.ts'
import { toLinkHeader, toWalkLinkHeader } from './links.ts'

export type Asked = {
  readonly publicUrl: string
  readonly address: string
  /** What is asked besides the page, as it stands in links. */
  readonly kept: string
  readonly query: { readonly offset: number; readonly limit: number; readonly cursor?: string | undefined }
  /** How far pages may lead; Infinity where there is no bound. */
  readonly depth: number
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
  return toWalkLinkHeader({ address, kept, limit, next, changes })
}
