// Which addresses of a name are connected to, and in which order: a name can lead to several machines, and each may answer otherwise.
import type { ResolvedAddress } from './resolve.ts'

export type Spread = {
  /** From 0 to 1. The same chance draws the same of the same addresses, in whatever order a resolver names them. */
  readonly chance: number
  /** Tried first where the name leads there. */
  readonly wanted?: string | undefined
}

/** Of each family. The rest would only be tried after these, and every one of them has to be counted. */
const MAX_ADDRESSES = 2

/** @param spread where it is given, families are drawn alike, and addresses within each; else the resolver's order holds */
export function drawAddresses(found: readonly ResolvedAddress[], spread?: Spread): ResolvedAddress[] {
  if (!spread) return found.filter((each, i) => before(found, i, each).length < MAX_ADDRESSES)
  const families = ([4, 6] as const)
    .map(family => found.filter(each => each.family === family))
    .filter(({ length }) => length > 0)
    .map(addresses => addresses.toSorted((a, b) => (a.address < b.address ? -1 : 1)))
  const { first, rest } = drawIndex(families.length, spread.chance)
  const order = rotated(families, first).flatMap(addresses =>
    rotated(addresses, drawIndex(addresses.length, rest).first).slice(0, MAX_ADDRESSES),
  )
  const wanted = found.find(({ address }) => address === spread.wanted)
  return wanted ? [wanted, ...order.filter(({ address }) => address !== wanted.address)] : order
}

const before = (found: readonly ResolvedAddress[], i: number, { family }: ResolvedAddress) =>
  found.slice(0, i).filter(each => each.family === family)

/** @returns the index that was drawn, and what is left of the chance to draw again */
function drawIndex(length: number, chance: number): { readonly first: number; readonly rest: number } {
  const first = Math.min(Math.floor(chance * length), length - 1)
  return { first, rest: Math.min(chance * length - first, 1) }
}

const rotated = <T>(values: readonly T[], start: number): T[] => [
  ...values.slice(start),
  ...values.slice(0, start),
]
