// A cache of ready answers, good while the catalog stands still. Without it a page that is asked for again costs 1.3 times the
// processor time of the server, a filtered one 1.6 times (`npm run bench -- reads`, the rows of the same pages).
import type { Reads } from '../../directory/directory.ts'
import type { Ready } from './answer.ts'

/** What is kept at most, in answers and in bytes; the oldest goes first. */
const MAX_KEPT = 4_096
const MAX_KEPT_BYTES = 4 * 1024 * 1024
const MAX_REMEMBERED = 16_384
/** A page of a hundred long descriptions is not worth its room. */
const MAX_BYTES = 64 * 1024

export type ResponseCache = (question: string, prepare: (question: string) => Ready) => Ready

/**
 * For one route: the question is what stands behind the `?`.
 * @param period of answers that change with time alone: they are kept as long as this stays the same
 */
export function createResponseCache(
  reads: Pick<Reads, 'generation'>,
  period: () => number = () => 0,
): ResponseCache {
  const kept = new Map<string, Ready>()
  // Only what is asked a second time is kept: one-off pages would grow old in memory for nothing. So would their questions,
  // of which a hash tells enough: where two share one, an answer is kept that need not have been.
  const asked = new Uint32Array(MAX_REMEMBERED)
  let generation = -1
  let keptIn = 0
  let keptBytes = 0

  function put(question: string, ready: Ready): void {
    kept.set(question, ready)
    keptBytes += ready.bytes.length
    for (const [oldest, { bytes }] of kept) {
      if (kept.size <= MAX_KEPT && keptBytes <= MAX_KEPT_BYTES) break
      kept.delete(oldest)
      keptBytes -= bytes.length
    }
  }

  return (question, prepare) => {
    if (reads.generation !== generation || period() !== keptIn) {
      kept.clear()
      keptBytes = 0
      keptIn = period()
      generation = reads.generation
    }
    const known = kept.get(question)
    if (known) return known
    const ready = prepare(question)
    const hash = Bun.hash.xxHash32(question)
    if (asked[hash % MAX_REMEMBERED] !== hash) {
      asked[hash % MAX_REMEMBERED] = hash
      return ready
    }
    if (ready.bytes.length <= MAX_BYTES) put(question, ready)
    return ready
  }
}
