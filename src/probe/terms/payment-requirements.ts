/** Parses payment requirements, one entry of `accepts` of either x402 version, into one normal form. */

import { sameAddress } from '../../domain/chains/addresses.ts'
import { findAsset } from '../../domain/chains/assets.ts'
import { chainKey } from '../../domain/chains/chains.ts'
import { isRecord } from '../../domain/json.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { feePayee, moneyKey } from '../../domain/money/scheme-fields.ts'
import type { PaymentRequirements, Protocol } from '../../domain/terms/terms.ts'
import { type Message, say } from '../../messages/message.ts'
import { cleanName, cleanRecord, shown, shownValue } from '../untrusted.ts'

export type ParsedRequirements = {
  readonly protocol: Protocol
  /** Of MPP the intent. */
  readonly scheme: string
  /** As sent. */
  readonly network: string
  /** The normal form of the network's name. */
  readonly chain: string
  readonly payTo: string
  readonly asset: string
  /** In the asset's smallest units. */
  readonly amount: bigint
  /** The amount is a maximum; less may be taken. */
  readonly upTo: boolean
  /** These four are set for known assets only. */
  readonly symbol?: string
  readonly currency?: string
  readonly decimals?: number
  /** Exact decimal, in whole units of the asset. */
  readonly price?: string
  readonly maxTimeoutSeconds?: number
  /** Whether payment comes before delivery, if the server declares it. */
  readonly paymentFlow?: string
  /** Size-limited and cleaned. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Equal for equal deposits, fees and other parts of `extra` that move money; absent if there are none. */
  readonly moneyKey?: string
  /** The receiver of a fee that is large enough to be part of the payment. */
  readonly feePayee?: string
  /** Parts of the amount that others than the payee receive. */
  readonly splits?: readonly Split[]
}

export type Split = { readonly payTo: string; readonly amount: bigint }

export type RequirementsReading =
  | { readonly payment: ParsedRequirements; readonly notes: readonly Message[] }
  | UnreadRequirements

/** Requirements that cannot be read here, although a client may be able to. */
export type UnreadRequirements = {
  /** null if the network cannot be read either: it may be any. */
  readonly chain: string | null
  readonly problems: readonly Message[]
  /** Has every field that a client needs to pay. */
  readonly isComplete: boolean
}

/**
 * The chain that a client takes the network's name for; null if clients disagree. All of them read digits, with leading zeros, as the
 * same chain id. Of `eip155:8453_2` some parsers read 8453 and others 84532, and some read digits of other scripts, signs, spaces,
 * hexadecimal or invisible characters, which others refuse.
 */
function payableChain(network: string): string | null {
  const visible = network.replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '').normalize('NFKC')
  if (!/^\s*eip155\s*:/i.test(visible)) return chainKey(visible)
  const [, digits] = /^eip155:0*(\d{1,15})$/i.exec(network) ?? []
  return digits === undefined ? null : chainKey(`eip155:${digits}`)
}

/** Amounts have at most 256 bits on any chain. */
const MAX_AMOUNT_DIGITS = 78
const MAX_TEXT = 256

/**
 * @param where path of the entry for messages, such as `accepts[0]`
 * @param names of the fields in messages, where the server calls them otherwise
 */
export function readEntry(
  entry: unknown,
  where: string,
  version: 1 | 2,
  names: Readonly<Record<string, string>> = {},
): RequirementsReading {
  if (!isRecord(entry))
    return { chain: null, problems: [say('entry_not_an_object', { place: where })], isComplete: false }
  const problems: Message[] = []
  const notes: Message[] = []
  const placeOf = (name: string) => `${where}.${names[name] ?? name}`
  const text = (name: string): string => {
    const value = entry[name]
    if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT) return value.trim()
    problems.push(say('field_not_text', { place: placeOf(name), value: shownOrNull(value) }))
    return ''
  }
  const scheme = text('scheme')
  const network = text('network')
  const payTo = text('payTo')
  const asset = text('asset')
  const amount = readAmount(entry, where, version)
  if ('problem' in amount) problems.push(amount.problem)
  else notes.push(...amount.notes)
  const chain = network === '' ? null : payableChain(network)
  if (network !== '' && chain === null)
    problems.push(say('network_ambiguous', { place: placeOf('network'), value: shownValue(network) }))
  if (problems.length > 0 || 'problem' in amount || chain === null)
    return { chain, problems, isComplete: isComplete(entry) }

  if (version === 2 && !network.includes(':'))
    notes.push(say('network_not_caip2', { place: `${where}.network`, value: shownValue(network) }))
  const knownAsset = findAsset(chain, asset)
  const worth = knownAsset && {
    symbol: knownAsset.symbol,
    currency: knownAsset.currency,
    decimals: knownAsset.decimals,
    price: toDecimal(amount.value, knownAsset.decimals),
  }
  const upTo = scheme.toLowerCase() === 'upto'
  const payment = {
    protocol: 'x402' as const,
    scheme,
    network,
    chain,
    payTo,
    asset,
    amount: amount.value,
    upTo,
    ...worth,
  }
  return { payment: { ...payment, ...readRest(entry) }, notes }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const isComplete = (entry: Readonly<Record<string, unknown>>): boolean =>
  ['scheme', 'network', 'payTo', 'asset'].every(name => isGiven(entry[name])) &&
  (isGiven(entry.amount) || isGiven(entry.maxAmountRequired))

