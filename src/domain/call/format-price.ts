import { chainLabel } from '../chains.ts'
import type { PaymentRequirements } from '../terms.ts'

/** The price in words that are safe in a comment of any language: untrusted text is filtered. */
export const formatPrice = ({ price, assetName, amount, scheme }: PaymentRequirements): string => {
  const sum =
    price !== undefined && /^[\d.]{1,40}$/.test(price)
      ? `${price} ${plain(assetName ?? '')}`.trim()
      : `${amount.replace(/\D/g, '')} of the smallest units`
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
