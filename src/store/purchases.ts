// The ledger of purchases that are reserved, signed and paid, over all processes on a store. Part of the Store interface.
import { CAP_WINDOW_MS, type Caps, type ExceededCap, type Spent } from '../domain/purchases/caps.ts'
import { sellingDomain, toPurchasePlaces } from '../domain/purchases/purchase-places.ts'
import type {
  Purchase,
  PurchaseDetail,
  PurchaseFigures,
  PurchaseOutcome,
  PurchaseState,
} from '../domain/purchases/purchases.ts'
import type { EvidenceSource } from '../domain/standing/delivery-evidence.ts'
import { readMessages } from '../messages/message.ts'
import type { Row, Value } from './rows.ts'

/** The result of a purchase. */
export type Conclusion = {
  /** signed: only the response is stored, and the authorization may still be used. */
  readonly state: Exclude<PurchaseState, 'reserved'>
  readonly charged: string | null
  readonly transaction: string | null
  readonly outcome: PurchaseOutcome | null
  readonly detail: PurchaseDetail
}

export type ReserveProblem = ({ readonly kind: 'cap' } & ExceededCap) | PurposeTaken
type PurposeTaken = { readonly kind: 'purpose'; readonly id: string }

export type PurchasesQuery = {
  readonly serviceId?: string | undefined
  readonly limit: number
  /** Id of the last purchase of the previous page. */
  readonly before?: string | undefined
}

export type EvidenceQuery = EvidenceSource & Omit<PurchasesQuery, 'serviceId'>

export interface PurchaseTable {
  /**
   * Stores a reserved purchase, in one transaction with summing those from 24 hours before it on. Resolves to the problem and stores
   * nothing if it would exceed a cap, or if a purchase for the same purpose is not released.
   */
  reserve(purchase: Purchase, caps: Caps): Promise<ReserveProblem | undefined>
  /**
   * From reserved to signed. Resolves to false if it is no longer reserved or if another purchase was signed with the same nonce; the
   * caller must then sign nothing. A chain accepts only one payment per nonce.
   */
  sign(id: string, nonce: string, validBefore: number): Promise<boolean>
  /** Resolves to false and stores nothing if it is neither reserved nor signed. */
  conclude(id: string, conclusion: Conclusion): Promise<boolean>
  find(id: string): Promise<Purchase | undefined>
  /** The purchase for a purpose that is not released. */
  findForPurpose(purpose: string): Promise<Purchase | undefined>
  /** Reserved and signed purchases, oldest first, after the given id. */
  open(limit: number, after?: string): Promise<Purchase[]>
  /** Newest first. */
  list(query: PurchasesQuery): Promise<Purchase[]>
  /** Purchases of a service, and judged ones at its places that were paid to its payee. Newest first. */
  evidence(query: EvidenceQuery): Promise<Purchase[]>
  /** What counts against the caps since the given time. */
  spent(since: Date): Promise<{ readonly microUsd: number; readonly count: number }>
  /** The same, with the number of purchases by outcome and of open ones. */
  figures(since: Date): Promise<PurchaseFigures>
  /** By service id: when its payee was last paid at its places, through any listing. */
  lastPaidAt(sources: readonly EvidenceSource[]): Promise<Map<string, string>>
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

/** Derived columns, which `Purchase` does not have. */
export const PLACE_COLUMNS = ['payee', 'place', 'listed_place'] as const

export const INSERT_COLUMNS = [...PURCHASE_COLUMNS, ...PLACE_COLUMNS]

/** Purchases that are evidence about the seller. */
export const IS_JUDGED = "outcome IS NOT NULL AND outcome <> 'not_settled'"

/** Merges two lists, newest first, without duplicates. */
export const mergeNewest = (
  own: readonly Purchase[],
  others: readonly Purchase[],
  limit: number,
): Purchase[] =>
  [...new Map([...own, ...others].map(each => [each.id, each])).values()]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)

type Placed = Pick<Purchase, 'chain' | 'payTo' | 'detail'>

export function toPlaceValues(purchase: Placed): string[] {
  const { payee, place, listedPlace } = toPurchasePlaces(purchase)
  return [payee, place, listedPlace]
}

/** Host and places for a row from a version that stored no places, and the host with its port. */
export const toUpgradedPlaces = (purchase: Placed): [host: string, ...places: string[]] => [
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

/** @param parse parses a JSON column as the engine returns it */
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

function readDetail(value: unknown): PurchaseDetail {
  const { answer, reasons, ...detail } = value as PurchaseDetail
  return {
    ...detail,
    ...(answer && { answer: { ...answer, reasons: readMessages(answer.reasons) } }),
    reasons: readMessages(reasons),
  }
}

/** @param sums in the order that both engines select */
export const toSpent = ([day, host, service, payee]: readonly number[]): Spent => ({
  day: day!,
  host: host!,
  service: service!,
  payee: payee!,
})

/** The window is open-ended: purchases dated by a clock that was ahead count too. */
export const windowStart = (at: string): string => new Date(Date.parse(at) - CAP_WINDOW_MS).toISOString()

/** Purchases with the same nonce are signed within minutes of each other, so older ones need no check. */
export const nonceStart = (validBefore: number): string =>
  new Date(validBefore * 1_000 - CAP_WINDOW_MS).toISOString()

const OPEN = "state IN ('reserved', 'signed')"

/** The first statement sums and counts open purchases, the second counts by outcome. @param place writes the nth parameter: since */
export const toFiguresSql = (place: (n: number) => string): readonly [sums: string, outcomes: string] => [
  `SELECT coalesce(sum(micro_usd), 0), (SELECT count(*) FROM purchases WHERE ${OPEN})
   FROM purchases WHERE at > ${place(1)} AND state <> 'released'`,
  `SELECT outcome, count(*) FROM purchases WHERE at > ${place(1)} AND outcome IS NOT NULL GROUP BY outcome`,
]
