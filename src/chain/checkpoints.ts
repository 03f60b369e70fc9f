// Selects the blocks whose hash is stored: all recent ones, then fewer with age, so that a few reach back to the start.
import type { ChainCursor, Checkpoint } from '../store/payments.ts'

const MAX_LATEST = 8

/** Advances the cursor and thins out older checkpoints. */
export function moveTo(reached: Checkpoint, from: ChainCursor | undefined): ChainCursor {
  const depthOf = ({ block }: Checkpoint) => reached.block - block
  const known = from ? [from, ...from.earlier].filter(place => depthOf(place) > 0) : []
  const earlier: Checkpoint[] = []
  for (const [index, { block, hash }] of known.entries()) {
    const [last, next] = [earlier.at(-1), known[index + 1]]
    // A checkpoint is dropped if the next is close enough: a gap never doubles the depth.
    const isNeeded = !last || !next || depthOf(next) > 2 * depthOf(last)
    if (isNeeded || earlier.length < MAX_LATEST) earlier.push({ block, hash })
  }
  return { block: reached.block, hash: reached.hash, earlier }
}

/**
 * @returns the newest block read that is still on the chain: the cursor itself, unless the chain was reorganised; undefined if there is
 * none. A node that lags looks like a shortened chain: if its blocks agree, it is only `behind`.
 */
export async function findCanonical(
  cursor: ChainCursor,
  head: number,
  hashAt: (block: number) => Promise<string>,
): Promise<ChainCursor | undefined | 'behind'> {
  const known = [cursor, ...cursor.earlier].filter(({ block }) => block <= head)
  for (const [index, { block, hash }] of known.entries()) {
    if ((await hashAt(block)) !== hash) continue
    if (index > 0) return { block, hash, earlier: known.slice(index + 1) }
    return block === cursor.block ? cursor : 'behind'
  }
  return known.length > 0 ? undefined : 'behind'
}
