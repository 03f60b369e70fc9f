// The ledger of purchases: what is reserved, signed and spent, over all processes on a store. Part of the Store interface.
import { CAP_WINDOW_MS, type CapPassed, type Caps, type Spent } from '../domain/caps.ts'
import type { EvidenceSource } from '../domain/delivery-evidence.ts'
import { sellingDomain, toPurchasePlaces } from '../domain/purchase-places.ts'
import type {
  Purchase,
  PurchaseDetail,
  PurchaseFigures,
  PurchaseOutcome,
  PurchaseState,
} from '../domain/purchases.ts'
import { readMessage, readMessages } from '../messages/message.ts'
import type { Row, Value } from './rows.ts'

/** What is known of a purchase from now on. */
export type Conclusion = {
  /** signed: only what was answered is kept, and the authorization may still be used. */
  readonly state: Exclude<PurchaseState, 'reserved'>
  readonly charged: string | null
  readonly transaction: string | null
  readonly outcome: PurchaseOutcome | null
  readonly detail: PurchaseDetail
}

export type ReserveProblem = ({ readonly kind: 'cap' } & CapPassed) | PurposeTaken
type PurposeTaken = { readonly kind: 'purpose'; readonly id: string }

export type PurchasesQuery = {
  readonly serviceId?: string | undefined
  readonly limit: number
  /** Id of the last one of the page before. */
  readonly before?: string | undefined
}

export type EvidenceQuery = EvidenceSource & Omit<PurchasesQuery, 'serviceId'>

export interface PurchaseTable {
  /**
   * Keeps a purchase that is reserved, in one step with counting what lies within 24 hours of it or later. Resolves to what stands
   * in the way, and keeps nothing, where a cap would be passed or a purchase for the same purpose is not released.
   */
  reserve(purchase: Purchase, caps: Caps): Promise<ReserveProblem | undefined>
  /**
   * From reserved to signed. Resolves to false where it is not reserved any more, or another one was signed with the same nonce: then
   * nothing may be signed. A chain would take only one of the two.
   */
  sign(id: string, nonce: string, validBefore: number): Promise<boolean>
  /** Resolves to false, and keeps nothing, where it is neither reserved nor signed any more. */
  conclude(id: string, conclusion: Conclusion): Promise<boolean>
  find(id: string): Promise<Purchase | undefined>
  /** Those that are reserved or signed, oldest first, after the given id. */
  open(limit: number, after?: string): Promise<Purchase[]>
  /** Newest first. */
  list(query: PurchasesQuery): Promise<Purchase[]>
  /** Those of a service, and those at its place that were paid to its payee and have an outcome. Newest first. */
  evidence(query: EvidenceQuery): Promise<Purchase[]>
  /** What counts against the caps since then. */
  spent(since: Date): Promise<{ readonly microUsd: number; readonly count: number }>
  /** The same, with how many ended in which way since then, and how many are open. */
  figures(since: Date): Promise<PurchaseFigures>
  /** When the payee of each of these services was last paid at its places, through whichever listing, by the id of the service. */
  lastOf(sources: readonly EvidenceSource[]): Promise<Map<string, string>>
}

export const PURCHASE_COLUMNS = [
  'id',
  'purpose',
  'service_id',
  'host',
  'at',
  'state',
  'micro_usd',
  'chain',
  'asset',
  'pay_to',
  'payer',
  'amount',
  'nonce',
  'valid_before',
  'charged',
  'tx_hash',
  'outcome',
  'detail',
] as const

/** Made from the others; a purchase does not carry them. */
export const PLACE_COLUMNS = ['payee', 'place', 'listed_place'] as const

export const INSERT_COLUMNS = [...PURCHASE_COLUMNS, ...PLACE_COLUMNS]

/** What says anything about who is paid there. */
export const IS_JUDGED = "outcome IS NOT NULL AND outcome <> 'not_settled'"

