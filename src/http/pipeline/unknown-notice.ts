// Tells in a header which values of filters are not known here, with the nearest known one.
import type { Reads } from '../../directory/directory.ts'
import { listUnknownFilters } from '../../directory/unknown-filters.ts'
import type { Filters } from '../../domain/queries/filters.ts'
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import { toNoticeHeader } from './header-text.ts'

export function toUnknownNotice(reads: Pick<Reads, 'list'>, filters: Filters): Record<string, string> {
  const unknown = listUnknownFilters(reads, filters)
  return unknown.length === 0
    ? {}
    : { 'X-Notice': toNoticeHeader(unknown.map(({ message }) => tellInEnglish(message))) }
}
