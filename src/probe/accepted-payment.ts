/** One entry of `accepts`, of either version of x402, in one normal form. */

import { findAsset } from '../domain/assets.ts'
import { chainKey } from '../domain/chains.ts'
import { toDecimal } from '../domain/money.ts'
import { shownValue } from './strangers-text.ts'

export type Payment = {
  readonly scheme: string
  /** As sent. */
  readonly network: string
  /** What all spellings of that network have in common. */
  readonly chain: string
  readonly payTo: string
  readonly asset: string
  /** In the asset's smallest units. */
  readonly amount: bigint
  /** The amount is a maximum: what is taken may be less. */
  readonly upTo: boolean
  /** These four are there for a known asset only; nothing is assumed of another. */
  readonly symbol?: string
  readonly currency?: string
  readonly decimals?: number
  /** Exact decimal, in whole units of the asset. */
  readonly price?: string
}

export type EntryReading =
  | { readonly payment: Payment; readonly notes: readonly string[] }
  | { readonly problems: readonly string[] }

/** No chain counts in more than 256 bits. */
const MAX_AMOUNT_DIGITS = 78
const MAX_TEXT = 256

/** @param where the entry's place, such as `accepts[0]`, for the sentences */
export function readEntry(entry: unknown, where: string, version: 1 | 2): EntryReading {
  if (!isRecord(entry)) return { problems: [`${where} must be an object.`] }
  const problems: string[] = []
  const notes: string[] = []
  const text = (name: string): string => {
    const value = entry[name]
    if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT) return value.trim()
    problems.push(`${where}.${name} must be text; ${shown(value)}.`)
    return ''
  }
  const scheme = text('scheme')
  const network = text('network')
  const payTo = text('payTo')
  const asset = text('asset')
  const amount = readAmount(entry, where, version)
  if ('problem' in amount) problems.push(amount.problem)
  else notes.push(...amount.notes)
  if (problems.length > 0 || 'problem' in amount) return { problems }

  if (version === 2 && !network.includes(':'))
    notes.push(
      `${where}.network should be a CAIP-2 id such as "eip155:8453" in version 2; ${shown(network)}.`,
    )
  const known = findAsset(network, asset)
  const worth = known && {
    symbol: known.symbol,
    currency: known.currency,
    decimals: known.decimals,
    price: toDecimal(amount.value, known.decimals),
  }
  const upTo = scheme.toLowerCase() === 'upto'
  const chain = chainKey(network)
  return { payment: { scheme, network, chain, payTo, asset, amount: amount.value, upTo, ...worth }, notes }
}

type Amount = { readonly value: bigint; readonly notes: readonly string[] } | { readonly problem: string }

/** Version 1 says `maxAmountRequired`, version 2 `amount`; servers that changed over halfway mix them. */
function readAmount(entry: Readonly<Record<string, unknown>>, where: string, version: 1 | 2): Amount {
  const names = version === 1 ? ['maxAmountRequired', 'amount'] : ['amount', 'maxAmountRequired']
  const name = names.find(candidate => entry[candidate] !== undefined) ?? names[0]!
  const value = entry[name]
  const place = `${where}.${name}`
  const notes =
    name === names[0]
      ? []
      : [`${place} is the name of the other version; version ${version} says ${names[0]}.`]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
    return {
      value: BigInt(value),
      notes: [...notes, `${place} should be an integer string; it is the number ${value}.`],
    }
  if (typeof value === 'string' && /^\d+$/.test(value.trim()) && value.trim().length <= MAX_AMOUNT_DIGITS)
    return { value: BigInt(value.trim()), notes }
  return {
    problem: `${place} must be an integer string of the asset's smallest units, such as "2500"; ${shown(value)}.`,
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: unknown): string =>
  value === undefined ? 'it is missing' : `it is ${shownValue(value)}`
