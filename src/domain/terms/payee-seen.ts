// Whether the payment requirements of an endpoint name the network and the address of its listing.
import { chainKey } from '../chains/chains.ts'
import { sameAddress } from '../chains/same-address.ts'
import type { Service } from '../listing/service.ts'
import type { PaymentRequirements, Seen } from './terms.ts'

export type PayeeSeen = {
  /** Whether all payment requirements on the registered network name the registered address. */
  readonly address: boolean
  /** Whether there are payment requirements on the registered network. */
  readonly network: boolean
}

export function comparePayee(
  accepts: readonly Pick<PaymentRequirements, 'chain' | 'payTo'>[],
  { paymentAddress, network }: Service['x402Config'],
): PayeeSeen {
  const onNetwork = accepts.filter(({ chain }) => chain === chainKey(network))
  return {
    address:
      onNetwork.length > 0 && onNetwork.every(({ payTo }) => sameAddress(payTo, paymentAddress, network)),
    network: onNetwork.length > 0,
  }
}

/** Whether the terms that were seen last name the registered address on the registered network, at any resource. */
export const namesPayee = (
  seen: Pick<Seen, 'resources'> | undefined,
  { network, paymentAddress }: Service['x402Config'],
): boolean =>
  seen?.resources.some(({ ways }) =>
    ways.some(
      ({ chain, payTo }) => chain === chainKey(network) && sameAddress(payTo, paymentAddress, network),
    ),
  ) === true
