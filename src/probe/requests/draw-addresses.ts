// Chooses which addresses of a host are tried, and in which order: a host may lead to several machines, and each may
// respond differently.
import type { ResolvedAddress } from './resolve-host.ts'

export type Spread = {
  /** From 0 to 1. The same value draws the same order from the same addresses, however the resolver orders them. */
  readonly chance: number
  /** Tried first if the host resolves to it. */
  readonly wanted?: string | undefined
}

/** Per family. Each address counts against its limit, and the others would only be tried after these. */
const MAX_ADDRESSES = 2

/** @param spread draws families uniformly, then addresses within each; without it the resolver's order holds */
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

/** @returns the drawn index, and the rest of the chance for another draw */
function drawIndex(length: number, chance: number): { readonly first: number; readonly rest: number } {
  const first = Math.min(Math.floor(chance * length), length - 1)
  return { first, rest: Math.min(chance * length - first, 1) }
}

const rotated = <T>(values: readonly T[], start: number): T[] => [
  ...values.slice(start),
  ...values.slice(0, start),
]