/** Two lists, newest first, as one. */
export const merged = (own: readonly Purchase[], others: readonly Purchase[], limit: number): Purchase[] =>
  [...new Map([...own, ...others].map(each => [each.id, each])).values()]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)

type Placed = Pick<Purchase, 'chain' | 'payTo' | 'detail'>

export function toPlaceValues(purchase: Placed): string[] {
  const { payee, place, listedPlace } = toPurchasePlaces(purchase)
  return [payee, place, listedPlace]
}

/** Of a row that was written when it had none of the places, and the host with its port. */
export const toPresentPlaces = (purchase: Placed): [host: string, ...places: string[]] => [
  sellingDomain(purchase.detail.url),
  ...toPlaceValues(purchase),
]

export const toPurchaseRow = (purchase: Purchase): Value[] => [
  purchase.id,
  purchase.purpose,
  purchase.serviceId,
  purchase.host,
  purchase.at,
  purchase.state,
  purchase.microUsd,
  purchase.chain,
  purchase.asset,
  purchase.payTo,
  purchase.payer,
  purchase.amount,
  purchase.nonce,
  purchase.validBefore,
  purchase.charged,
  purchase.transaction,
  purchase.outcome,
  JSON.stringify(purchase.detail),
  ...toPlaceValues(purchase),
]

/** @param parse of a JSON value as the engine returns it */
export function toPurchase(row: Row | readonly unknown[], parse: (value: unknown) => unknown): Purchase {
  const [id, purpose, serviceId, host, at, state, microUsd, chain, asset, payTo, payer, amount] =
    row as unknown as readonly never[]
  const [nonce, validBefore, charged, transaction, outcome, detail] = row.slice(
    12,
  ) as unknown as readonly never[]
  return {
    id: id!,
    purpose: purpose!,
    serviceId: serviceId!,
    host: host!,
    at: at!,
    state: state!,
    microUsd: Number(microUsd),
    chain: chain!,
    asset: asset!,
    payTo: payTo!,
    payer: payer!,
    amount: amount!,
    nonce: nonce!,
    validBefore: validBefore === null ? null : Number(validBefore),
    charged: charged!,
    transaction: transaction!,
    outcome: outcome!,
    detail: readDetail(parse(detail)),
  }
}

function readDetail(kept: unknown): PurchaseDetail {
  const { answer, receipt, reasons, ...detail } = kept as PurchaseDetail
  return {
    ...detail,
    ...(answer && { answer: { ...answer, reasons: readMessages(answer.reasons) } }),
    ...(receipt && { receipt: { ...receipt, reason: readMessage(receipt.reason) } }),
    reasons: readMessages(reasons),
  }
}

/** @param sums as both engines select them */
export const toSpent = ([day, host, service, payee]: readonly number[]): Spent => ({
  day: day!,
  host: host!,
  service: service!,
  payee: payee!,
})

/** What is dated later counts too: a clock that was ahead must not make room. */
export const windowStart = (at: string): string => new Date(Date.parse(at) - CAP_WINDOW_MS).toISOString()

/** Two that are signed alike are signed within minutes: no older ones have to be looked at. */
export const nonceStart = (validBefore: number): string =>
  new Date(validBefore * 1_000 - CAP_WINDOW_MS).toISOString()

const OPEN = "state IN ('reserved', 'signed')"

/** Sums and open ones in the first row, then one for each outcome. @param place writes the nth parameter: since */
export const toFiguresSql = (place: (n: number) => string): readonly [sums: string, outcomes: string] => [
  `SELECT coalesce(sum(micro_usd), 0), (SELECT count(*) FROM purchases WHERE ${OPEN})
   FROM purchases WHERE at > ${place(1)} AND state <> 'released'`,
  `SELECT outcome, count(*) FROM purchases WHERE at > ${place(1)} AND outcome IS NOT NULL GROUP BY outcome`,
]