/** Clients of version 1 read one field, those of version 2 the other, so both must agree. */
const isSameAmount = (a: unknown, b: unknown): boolean => {
  const [one, other] = [a, b].map(amount => (typeof amount === 'number' ? `${amount}` : amount))
  return typeof one === 'string' && typeof other === 'string' && one.trim() === other.trim()
}

const MAX_EXTRA = 4_096

/** Further fields that a paying client needs. */
function readRest(
  entry: Readonly<Record<string, unknown>>,
): Pick<ParsedRequirements, 'extra' | 'moneyKey' | 'feePayee' | 'maxTimeoutSeconds' | 'paymentFlow'> {
  const extra = cleanRecord(entry.extra, MAX_EXTRA) ?? {}
  const seconds = entry.maxTimeoutSeconds
  const paymentFlow = cleanName(extra.paymentFlow)?.toLowerCase()
  const feeTo = feePayee(entry.extra)
  const money = moneyKey(entry.extra)
  return {
    ...(typeof seconds === 'number' && seconds > 0 && { maxTimeoutSeconds: seconds }),
    ...(paymentFlow && { paymentFlow }),
    ...(feeTo !== undefined && { feePayee: feeTo }),
    ...(money !== '' && { moneyKey: money }),
    extra,
  }
}

/** Splits up to this part of the amount are the usual charge of a platform. */
const SPLIT_PARTS = 10n

/** Who receives splits that count, without those that `isPaid` names. Many small ones count together. */
export function splitPayees(
  { splits = [], amount }: Pick<ParsedRequirements, 'splits' | 'amount'>,
  isPaid: (payTo: string) => boolean,
): string[] {
  const others = splits.filter(({ payTo }) => !isPaid(payTo))
  const sum = others.reduce((sum, split) => sum + split.amount, 0n)
  return sum * SPLIT_PARTS > amount ? [...new Set(others.map(({ payTo }) => payTo))] : []
}

/** The form that is stored and served: untrusted text is made printable. */
export function toPaymentRequirements(payment: ParsedRequirements): PaymentRequirements {
  const splitTo = splitPayees(payment, payTo => sameAddress(payTo, payment.payTo, payment.chain))
  return {
    protocol: payment.protocol,
    scheme: shown(payment.scheme),
    network: shown(payment.network),
    chain: shown(payment.chain),
    asset: shown(payment.asset),
    ...(payment.symbol !== undefined && { assetName: payment.symbol }),
    amount: payment.amount.toString(),
    ...(payment.price !== undefined && { price: payment.price }),
    ...(payment.currency !== undefined && { currency: payment.currency }),
    payTo: shown(payment.payTo),
    ...(splitTo.length > 0 && { splitTo: splitTo.map(shown) }),
    ...(payment.maxTimeoutSeconds !== undefined && { maxTimeoutSeconds: payment.maxTimeoutSeconds }),
    ...(payment.paymentFlow !== undefined && { paymentFlow: payment.paymentFlow }),
    extra: payment.extra,
  }
}

type Amount = { readonly value: bigint; readonly notes: readonly Message[] } | { readonly problem: Message }

/** Version 1 has `maxAmountRequired`, version 2 `amount`; partly migrated servers mix them. */
function readAmount(entry: Readonly<Record<string, unknown>>, where: string, version: 1 | 2): Amount {
  const [first, second] =
    version === 1 ? (['maxAmountRequired', 'amount'] as const) : (['amount', 'maxAmountRequired'] as const)
  if (entry[first] !== undefined && entry[second] !== undefined && !isSameAmount(entry[first], entry[second]))
    return { problem: say('amounts_differ', { place: where, names: [first, second] }) }
  const name = entry[first] === undefined && entry[second] !== undefined ? second : first
  const value = entry[name]
  const place = `${where}.${name}`
  const notes = name === first ? [] : [say('name_of_other_version', { place, version, name: first })]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
    return {
      value: BigInt(value),
      notes: [...notes, say('amount_is_a_number', { place, value })],
    }
  if (typeof value === 'string' && /^\d+$/.test(value.trim()) && value.trim().length <= MAX_AMOUNT_DIGITS)
    return { value: BigInt(value.trim()), notes }
  return { problem: say('amount_malformed', { place, value: shownOrNull(value) }) }
}

/** null if missing. */
const shownOrNull = (value: unknown): string | null => (value === undefined ? null : shownValue(value))
