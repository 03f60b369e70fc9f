// Purchases: the ledger of those that are reserved, signed and paid here, over all processes on a store, and those that payers report.
// Part of the Store interface.
import { addressKey } from '../domain/chains/addresses.ts'
import { findAsset } from '../domain/chains/assets.ts'
import type { ServiceEvent } from '../domain/feed.ts'
import { placeOf } from '../domain/hosts/endpoint.ts'
import { toAtomicFloor } from '../domain/money/money.ts'
import {
  CAP_WINDOW_MS,
  type Caps,
  type ExceededCap,
  findExceededCap,
  type OutcomeSums,
  type PeerPurchase,
  PURCHASE_SOURCES,
  type Purchase,
  type PurchaseDetail,
  type PurchaseOutcome,
  type PurchaseSource,
  type PurchaseState,
  payeeOf,
} from '../domain/purchases/purchases.ts'
import type { EvidenceSource } from '../domain/standing/judge-delivery.ts'
import { readMessages } from '../messages/message.ts'
import { inColumn, json, type Query, type Session, Table, type Transaction, type Value } from './session.ts'

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
/** What caps are about. */
type CappedPayment = Pick<Purchase, 'at' | 'host' | 'serviceId' | 'microUsd' | 'chain' | 'payTo'>
type PurposeTaken = { readonly kind: 'purpose'; readonly id: string }

export type PurchasesQuery = {
  readonly serviceId?: string | undefined
  readonly limit: number
  /** Id of the last purchase of the previous page. */
  readonly before?: string | undefined
}

export type EvidenceQuery = EvidenceSource &
  Omit<PurchasesQuery, 'serviceId'> & {
    /** undefined: all. */
    readonly of?: PurchaseSource | undefined
  }

export interface PurchaseTable {
  /**
   * Stores a reserved purchase, in one transaction with summing those from 24 hours before it on. Resolves to the problem and stores
   * nothing if it would exceed a cap, or if a purchase for the same purpose is not released.
   */
  reserve(purchase: Purchase, caps: Caps): Promise<ReserveProblem | undefined>
  /** The cap that it would exceed; a reservation looks again. */
  findExceeded(payment: CappedPayment, caps: Caps): Promise<ExceededCap | undefined>
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
  /** Own ones, newest first. */
  list(query: PurchasesQuery): Promise<Purchase[]>
  /** Purchases of a service, and own judged ones at its place that were paid to its payee. Newest first. */
  evidence(query: EvidenceQuery): Promise<Purchase[]>
  /** What counts against the caps since the given time. */
  spent(since: Date): Promise<{ readonly microUsd: number; readonly count: number }>
  /** By service id: when its payee was last paid at its place, through any listing. */
  lastPaidAt(sources: readonly EvidenceSource[]): Promise<Map<string, string>>
  /**
   * Stores what a payer reports together with its event, or resolves to the purchase already stored for the same payment. Of the reports
   * about the service it deletes those older than `forgetBefore`, except the newest `MAX_REPORTS`.
   */
  report(
    purchase: Purchase & { readonly serviceId: string },
    event: ServiceEvent,
    forgetBefore: Date,
  ): Promise<Purchase>
  /** Of reports and of purchases of peers, without those from before `since`. */
  outcomeSums(serviceId: string, source: 'payer' | 'peer', since?: string): Promise<OutcomeSums>
  /** Stores purchases of peers that are not stored yet. Of those of a service it keeps the newest `MAX_REPORTS`. */
  takeOver(purchases: readonly PeerPurchase[]): Promise<void>
  /** Own ones with a known outcome, oldest first, after the given id. Ends before the first whose outcome may still become known. */
  concluded(limit: number, after?: string): Promise<Purchase[]>
}

/** Reports retained per service. */
const MAX_REPORTS = 500

const PURCHASES = new Table<Purchase>(
  'purchases',
  {
    id: true,
    source: true,
    purpose: true,
    serviceId: true,
    host: true,
    at: true,
    state: true,
    microUsd: true,
    chain: true,
    asset: true,
    payTo: true,
    payer: true,
    amount: true,
    nonce: true,
    validBefore: true,
    charged: true,
    transaction: inColumn('tx_hash'),
    outcome: true,
    detail: json(readDetail),
  },
  {
    payee: ({ payTo, chain }) => payeeOf(payTo, chain),
    place: ({ detail }) => placeOf(detail.endpoint ?? detail.url),
  },
)

function readDetail({ answer, reasons, ...detail }: PurchaseDetail): PurchaseDetail {
  return {
    ...detail,
    ...(answer && { answer: { ...answer, reasons: readMessages(answer.reasons) } }),
    reasons: readMessages(reasons),
  }
}

