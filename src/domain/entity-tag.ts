// What a caller holds, compared with what is there (RFC 9110, 13.1.1).
import { Encoded } from './encoded.ts'
import type { Entry } from './service.ts'
import { toService } from './views.ts'

/** The same bytes have the same tag in every process. */
export const hashOf = (bytes: Uint8Array): string => Bun.hash.xxHash3(bytes).toString(16)

/**
 * Asks whether `If-Match` names the service as it is now. The comparison is strong: a weak tag never matches. The tag of the
 * compressed form stands for the same state.
 */
export function isHeld(ifMatch: string, entry: Entry): boolean {
  if (ifMatch.trim() === '*') return true
  const hash = hashOf(Encoded.of(toService(entry)).bytes)
  const tags = ifMatch.split(',').map(tag => tag.trim())
  return tags.includes(`"${hash}"`) || tags.includes(`"${hash}-gzip"`)
}
