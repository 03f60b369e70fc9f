// Which payment requirements of `accepts` the official clients can meet, and which of them a snippet uses.
import { EVM_ADDRESS } from '../chains/addresses.ts'
import { chainKey } from '../chains/chains.ts'
import { sameAddress } from '../chains/same-address.ts'
import { compareDecimals, DECIMAL } from '../money/money.ts'
import type { PaymentRequirements } from '../terms/terms.ts'

export type PayableRequirements = PaymentRequirements & {
  readonly family: 'evm' | 'svm'
  readonly version: 1 | 2
}

/** Why nothing can be paid by a listing. */
export type UnpayableReason = 'other_network' | 'other_wallet' | 'no_client'

/** The listed payee and network. */
export type Payee = { readonly paymentAddress: string; readonly network: string }

/** The network names of x402 version 1 for which the clients know a chain id. */
const EVM_V1_NETWORKS: readonly string[] = [
  'abstract',
  'abstract-testnet',
  'avalanche',
  'avalanche-fuji',
  'base',
  'base-sepolia',
  'celo',
  'educhain',
  'ethereum',
  'flare',
  'iotex',
  'megaeth',
  'monad',
  'peaq',
  'polygon',
  'polygon-amoy',
  'sei',
  'sei-testnet',
  'sepolia',
  'skale-base-sepolia',
  'stable',
  'stable-testnet',
  'story',
]
const SVM_V1_NETWORKS: readonly string[] = ['solana', 'solana-devnet', 'solana-testnet']
const SVM_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Returns undefined if no official client can pay the listed wallet on the listed network; only that wallet was judged. */
export function chooseRequirements(
  accepts: readonly PaymentRequirements[],
  version: 1 | 2,
  { paymentAddress, network }: Payee,
): PayableRequirements | undefined {
  const listedChain = chainKey(network)
  return accepts
    .filter(({ chain, payTo }) => chain === listedChain && sameAddress(payTo, paymentAddress, network))
    .flatMap(requirements => toPayable(requirements, version) ?? [])
    .sort(compareRequirements)[0]
}

/** For terms in which `chooseRequirements` finds nothing. */
export function findUnpayableReason(
  accepts: readonly PaymentRequirements[],
  { paymentAddress, network }: Payee,
): UnpayableReason {
  const onNetwork = accepts.filter(({ chain }) => chain === chainKey(network))
  if (onNetwork.length === 0) return 'other_network'
  return onNetwork.some(({ payTo }) => sameAddress(payTo, paymentAddress, network))
    ? 'no_client'
    : 'other_wallet'
}

function toPayable(requirements: PaymentRequirements, version: 1 | 2): PayableRequirements | undefined {
  const { network, scheme, asset, payTo } = requirements
  const hasAddresses = (pattern: RegExp) => pattern.test(asset) && pattern.test(payTo)
  const isEvm = version === 2 ? /^eip155:\d{1,18}$/.test(network) : EVM_V1_NETWORKS.includes(network)
  if (isEvm && hasAddresses(EVM_ADDRESS))
    return isSignable(requirements, version) ? { ...requirements, family: 'evm', version } : undefined
  const isSvm =
    version === 2 ? /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/.test(network) : SVM_V1_NETWORKS.includes(network)
  const isPaid = isSvm && scheme === 'exact' && hasAddresses(SVM_ADDRESS)
  return isPaid ? { ...requirements, family: 'svm', version } : undefined
}

/** An authorization is signed over name and version of the token contract; Permit2 needs neither. */
function isSignable({ scheme, extra }: PaymentRequirements, version: 1 | 2): boolean {
  if (scheme === 'upto') return version === 2
  if (scheme !== 'exact') return false
  const isNamed = typeof extra.name === 'string' && typeof extra.version === 'string'
  return isNamed || (version === 2 && extra.assetTransferMethod === 'permit2')
}

/** Fixed price before maximum, payment on delivery before payment upfront, known price before unknown, then the lowest price. */
function compareRequirements(a: PayableRequirements, b: PayableRequirements): number {
  return (
    Number(a.scheme !== 'exact') - Number(b.scheme !== 'exact') ||
    Number(a.paymentFlow === 'upfront') - Number(b.paymentFlow === 'upfront') ||
    Number(!isPriced(a)) - Number(!isPriced(b)) ||
    (isPriced(a) && isPriced(b) && a.currency === b.currency ? compareDecimals(a.price!, b.price!) : 0)
  )
}

const isPriced = ({ price }: PaymentRequirements): boolean => price !== undefined && DECIMAL.test(price)