/** The window is open-ended: purchases dated by a clock that was ahead count too. */
const windowStart = (at: string): string => new Date(Date.parse(at) - CAP_WINDOW_MS).toISOString()

/** Purchases with the same nonce are signed within minutes of each other, so older ones need no check. */
const nonceStart = (validBefore: number): string =>
  new Date(validBefore * 1_000 - CAP_WINDOW_MS).toISOString()

/** What this directory, or the user whose ledger it is, bought: only this counts against caps and in judgements. */
const OWN = "source = 'operator'"
const IS_OPEN = "state IN ('reserved', 'signed')"
const FOR_PURPOSE = "WHERE purpose = $1 AND state <> 'released'"
const OF_SERVICE = 'WHERE service_id = $1 AND source = $2 AND id < $3 ORDER BY id DESC LIMIT $4'

const sumOf = (condition: string) =>
  `CAST(coalesce(sum(CASE WHEN ${condition} THEN micro_usd END), 0) AS bigint)`
const SPENT = `
  SELECT ${['true', 'host = $2', 'service_id = CAST($3 AS text)', 'payee = $4'].map(sumOf).join(', ')}
  FROM purchases WHERE ${OWN} AND at > $1 AND state <> 'released'`

async function findExceeded(
  query: Query,
  { at, host, serviceId, microUsd, chain, payTo }: CappedPayment,
  caps: Caps,
): Promise<ExceededCap | undefined> {
  const [sums] = await query<[number, number, number, number]>(SPENT, [
    ...[windowStart(at), host, serviceId, payeeOf(payTo, chain)],
  ])
  const [day, ofHost, ofService, ofPayee] = sums!
  return findExceededCap(microUsd, { day, host: ofHost, service: ofService, payee: ofPayee }, caps)
}

/** What every write touches: reserving sums over all purchases. */
const LEDGER = ['purchases']

/** $1 is the payee, $2 the place. */
const IS_AT = `${OWN} AND payee = $1 AND place = $2`

/** Purchases of a service, and own judged ones at its place: those that are evidence about the seller. May run in a transaction. */
export async function findEvidence(
  query: Query,
  { serviceId, payee, place, limit, before = '~', of }: EvidenceQuery,
): Promise<Purchase[]> {
  const judgedAt = `WHERE ${IS_AT} AND id < $3
    AND outcome IS NOT NULL AND outcome <> 'not_settled' ORDER BY id DESC LIMIT $4`
  const sources = PURCHASE_SOURCES.filter(source => of === undefined || source === of)
  const found = await Promise.all([
    ...sources.map(source => PURCHASES.select(query, OF_SERVICE, serviceId, source, before, limit)),
    ...(of === 'payer' || of === 'peer'
      ? []
      : [PURCHASES.select(query, judgedAt, payee, place, before, limit)]),
  ])
  return [...new Map(found.flat().map(each => [each.id, each])).values()]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)
}

const FORGET = `
  DELETE FROM purchases WHERE service_id = $1 AND source = $3 AND at < $2 AND id NOT IN (
    SELECT id FROM purchases WHERE service_id = $1 AND source = $3 ORDER BY id DESC LIMIT ${MAX_REPORTS})`

/** Of what payers report, the newest of each payer. */
const OUTCOME_SUMS = `
  SELECT outcome, count(*) FROM (
    SELECT outcome, row_number() OVER (PARTITION BY CASE source WHEN 'payer' THEN payer ELSE id END ORDER BY id DESC) AS nth
    FROM purchases WHERE service_id = $1 AND source = $2 AND at >= $3
  ) AS newest WHERE nth = 1 GROUP BY outcome`

const CONCLUDED = `
  WHERE ${OWN} AND outcome IS NOT NULL AND service_id IS NOT NULL AND id > $1
    AND id < coalesce((SELECT min(id) FROM purchases WHERE ${IS_OPEN}), '~')
  ORDER BY id LIMIT $2`

/** Of a peer's purchase: what was taken, where this directory has read its settlement too. What the peer names may be another amount. */
async function withSettlement(query: Query, purchase: Purchase): Promise<Purchase> {
  const { source, chain, transaction, asset, payTo, payer } = purchase
  const decimals = findAsset(chain, asset)?.decimals
  if (source !== 'peer' || transaction === null || decimals === undefined) return purchase
  const sql = `
    SELECT amount FROM payments WHERE chain = $1 AND tx_hash = $2 AND asset = $3 AND payee = $4 AND payer = $5
    ORDER BY log_index LIMIT 1`
  const keys = [transaction, asset, payTo, payer].map(each => addressKey(each, chain))
  const [seen] = await query<[string]>(sql, [chain, ...keys])
  return seen ? { ...purchase, charged: toAtomicFloor(seen[0], decimals) } : purchase
}

