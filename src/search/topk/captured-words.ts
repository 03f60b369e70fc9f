// Words that somebody has taken for themselves: who lists a misspelt word would otherwise be all that it leads to.
import type { Accept, PostingsCursor } from './cursor.ts'

/** A word that more entries have is no misspelt one. */
const MAX_CAPTURED = 256

/** Returns whether only entries have the word that are not preferred, and they are few. */
export function isCaptured({ slots, start, count }: PostingsCursor, preferred: Accept | undefined): boolean {
  if (preferred === undefined || count > MAX_CAPTURED) return false
  for (let at = start; at < start + count; at++) if (preferred(slots[at]!)) return false
  return true
}
