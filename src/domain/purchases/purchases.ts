// Purchases: the record, its outcomes, and the caps per call, and per service, seller and in total within any 24 hours. Pure; the stores
// sum up what was spent.

import { type Message, say } from '../../messages/message.ts'
import { accountOf, addressKey } from '../chains/addresses.ts'
import { chainKey } from '../chains/chains.ts'
import { endpointHost, registrableDomain } from '../hosts/endpoint.ts'
import { fromMicroDollars } from '../money/money.ts'
import { DAY_MS } from '../time.ts'

/** In micro-dollars (millionths of a dollar). */
export type Caps = {
  readonly perCall: number
  readonly perService: number
  /** For one registrable domain, and for one payee: a seller may have many ports, names and listings. */
  readonly perHost: number
  readonly perDay: number
}

/** Spent or reserved within the window, in micro-dollars. */
type Spent = {
  readonly service: number
  readonly host: number
  readonly payee: number
  readonly day: number
}

export type ExceededCap = {
  /** key: the budget of an API key, which its directory keeps. */
  readonly cap: 'call' | 'service' | 'host' | 'payee' | 'day' | 'key'
  readonly spent: number
  readonly max: number
}

/** A sliding window and not a calendar day: around midnight twice the cap could be spent within minutes. */
export const CAP_WINDOW_MS = DAY_MS

/** @returns the first cap that would be exceeded */
export function findExceededCap(amount: number, spent: Spent, caps: Caps): ExceededCap | undefined {
  const all: readonly ExceededCap[] = [
    { cap: 'call', spent: 0, max: caps.perCall },
    { cap: 'service', spent: spent.service, max: caps.perService },
    { cap: 'host', spent: spent.host, max: caps.perHost },
    { cap: 'payee', spent: spent.payee, max: caps.perHost },
    { cap: 'day', spent: spent.day, max: caps.perDay },
  ]
  return all.find(({ spent, max }) => !(spent + amount <= max))
}

/** @param usd the requested amount */
export const toCapMessage = ({ cap, spent, max }: ExceededCap, usd: string): Message =>
  say('cap_passed', { cap, asked: usd, spent: fromMicroDollars(spent), most: fromMicroDollars(max) })

// A purchase: quote, reservation, signature and outcome. It never contains a signature.

export const PURCHASE_OUTCOMES = [
  'delivered',
  'delivered_not_as_declared',
  'refused_after_payment',
  'charged_other',
  'settled_silent',
  'not_settled',
] as const
export type PurchaseOutcome = (typeof PURCHASE_OUTCOMES)[number]

/**
 * reserved: nothing is signed. signed: an authorization exists and may be used. settled: it was used. released: nothing was taken,
 * and nothing can be. unknown: whether it was used cannot be determined. All but released ones count against the caps.
 */
export const PURCHASE_STATES = ['reserved', 'signed', 'settled', 'released', 'unknown'] as const
export type PurchaseState = (typeof PURCHASE_STATES)[number]

export const CONFORMANCES = ['as_declared', 'not_as_declared', 'nothing_declared', 'unread'] as const

/** The response to the payment, without its content. */
export type AnswerEvidence = {
  /** null if there was no response. */
  readonly status: number | null
  readonly latencyMs: number
  readonly bytes: number
  readonly contentType: string | null
  /** Of the received body, in hexadecimal. */
  readonly sha256: string | null
  readonly conformance: (typeof CONFORMANCES)[number]
  /** Set if the result of a tool is marked as an error, whatever the status. */
  readonly isError?: true
  /** What the response itself states about the settlement. */
  readonly settlement: 'claimed' | 'denied' | 'absent'
  /** The transaction that it names. */
  readonly claimed: string | null
  /** Set where it requests a payment once more. */
  readonly second: { readonly amount: string; readonly payTo: string; readonly isSame: boolean } | null
  /** The amount that it claims to have charged, where that differs from the signed one. */
  readonly chargedOther: string | null
  readonly reasons: readonly Message[]
}

/** The Solana blocks in which a transaction is valid: after the slot, up to the block of this height. */
export type Lifetime = { readonly slot: number; readonly lastBlock: number }

/** The part of a purchase that is not in searchable columns. */
export type PurchaseDetail = {
  /** The requested URL; of a payer's purchase, the listed endpoint. */
  readonly url: string
  /** Unknown of a payer's purchase, like all that is optional here. */
  readonly method?: string
  /** Set for a tool of an MCP server. */
  readonly tool?: string
  /** Of method, URL, headers and body. */
  readonly requestDigest?: string
  /** Endpoint of the listing through which it was bought. */
  readonly endpoint?: string
  readonly x402Version?: 1 | 2
  /** In whole units of the asset, and the currency of one unit. */
  readonly price: string
  readonly currency: string
  /** Set where values of the request were made up here, and are not examples of the service. */
  readonly isMadeUp?: true
  /** Set if it is paid by a transaction. */
  readonly lifetime?: Lifetime
  readonly answer?: AnswerEvidence
  /** Of a peer's purchase: the address of that directory. */
  readonly from?: string
  readonly reasons: readonly Message[]
}

/**
 * operator: bought by this directory itself, and the only kind that counts. payer: reported by the wallet that paid. peer: bought by a
 * directory that this one follows.
 */
export const PURCHASE_SOURCES = ['operator', 'payer', 'peer'] as const
export type PurchaseSource = (typeof PURCHASE_SOURCES)[number]

export type Purchase = {
  readonly id: string
  readonly source: PurchaseSource
  /** What the payment is for, or which payment is reported: unique among all purchases that are not released. */
  readonly purpose: string
  readonly serviceId: string | null
  /** The registrable domain of the seller, without a port. */
  readonly host: string
  /** When it was reserved or reported: ISO 8601 UTC. */
  readonly at: string
  readonly state: PurchaseState
  /** The amount that counts against the caps. */
  readonly microUsd: number
  readonly chain: string
  readonly asset: string
  readonly payTo: string
  readonly payer: string
  /** Quoted, in the smallest units. */
  readonly amount: string
  /** Of the authorization, or the hash of the transaction message; the key for looking it up on chain. */
  readonly nonce: string | null
  /** Seconds since 1970 after which it is invalid; for a transaction an estimate that decides nothing. */
  readonly validBefore: number | null
  /** Taken, in the smallest units; null if our own node has not seen it. */
  readonly charged: string | null
  readonly transaction: string | null
  /** null until it is known. */
  readonly outcome: PurchaseOutcome | null
  readonly detail: PurchaseDetail
}

export type PeerPurchase = Purchase & { readonly source: 'peer'; readonly serviceId: string }

/** The number of purchases with each outcome; of payers the newest report of each counts. */
export type OutcomeSums = Readonly<Partial<Record<PurchaseOutcome, number>>>

/** Ids that sort by age, like those of services. @param serviceId a new id of a service */
export const toPurchaseId = (serviceId: string): string => `pur_${serviceId.slice('svc_'.length)}`

/** The account that is paid. One key holds the same address on every chain of its family: another network is not another payee. */
export const payeeOf = (address: string, network: string): string =>
  accountOf(address, network) ?? `${chainKey(network)} ${addressKey(address, network)}`

/** The domain of the seller: ports and names below a domain cost nothing, and do not make another seller. */
export const sellingDomain = (url: string): string => registrableDomain(endpointHost(url))
