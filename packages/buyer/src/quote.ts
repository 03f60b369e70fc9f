// Chooses the payment requirements that this buyer can pay: an exact amount of a known token, by a signature that anyone may submit and
// that expires, an authorization (EIP-3009) or a Solana transaction. Nothing is signed here.

import {
  chooseRequirements,
  findUnpayableReason,
  type PayableRequirements,
  type Payee,
} from 'shirube/domain/call/request.ts'
import { decodeBase58 } from 'shirube/domain/chains/addresses.ts'
import { findAsset } from 'shirube/domain/chains/assets.ts'
import { chainKey, findChain } from 'shirube/domain/chains/chains.ts'
import { isRecord } from 'shirube/domain/json.ts'
import { toMicroDollars } from 'shirube/domain/money/money.ts'
import { type Rates, toDollars } from 'shirube/domain/money/rates.ts'
import type { PaymentRequirements } from 'shirube/domain/terms/terms.ts'
import { type Message, say } from 'shirube/messages/message.ts'
import { readEntry, toPaymentRequirements } from 'shirube/probe/terms/payment-requirements.ts'

/** The 402 as the official client reads it. */
export type Required = {
  readonly x402Version: number
  readonly accepts: readonly Readonly<Record<string, unknown>>[]
  readonly [name: string]: unknown
}

type Terms = {
  readonly requirements: PaymentRequirements
  readonly x402Version: 1 | 2
  /** In whole units of the asset. */
  readonly price: string
  readonly currency: string
  readonly microUsd: number
  /** With only the chosen entry of `accepts`. */
  readonly required: Required
}
export type EvmQuote = Terms & { readonly family: 'evm'; readonly chainNumber: number }
export type SolanaQuote = Terms & {
  readonly family: 'svm'
  /** The fee payer and the memo, as the seller demands. */
  readonly feePayer: string
  readonly memo: string | undefined
}
export type Quote = EvmQuote | SolanaQuote

/** The duration of about 150 Solana blocks. The real end is a block height. */
export const TRANSACTION_SECONDS = 90

/** What the wallet would sign, and how long it is valid. */
export const toSigned = ({ family, requirements }: Quote) =>
  family === 'evm'
    ? { signs: 'EIP-3009 TransferWithAuthorization', validForSeconds: requirements.maxTimeoutSeconds ?? null }
    : { signs: 'Solana transaction with one TransferChecked', validForSeconds: TRANSACTION_SECONDS }

/** The seller sets the validity of an authorization; a longer one could be held back and used much later. */
export const MAX_VALID_SECONDS = 3_600
/** Length of a Solana address. */
const KEY_BYTES = 32

/** Chooses the requirements to pay, or returns why there are none. @param findObstacle what is missing to pay an entry */
export function toQuote(
  required: Required,
  payee: Payee,
  rates: Rates,
  findObstacle: (requirements: PayableRequirements) => Message | undefined = () => undefined,
): Quote | Message {
  const version = required.x402Version === 1 ? 1 : 2
  const read = required.accepts.flatMap((raw, i) => {
    const entry = readEntry(raw, `accepts[${i}]`, version)
    return 'payment' in entry && isBySignature(raw)
      ? [{ raw, requirements: toPaymentRequirements(entry.payment) }]
      : []
  })
  const known = read.filter(({ requirements }) => findAsset(requirements.chain, requirements.asset))
  const requirements = chooseRequirements(
    known.map(each => each.requirements),
    version,
    payee,
  )
  const raw = known.find(
    each =>
      each.requirements.network === requirements?.network &&
      isSameRequirements(each.requirements, requirements),
  )?.raw
  const chain = requirements && findChain(requirements.chain)
  if (!requirements)
    return toUnpayable(
      read.map(each => each.requirements),
      payee,
    )
  if (!raw || !chain || requirements.price === undefined) return say('way_not_payable')
  const obstacle = findObstacle(requirements)
  if (obstacle) return obstacle
  const signed = requirements.family === 'evm' ? toAuthorization(requirements, chain.id) : toTransaction(raw)
  if ('code' in signed) return signed
  const currency = requirements.currency ?? ''
  const dollars = toDollars(requirements.price, currency, rates)
  const microUsd = dollars && toMicroDollars(dollars.amount)
  if (microUsd === undefined) return say('price_not_in_dollars', { currency })
  return {
    ...signed,
    requirements,
    x402Version: version,
    price: requirements.price,
    currency: requirements.assetName ?? currency,
    microUsd,
    required: { ...required, accepts: [raw] },
  }
}

/** Another payee is named: it is no lack of this buyer, but a reason to distrust the service. */
function toUnpayable(accepts: readonly PaymentRequirements[], { paymentAddress, network }: Payee): Message {
  switch (accepts.length > 0 && findUnpayableReason(accepts, { paymentAddress, network })) {
    case 'other_wallet': {
      const onNetwork = accepts.filter(({ chain }) => chain === chainKey(network))
      const payTo = [...new Set(onNetwork.map(each => each.payTo))].slice(0, MAX_NAMED)
      return say('asks_other_wallet', { payTo, listed: paymentAddress })
    }
    case 'other_network': {
      const networks = [...new Set(accepts.map(({ chain }) => chain))].slice(0, MAX_NAMED)
      return say('asks_other_network', { networks, listed: network })
    }
    default:
      return say('way_not_payable')
  }
}

/** Values of a list in a reason. */
const MAX_NAMED = 5

type Raw = Readonly<Record<string, unknown>>

const extraOf = ({ extra }: Raw): Raw => (isRecord(extra) ? extra : {})

/** Permit2 would need an allowance for all of the wallet's tokens. */
const isBySignature = (raw: Raw): boolean =>
  raw.scheme === 'exact' && (extraOf(raw).assetTransferMethod ?? 'eip3009') === 'eip3009'

function toAuthorization(
  { maxTimeoutSeconds: seconds = 0 }: PaymentRequirements,
  chain: string,
): Pick<EvmQuote, 'family' | 'chainNumber'> | Message {
  if (!(seconds > 0 && seconds <= MAX_VALID_SECONDS))
    return say('authorization_too_long', { seconds, most: MAX_VALID_SECONDS })
  return { family: 'evm', chainNumber: Number(chain.slice('eip155:'.length)) }
}

/** The chain determines the validity of a transaction, not the seller. */
function toTransaction(raw: Raw): Pick<SolanaQuote, 'family' | 'feePayer' | 'memo'> | Message {
  const { feePayer, memo } = extraOf(raw)
  const isFeePayer = typeof feePayer === 'string' && decodeBase58(feePayer)?.length === KEY_BYTES
  if (!isFeePayer || !(memo === undefined || memo === null || typeof memo === 'string'))
    return say('way_not_payable')
  return { family: 'svm', feePayer, memo: memo || undefined }
}

const isSameRequirements = (a: PaymentRequirements, b: PaymentRequirements | undefined): boolean =>
  a.amount === b?.amount && a.payTo === b.payTo && a.asset === b.asset && a.extra === b.extra