/** @param tell appends an event to a service, inside the transaction */
export function createPurchaseTable(
  session: Session,
  tell: (transaction: Transaction, serviceId: string, event: ServiceEvent) => Promise<unknown>,
): PurchaseTable {
  const find = (rest: string, ...values: Value[]): Promise<Purchase[]> =>
    session.read(query => PURCHASES.select(query, rest, ...values))
  const change = (sql: string, ...values: Value[]): Promise<boolean> =>
    session.write(LEDGER, async ({ query }) => (await query(sql, values)).count > 0)
  const lastAt = `SELECT max(at) FROM purchases WHERE ${IS_AT} AND state <> 'released'`
  return {
    // Under the write lock: two concurrent reservations must not both use the rest of a cap.
    reserve: (purchase, caps) =>
      session.write(LEDGER, async ({ query }) => {
        const [other, exceeded] = await Promise.all([
          PURCHASES.first(query, FOR_PURPOSE, purchase.purpose),
          findExceeded(query, purchase, caps),
        ])
        if (other) return { kind: 'purpose', id: other.id } as const
        if (exceeded) return { kind: 'cap', ...exceeded } as const
        await PURCHASES.insert(query, purchase)
        return undefined
      }),
    findExceeded: (payment, caps) => session.read(query => findExceeded(query, payment, caps)),
    sign: (id, nonce, validBefore) =>
      change(
        `UPDATE purchases SET state = 'signed', nonce = $2, valid_before = $3 WHERE id = $1 AND state = 'reserved'
           AND NOT EXISTS (SELECT 1 FROM purchases WHERE ${OWN} AND at > $4 AND nonce = $2)`,
        ...[id, nonce, validBefore, nonceStart(validBefore)],
      ),
    conclude: (id, { state, charged, transaction, outcome, detail }) =>
      change(
        `UPDATE purchases SET state = $2, charged = $3, tx_hash = $4, outcome = $5, detail = $6 WHERE id = $1 AND ${IS_OPEN}`,
        ...[id, state, charged, transaction, outcome, JSON.stringify(detail)],
      ),
    find: async id => (await find('WHERE id = $1', id))[0],
    findForPurpose: async purpose => (await find(FOR_PURPOSE, purpose))[0],
    open: (limit, after = '') => find(`WHERE ${IS_OPEN} AND id > $1 ORDER BY id LIMIT $2`, after, limit),
    list: ({ serviceId, limit, before = '~' }) =>
      serviceId === undefined
        ? find(`WHERE ${OWN} AND id < $1 ORDER BY id DESC LIMIT $2`, before, limit)
        : find(OF_SERVICE, serviceId, 'operator', before, limit),
    evidence: evidenceQuery =>
      session.read(async query => {
        const found = await findEvidence(query, evidenceQuery)
        return Promise.all(found.map(purchase => withSettlement(query, purchase)))
      }),
    concluded: (limit, after = '') => find(CONCLUDED, after, limit),
    spent: since =>
      session.read(async query => {
        const [row] = await query<[number, number]>(
          `SELECT ${sumOf('true')}, count(*) FROM purchases WHERE ${OWN} AND at > $1 AND state <> 'released'`,
          [since.toISOString()],
        )
        return { microUsd: row![0], count: row![1] }
      }),
    lastPaidAt: sources =>
      session.read(async query => {
        const found = await Promise.all(
          sources.map(async ({ serviceId, payee, place }) => {
            const [row] = await query<[string | null]>(lastAt, [payee, place])
            return [serviceId, row![0]] as const
          }),
        )
        return new Map(found.filter((pair): pair is [string, string] => pair[1] !== null))
      }),
    // Under the write lock: two concurrent calls must not both find none.
    report: (purchase, event, forgetBefore) =>
      session.write([purchase.serviceId, `report of ${purchase.purpose}`], async transaction => {
        const { query } = transaction
        const existing = await PURCHASES.first(query, FOR_PURPOSE, purchase.purpose)
        if (existing) return existing
        await PURCHASES.insert(query, purchase)
        await query(FORGET, [purchase.serviceId, forgetBefore.toISOString(), 'payer'])
        await tell(transaction, purchase.serviceId, event)
        return purchase
      }),
    outcomeSums: (serviceId, source, since = '') =>
      session.read(async query =>
        Object.fromEntries(await query<[string, number]>(OUTCOME_SUMS, [serviceId, source, since])),
      ),
    takeOver: purchases =>
      session.write(LEDGER, async ({ query }) => {
        await Promise.all(purchases.map(each => PURCHASES.insert(query, each, 'ON CONFLICT DO NOTHING')))
        const about = new Set(purchases.map(({ serviceId }) => serviceId))
        await Promise.all([...about].map(id => query(FORGET, [id, '~', 'peer'])))
      }),
  }
}
