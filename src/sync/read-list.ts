// Reads all pages of an x402 discovery list, with or without pagination metadata.
import { asRecord } from '../domain/json.ts'
import { checkEntries, checkPages, type SyncBounds } from './bounds.ts'
import { itemsOf } from './recognise.ts'
import type { SourceReader } from './source-reader.ts'

/** A page size that every known list accepts. */
const PAGE = 100

/** @throws SourceFailure on any failed page: an incomplete list must not be taken for a shorter one */
export async function readList(
  source: SourceReader,
  url: string,
  bounds: SyncBounds,
  onPage?: (read: number, fraction: number | undefined) => void,
): Promise<unknown[]> {
  const all: unknown[] = []
  let next: Record<string, string> | undefined = {}
  let previous: string | undefined
  for (let pages = 1; next; pages++) {
    checkPages(pages, url)
    const page = await source.json(pageAddress(url, next))
    const items = itemsOf(page)
    const first = firstText(items)
    // A server without pagination returns the same page again.
    if (items.length === 0 || first === previous) break
    checkEntries(all.length + items.length, url, bounds)
    for (const item of items) all.push(item)
    previous = first
    const { total } = paginationOf(page)
    onPage?.(all.length, typeof total === 'number' && total > 0 ? all.length / total : undefined)
    next = nextPage(page, items.length, all.length)
  }
  return all
}

/** The first item that can be written: one nested very deep overflows the stack. It is skipped by itself, not with its list. */
function firstText(items: readonly unknown[]): string {
  for (const item of items) {
    try {
      return JSON.stringify(item)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return ''
}

function paginationOf(page: unknown): Readonly<Record<string, unknown>> {
  const fields = asRecord(page)
  return { ...asRecord(asRecord(fields.data).pagination), ...asRecord(fields.pagination) }
}

function nextPage(page: unknown, count: number, readCount: number): Record<string, string> | undefined {
  const { cursor, nextCursor, total, offset } = paginationOf(page)
  const more = cursor ?? nextCursor
  if (typeof more === 'string' && more !== '') return { cursor: more }
  if (typeof total !== 'number') return { offset: String(readCount) }
  const reached = (typeof offset === 'number' ? offset : readCount - count) + count
  return reached < total ? { offset: String(reached) } : undefined
}

function pageAddress(url: string, next: Readonly<Record<string, string>>): string {
  const address = new URL(url)
  if (!address.searchParams.has('limit')) address.searchParams.set('limit', String(PAGE))
  for (const [name, value] of Object.entries(next)) address.searchParams.set(name, value)
  return address.href
}
