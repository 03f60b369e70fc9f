// Formats offers and receipts for a terminal.
import type { OfferView, Receipt } from '../../domain/purchases/paid-calls.ts'
import { toOneLine } from '../../domain/text/unseen.ts'

const lines = (each: readonly string[]): string => each.map(toOneLine).join('\n')

export const offerText = (offer: OfferView, verb: 'Would sign' | 'Signs' = 'Would sign'): string =>
  lines([
    `${verb.padEnd(12)}a transfer of ${offer.amount} ${offer.currency} ($${offer.usd}) to ${offer.payTo} on ${offer.chain}`,
    `For         ${offer.method} ${offer.url}`,
    ...(offer.tool === null ? [] : [`Tool        ${offer.tool}`]),
    `Host        ${offer.host}`,
    `Token       ${offer.asset}`,
    `Good for    ${offer.validForSeconds ?? 0} seconds`,
    `Guard       ${offer.verdict}`,
    ...offer.reasons.map(reason => `            ${reason}`),
    ...offer.doubts.map(doubt => `Doubt       ${doubt}`),
    ...(offer.exceededCap === null ? [] : [`Cap         ${offer.exceededCap}`]),
  ])

export const receiptText = (receipt: Receipt): string =>
  lines([
    `Paid        ${receipt.amount} ${receipt.currency} ($${receipt.usd}) to ${receipt.payTo} on ${receipt.chain}`,
    `State       ${receipt.state}${receipt.outcome === null ? '' : `, ${receipt.outcome}`}`,
    `Transaction ${receipt.transaction ?? 'not known'}`,
    `Purchase    ${receipt.purchaseId}`,
    ...receipt.reasons.map(reason => `            ${reason}`),
  ])
