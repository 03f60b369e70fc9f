// Whether two answers of one endpoint ask for the same: other terms for one client than for another are a cloak.
import { addressKey } from '../domain/same-address.ts'
import type { ResourceTerms, Way } from '../domain/terms.ts'

/** Order, spelling and what clients do not pay by say nothing. */
export function isSameTerms(a: readonly ResourceTerms[], b: readonly ResourceTerms[]): boolean {
  const [left, right] = [keysOf(a), keysOf(b)]
  return left.size === right.size && [...left].every(key => right.has(key))
}

const keysOf = (resources: readonly ResourceTerms[]): Set<string> =>
  new Set(resources.flatMap(({ url, accepts }) => accepts.map(way => keyOf(url, way))))

const keyOf = (url: string, { scheme, chain, asset, amount, payTo, paymentFlow }: Way): string =>
  JSON.stringify([
    url,
    scheme.toLowerCase(),
    chain,
    addressKey(asset, chain),
    amount,
    addressKey(payTo, chain),
    paymentFlow ?? 'authorization',
  ])
