// Which blocks are remembered by their hash: all of the latest, then ever fewer with age, so that a handful reach back to the start.
import type { ChainCursor, Checkpoint } from '../store/payments.ts'

const ALL_OF_THE_LATEST = 8

/** Moves the cursor on, and thins out what lies behind it. */
export function moveTo(reached: Checkpoint, from: ChainCursor | undefined): ChainCursor {
  const depthOf = ({ block }: Checkpoint) => reached.block - block
  const known = from ? [from, ...from.earlier].filter(place => depthOf(place) > 0) : []
  const earlier: Checkpoint[] = []
  for (const [index, { block, hash }] of known.entries()) {
    const [last, next] = [earlier.at(-1), known[index + 1]]
    // One is left out where the next is near enough to stand for it: a gap never doubles the depth.
    const isNeeded = !last || !next || depthOf(next) > 2 * depthOf(last)
    if (isNeeded || earlier.length < ALL_OF_THE_LATEST) earlier.push({ block, hash })
  }
  return { block: reached.block, hash: reached.hash, earlier }
}

/**
 * The newest of what was read that is still on the chain: the cursor itself, unless the chain was reorganised; undefined
 * where nothing is. A node that has not got so far yet looks like a chain that was cut short: as long as what it has
 * agrees, it is only behind.
 */
export async function findStanding(
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
