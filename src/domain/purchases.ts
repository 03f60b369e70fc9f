// A purchase: what was quoted, reserved and signed, what came of it, and how that is told. No signature is ever part of it.
import type { Message } from '../messages/message.ts'
import type { SignerRole } from './terms.ts'

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
 * and nothing can be. unknown: nobody can say whether it was used. All but what is released counts against the caps.
 */
export const PURCHASE_STATES = ['reserved', 'signed', 'settled', 'released', 'unknown'] as const
export type PurchaseState = (typeof PURCHASE_STATES)[number]

export const CONFORMANCES = ['as_declared', 'not_as_declared', 'nothing_declared', 'unread'] as const

/** What came back for the payment, without its content. */
export type AnswerEvidence = {
  /** null where no answer came. */
  readonly status: number | null
  readonly latencyMs: number
  readonly bytes: number
  readonly contentType: string | null
  /** Of the body as it was read, in hexadecimal. */
  readonly sha256: string | null
  readonly conformance: (typeof CONFORMANCES)[number]
  /** Where the result of a tool says that it is an error, whatever the status. */
  readonly isError?: true
  /** What the answer itself says of the settlement. */
  readonly settlement: 'claimed' | 'denied' | 'absent'
  /** The transaction that it names. */
  readonly claimed: string | null
  /** Where it asks for a payment once more. */
  readonly second: { readonly amount: string; readonly payTo: string; readonly isSame: boolean } | null
  /** What it says that it charged, where that is not what was signed. */
  readonly chargedOther: string | null
  readonly reasons: readonly Message[]
}

export const RECEIPT_RESULTS = ['valid', 'invalid', 'absent'] as const

/** A receipt that the seller signed, and what was found of it. */
export type ReceiptEvidence = {
  readonly valid: boolean
  readonly signer: string | null
  readonly speaksFor: SignerRole | null
  readonly reason: Message
  /** As it came, where it is valid: whoever doubts can verify it again. */
  readonly signed: SignedReceipt | null
}

/** As the extension has it: the payload of a JWS is inside its signature. */
export type SignedReceipt = {
  readonly format: 'eip712' | 'jws'
  readonly payload?: Record<string, unknown>
  readonly signature: string
}

/** The blocks of Solana in which a transaction can be used: after the slot, up to the one of this height. */
export type Lifetime = { readonly slot: number; readonly lastBlock: number }

/** What is told of a purchase besides the columns that are searched by. */
export type PurchaseDetail = {
  readonly url: string
  readonly method: string
  /** Where it is a tool of an MCP server. */
  readonly tool?: string
  /** Of the listing that it was bought through. */
  readonly endpoint?: string
  /** Where somebody else than the seller has listed it. */
  readonly isByStranger?: true
  readonly x402Version: 1 | 2
  /** In whole units of the asset, and what one of them stands for. */
  readonly price: string
  readonly currency: string
  /** Where the request was made up here, and is no example of the service's own. */
  readonly isMadeUp?: true
  /** Where it is paid by a transaction. */
  readonly lifetime?: Lifetime
  readonly answer?: AnswerEvidence
  /** undefined where no receipt came. */
  readonly receipt?: ReceiptEvidence
  readonly reasons: readonly Message[]
}

export type Purchase = {
  readonly id: string
  /** One payment for each: unique among all that are not released. */
  readonly purpose: string
  readonly serviceId: string | null
  /** The registrable domain that is paid, without a port. */
  readonly host: string
  /** When it was reserved: ISO 8601 UTC. */
  readonly at: string
  readonly state: PurchaseState
  /** What counts against the caps. */
  readonly microUsd: number
  readonly chain: string
  readonly asset: string
  readonly payTo: string
  readonly payer: string
  /** Quoted, in the smallest units. */
  readonly amount: string
  /** Of the authorization, or the hash of the message of a transaction, by which the chain can be asked. */
  readonly nonce: string | null
  /** Seconds since 1970 after which it cannot be used; of a transaction an estimate, which decides nothing. */
  readonly validBefore: number | null
  /** Taken, in the smallest units; null where a node of our own has not seen it. */
  readonly charged: string | null
  readonly transaction: string | null
  /** null while it is not known. */
  readonly outcome: PurchaseOutcome | null
  readonly detail: PurchaseDetail
}

/** What a ledger holds of a span of time. */
export type PurchaseFigures = {
  /** What counts against the caps, in millionths of a dollar. */
  readonly microUsd: number
  /** Of those whose outcome is known. */
  readonly outcomes: Readonly<Record<PurchaseOutcome, number>>
  /** Reserved or signed, however old. */
  readonly open: number
}

export const toFigures = (
  microUsd: number,
  open: number,
  counted: readonly (readonly [outcome: string, count: number])[],
): PurchaseFigures => ({
  microUsd,
  open,
  outcomes: Object.fromEntries(
    PURCHASE_OUTCOMES.map(outcome => [outcome, counted.find(([name]) => name === outcome)?.[1] ?? 0]),
  ) as PurchaseFigures['outcomes'],
})

export interface PurchaseMeter {
  /** In millionths of a dollar, within any 24 hours. */
  readonly perDay: number
  /** What this process did not buy, by the code of the reason. */
  readonly refused: ReadonlyMap<string, number>
  /** Of the last 24 hours, over all processes. */
  figures(): Promise<PurchaseFigures>
}

/** Ids that sort by age, like those of services. @param newId of services */
export const toPurchaseId = (serviceId: string): string => `pur_${serviceId.slice('svc_'.length)}`
