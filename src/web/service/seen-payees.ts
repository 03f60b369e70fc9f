// Whom and where an endpoint was seen asking to be paid.
import { chainKey, chainLabel } from '../../domain/chains/chains.ts'
import { sameAddress } from '../../domain/chains/same-address.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { TermsAnswer } from '../../domain/terms/terms.ts'

const MAX_NAMED = 5
const named = (texts: readonly string[]): string[] => [...new Set(texts)].slice(0, MAX_NAMED)

const waysOf = ({ resources }: TermsAnswer) => resources[0]?.accepts ?? []

/** Payees on the listed network other than the listed one, and whether that is named too. */
export function findPayees(
  { paymentAddress, network }: Pick<Service['x402Config'], 'paymentAddress' | 'network'>,
  terms: TermsAnswer,
): { readonly others: readonly string[]; readonly isListedToo: boolean } {
  const payees = waysOf(terms)
    .filter(({ chain }) => chain === chainKey(network))
    .map(({ payTo }) => payTo)
  const others = payees.filter(payTo => !sameAddress(payTo, paymentAddress, network))
  return { others: named(others), isListedToo: others.length < payees.length }
}

/** Labels of the networks on which it takes payments. */
export const networksOf = (terms: TermsAnswer): string[] =>
  named(waysOf(terms).map(({ chain }) => chainLabel(chain)))
