import { chainLabel } from '../chains/chains.ts'
import type { PaymentRequirements } from '../terms/terms.ts'
import type { UnpayableReason } from './choose-requirements.ts'
import type { CallRequest } from './request.ts'
import type { LimitedRequirements } from './spending-limit.ts'

/** The price in words that are safe in a comment of any language: untrusted text is filtered. */
export const formatPrice = ({ price, assetName, amount, scheme }: PaymentRequirements): string => {
  const sum =
    price !== undefined && /^[\d.]{1,40}$/.test(price)
      ? `${price} ${plain(assetName ?? '')}`.trim()
      : `${amount.replace(/\D/g, '')} smallest units`
  return scheme === 'upto' ? `${sum} (a maximum: what is taken may be less)` : sum
}

/** The asset, and the chain on which the wallet must hold it. */
export const formatAsset = ({ assetName, asset, chain }: PaymentRequirements): string =>
  `${assetName === undefined ? `the asset ${plain(asset)}` : plain(assetName)} on ${plain(chainLabel(chain))}`

const plain = (text: string): string => text.replace(/[^\w .:-]/g, '').slice(0, 64)

/** The approval that Permit2 needs once before it can move an asset. */
export const approvalNote = ({ scheme, extra }: PaymentRequirements, mark: string): string =>
  scheme === 'upto' || extra.assetTransferMethod === 'permit2'
    ? `${mark} The wallet has approved Permit2 (0x000000000022D473030F116dDEE9F6B43aC78BA3) for it\n`
    : ''

/** The most that is signed for, and where that is not the price of the listing. */
export function limitNote(requirements: LimitedRequirements, mark: string, verb: string): string {
  const { listed, amount } = requirements
  const limit = listed?.isLess ? plain(listed.price) : formatPrice(requirements)
  const lines = [
    ...(listed?.isLess
      ? [
          `WARNING: it lists ${plain(listed.price)} and was seen asking for ${formatPrice(requirements)}. This pays no more than is listed.`,
          `To pay what it asks, raise the limit to ${amount.replace(/\D/g, '')} smallest units.`,
        ]
      : []),
    ...(listed && !listed.isLess ? [`It lists ${plain(listed.price)}, which cannot be compared.`] : []),
    `At most ${limit}, in this asset, to this wallet. Anything else ${verb} before it is signed.`,
  ]
  return lines.map(line => `${mark} ${line}`).join('\n')
}

const UNPAYABLE: Readonly<Record<UnpayableReason, readonly string[]>> = {
  other_network: ['This service asks for no payment on the listed network, so nothing is paid here.'],
  other_wallet: [
    'WARNING: this service asks to pay another wallet than the listed one, so nothing is paid here.',
  ],
  no_client: [
    'No official client can pay the listed wallet on the listed network',
    'by any option that this service offers.',
  ],
}

/** Why a snippet does not pay, as comment lines. */
export const unpayableNote = (reason: UnpayableReason, mark: string): string =>
  UNPAYABLE[reason].map(line => `${mark} ${line}`).join('\n')

/** Nothing but the caller's own values is worth paying for. */
export const samplesNote = ({ isFilled }: CallRequest, mark: string): string =>
  isFilled ? `${mark} The values of the request are samples: put in your own before you pay.\n` : ''
