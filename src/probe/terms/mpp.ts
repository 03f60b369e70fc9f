/**
 * Reads MPP challenges (`WWW-Authenticate: Payment …`, draft-ryan-httpauth-payment, and its form over MCP) into the form of x402 payment
 * requirements: a pure function that never throws. A charge that some client may be able to pay, and that cannot be read here, is unread.
 */

import { familyOf, isWalletFamily } from '../../domain/chains/addresses.ts'
import { isRecord, type JsonRecord } from '../../domain/json.ts'
import { toDecimal } from '../../domain/money/money.ts'
import type { Word } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'
import { ambiguousKey, cleanName } from '../untrusted.ts'
import {
  type ParsedRequirements,
  readEntry,
  type Split,
  type UnreadRequirements,
} from './payment-requirements.ts'

export type MppReading = {
  readonly payments: readonly ParsedRequirements[]
  readonly unread: readonly UnreadRequirements[]
  /** Sessions, subscriptions and other intents, like `tempo/session`. They prove nothing. */
  readonly others: readonly string[]
  readonly notes: readonly Message[]
}

export const NO_CHALLENGES: MppReading = { payments: [], unread: [], others: [], notes: [] }

type Challenge = MppReading | { readonly fault: Word<'challenge_fault'> }

/** A quoted string, in which anything may follow a backslash. */
const QUOTED = /"[^"\\]*(?:\\.[^"\\]*)*"/g
/** What begins a challenge where header lines were joined, and a quote of the line before is open. */
const HIDDEN = /,\s*payment\s+[\w-]+\s*=/i
const SCHEME = /(?<=^|[\s,])payment(?=[\s,]|$)/gi
/** A parameter, quoted or not, with the comma after it. */
const PARAMETER = /\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s",]*))\s*(?:,[\s,]*|$)/y
/** The next scheme, with or without a value. */
const OTHER_SCHEME = /\s*[\w!#$%&'*+.^`|~-]+(?=[\s,]|$)/y

/** @param header all lines joined by commas: each may have several challenges, of several schemes */
export function readChallengeHeader(header: string): MppReading {
  const masked = header.replace(QUOTED, text => '\0'.repeat(text.length))
  if (masked.includes('"') || [...header.matchAll(QUOTED)].some(([text]) => HIDDEN.test(text)))
    return /payment/i.test(header) ? readAll([{ fault: 'syntax' }]) : readAll([])
  const starts = [...masked.matchAll(SCHEME)].map(({ index }) => index)
  const challenges = starts.map((start, i) => header.slice(start + 'payment'.length, starts[i + 1]))
  return readAll(
    challenges.map(readParameters).filter(found => 'fault' in found || Object.keys(found).length > 0),
  )
}

/** @param challenges as messages over MCP contain them: objects, with the request as an object */
export const readChallenges = (challenges: readonly unknown[]): MppReading =>
  readAll(challenges.map(challenge => (isRecord(challenge) ? challenge : { fault: 'syntax' as const })))

function readAll(found: readonly (JsonRecord | { readonly fault: Word<'challenge_fault'> })[]): MppReading {
  const read = found.map((each, i) => {
    const place = `Payment[${i}]`
    const challenge =
      'fault' in each ? (each as { fault: Word<'challenge_fault'> }) : readChallenge(each, place)
    if (!('fault' in challenge)) return challenge
    const problems = [say('challenge_unreadable', { place, fault: challenge.fault })]
    return { ...NO_CHALLENGES, unread: [{ chain: null, problems, isComplete: true }] }
  })
  return {
    payments: read.flatMap(({ payments }) => payments),
    unread: read.flatMap(({ unread }) => unread),
    others: [...new Set(read.flatMap(({ others }) => others))],
    notes: read.flatMap(({ notes }) => notes),
  }
}

function readParameters(text: string): JsonRecord | { readonly fault: 'syntax' } {
  const parameters: Record<string, string> = Object.create(null)
  for (let at = /^[\s,]*/.exec(text)![0].length; at < text.length; ) {
    PARAMETER.lastIndex = OTHER_SCHEME.lastIndex = at
    const [whole, name = '', quoted, bare] = PARAMETER.exec(text) ?? []
    if (whole === undefined) return OTHER_SCHEME.test(text) ? parameters : { fault: 'syntax' }
    const key = name.toLowerCase()
    // Clients take the first or the last, and read an escape in the decisive parameters differently.
    if (key in parameters || (DECISIVE.includes(key) && quoted?.includes('\\'))) return { fault: 'syntax' }
    parameters[key] = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? ''
    at += whole.length
  }
  return parameters
}

const DECISIVE = ['method', 'intent', 'request']
const METHOD = /^[a-z][a-z0-9:_-]{0,63}$/
/** As the official client accepts. */
const MAX_REQUEST = 16_384

function readChallenge({ id, realm, method, intent, request }: JsonRecord, place: string): Challenge {
  const name = typeof method === 'string' ? method.trim().toLowerCase() : ''
  if (typeof intent !== 'string' || !METHOD.test(name)) return { fault: 'parameters' }
  if (intent.trim().toLowerCase() !== 'charge')
    return { ...NO_CHALLENGES, others: [cleanName(`${name}/${intent}`) ?? `${name}/…`] }
  if ([id, realm].some(text => typeof text !== 'string' || text === '')) return { fault: 'parameters' }
  const decoded = isRecord(request) ? request : decodeRequest(request)
  if ('fault' in decoded) return decoded as { fault: 'request' }
  return readCharge(name, decoded, `${place}.request`)
}

/** Base64url of JSON, without white space; the other alphabet and padding are accepted, as by clients. */
function decodeRequest(request: unknown): JsonRecord | { readonly fault: 'request' } {
  if (typeof request !== 'string' || request.length > MAX_REQUEST || !/^[\w+/-]+={0,2}$/.test(request))
    return { fault: 'request' }
  try {
    const json = Buffer.from(request, 'base64url').toString()
    const value: unknown = JSON.parse(json)
    return isRecord(value) && ambiguousKey(json, 'request') === undefined ? value : { fault: 'request' }
  } catch {
    return { fault: 'request' }
  }
}

/** By method: the network that the details name, and the field that names it. Others pay on the chain of their name, or by a processor. */
const ON_CHAIN: Readonly<
  Record<string, (details: JsonRecord) => readonly [network: unknown, field: string]>
> = {
  evm: ({ chainId }) => [toNetwork('eip155', chainId), 'methodDetails.chainId'],
  // The specification and the official client disagree about the chain that is meant where none is named.
  tempo: ({ chainId }) => [toNetwork('eip155', chainId), 'methodDetails.chainId'],
  solana: ({ network }) => [toNetwork('solana', network ?? 'mainnet'), 'methodDetails.network'],
}

/** Undefined for anything but a text or a number: a list nested without end cannot be made a text. */
const toNetwork = (family: string, reference: unknown): string | undefined =>
  typeof reference === 'string' || typeof reference === 'number' ? `${family}:${reference}` : undefined

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Of a currency as processors count it; undefined if it is not known. */
const decimalsOf = (currency: string): number | undefined =>
  CURRENCIES.has(currency)
    ? new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
    : undefined

function readCharge(method: string, request: JsonRecord, place: string): Challenge {
  const details = isRecord(request.methodDetails) ? request.methodDetails : {}
  const onChain = Object.hasOwn(ON_CHAIN, method) ? ON_CHAIN[method] : undefined
  // Another method with the name of such a chain would count as a payment there, although no client makes it.
  if (!onChain && isWalletFamily(familyOf(method))) return { fault: 'parameters' }
  const [network, field] = onChain?.(details) ?? [method, 'method']
  const entry = {
    scheme: 'charge',
    network,
    payTo: request.recipient ?? (onChain ? undefined : method),
    asset: request.currency,
    amount: request.amount,
    extra: { ...details, method },
  }
  const read = readEntry(entry, place, 2, { network: field, payTo: 'recipient', asset: 'currency' })
  if ('problems' in read) return { ...NO_CHALLENGES, unread: [{ ...read, isComplete: true }] }
  const splits = readSplits(details.splits, read.payment.amount)
  if (!splits) return { fault: 'splits' }
  const currency = read.payment.asset.toUpperCase()
  const decimals = onChain ? undefined : decimalsOf(currency)
  const fiat =
    decimals === undefined
      ? {}
      : { symbol: currency, currency, decimals, price: toDecimal(read.payment.amount, decimals) }
  const payment = { ...read.payment, ...fiat, protocol: 'mpp' as const, ...(splits.length > 0 && { splits }) }
  const notes = read.notes.filter(({ code }) => code !== 'network_not_caip2')
  return { ...NO_CHALLENGES, payments: [payment], notes }
}

const MAX_SPLITS = 10

/** @returns undefined if a client would refuse them: the rest of the amount, which must be more than nothing, is for the recipient */
function readSplits(splits: unknown, amount: bigint): readonly Split[] | undefined {
  if (splits === undefined || splits === null) return []
  if (!Array.isArray(splits) || splits.length === 0 || splits.length > MAX_SPLITS) return undefined
  const read = splits.flatMap((split): Split[] => {
    const { recipient, amount } = isRecord(split) ? split : {}
    const isWhole =
      typeof recipient === 'string' && typeof amount === 'string' && /^0*[1-9]\d{0,77}$/.test(amount)
    return isWhole ? [{ payTo: recipient.trim(), amount: BigInt(amount) }] : []
  })
  const sum = read.reduce((sum, split) => sum + split.amount, 0n)
  return read.length === splits.length && sum < amount ? read : undefined
}
