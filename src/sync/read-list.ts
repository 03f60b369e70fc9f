// All pages of a list of x402, from servers that tell where the next page is and from those that do not.
import { type AskSource, fieldsOf } from './ask-source.ts'
import { checkEntries, checkPages, type SyncBounds } from './bounds.ts'
import { itemsOf } from './recognise.ts'

/** What every list accepts. */
const PAGE = 100

/** @throws SourceFailure: a list that breaks off is not taken for a shorter one */
export async function readList(
  ask: AskSource,
  url: string,
  bounds: SyncBounds,
  onPage?: (read: number, fraction: number | undefined) => void,
): Promise<unknown[]> {
  const all: unknown[] = []
  let next: Record<string, string> | undefined = {}
  let before = ''
  for (let pages = 1; next; pages++) {
    checkPages(pages, url)
    const page = await ask.json(pageAddress(url, next))
    const items = itemsOf(page)
    const first = JSON.stringify(items[0]) ?? ''
    // A server that knows no pages answers the same again.
    if (items.length === 0 || first === before) break
    checkEntries(all.length + items.length, url, bounds)
    for (const item of items) all.push(item)
    before = first
    const { total } = paginationOf(page)
    onPage?.(all.length, typeof total === 'number' && total > 0 ? all.length / total : undefined)
    next = nextPage(page, items.length, all.length)
  }
  return all
}

function paginationOf(page: unknown): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(page)
  return { ...fieldsOf(fieldsOf(fields.data).pagination), ...fieldsOf(fields.pagination) }
}

function nextPage(page: unknown, count: number, soFar: number): Record<string, string> | undefined {
  const { cursor, nextCursor, total, offset } = paginationOf(page)
  const more = cursor ?? nextCursor
  if (typeof more === 'string' && more !== '') return { cursor: more }
  if (typeof total !== 'number') return { offset: String(soFar) }
  const reached = (typeof offset === 'number' ? offset : soFar - count) + count
  return reached < total ? { offset: String(reached) } : undefined
}

function pageAddress(url: string, next: Readonly<Record<string, string>>): string {
  const address = new URL(url)
  if (!address.searchParams.has('limit')) address.searchParams.set('limit', String(PAGE))
  for (const [name, value] of Object.entries(next)) address.searchParams.set(name, value)
  return address.href
}
