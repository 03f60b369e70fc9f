// What agents spend, by key; part of the Store interface.

import { fromMicroDollars } from '../domain/money/money.ts'
import { isSettledBy, type Spending, type SpendingSum } from '../domain/spending.ts'
import { DAY_MS, dayOf } from '../domain/time.ts'
import { inColumn, type Query, type Session, Table } from './session.ts'

type Reserved =
  /** Stored now, or the same payment before. `spent` is what counts today, with it. */
  | { readonly kind: 'stored'; readonly spending: Spending; readonly spent: number }
  /** It would pass the budget, and is not stored. */
  | { readonly kind: 'over'; readonly spent: number }

export type SpendingPeriod = {
  /** Days, both included. */
  readonly from: string
  readonly to: string
  readonly agent?: string | undefined
  readonly now: Date
}

export interface SpendingTable {
  /**
   * Stores a reservation, in one transaction with summing what counts on its day; or resolves to the one that has its id.
   * @param most of the day, in millionths of a dollar; null: no limit
   */
  reserve(spending: Spending, most: number | null): Promise<Reserved>
  /**
   * Reads, changes and writes in one transaction; `change` returns what to store, or throws. Resolves to undefined if it is unknown,
   * otherwise also to what counts today.
   */
  change(
    agent: string,
    id: string,
    now: Date,
    change: (spending: Spending) => Spending,
  ): Promise<{ readonly spending: Spending; readonly spent: number } | undefined>
  /** Marks what was seen on chain since; each settlement confirms one payment. */
  confirm(): Promise<void>
  /** By day, agent and seller, newest day first. */
  sums(period: SpendingPeriod): Promise<SpendingSum[]>
}

const SPENDING = new Table<Spending>(
  'spending',
  {
    agent: true,
    id: true,
    at: true,
    expiresAt: true,
    state: true,
    reserved: true,
    microUsd: true,
    seller: true,
    serviceId: true,
    url: true,
    chain: true,
    asset: true,
    payTo: true,
    scheme: true,
    amount: true,
    transaction: inColumn('tx_hash'),
    logIndex: true,
  },
  { day: ({ at }) => dayOf(at) },
)
const BY_ID = 'WHERE agent = $1 AND id = $2'
const UPDATE = `
  UPDATE spending SET state = $3, micro_usd = $4, amount = $5, tx_hash = $6, log_index = $7 ${BY_ID}`

const sumOf = (condition: string) =>
  `CAST(coalesce(sum(CASE WHEN ${condition} THEN s.micro_usd END), 0) AS bigint)`
/** A reservation that has expired no longer counts. $3 is now. */
const IS_RESERVED = "s.state = 'reserved' AND s.expires_at > $3"
const IS_SETTLED = "s.state = 'settled'"
const SPENT = `SELECT ${sumOf(`${IS_SETTLED} OR ${IS_RESERVED}`)} FROM spending s WHERE s.agent = $1 AND s.day = $2`

/** What came back is forgotten after a week: until then it may turn out to be paid. */
const FORGET = "DELETE FROM spending WHERE agent = $1 AND day < $2 AND state <> 'settled'"
const KEPT_MS = 7 * DAY_MS

const MAX_CONFIRMED = 1_000
const UNCONFIRMED = `
  SELECT ${SPENDING.names.replaceAll(/\w+/g, 's.$&')}, p.amount, p.log_index FROM spending s
  JOIN payments p ON p.chain = s.chain AND p.tx_hash = s.tx_hash AND p.payee = s.pay_to AND p.asset = s.asset
  WHERE ${IS_SETTLED} AND s.log_index IS NULL AND s.tx_hash IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM spending o WHERE o.chain = p.chain AND o.tx_hash = p.tx_hash AND o.log_index = p.log_index)
  ORDER BY s.at, s.agent, s.id, p.log_index LIMIT ${MAX_CONFIRMED}`

const SUMS = `
  SELECT s.day, s.agent, k.name, s.seller, count(CASE WHEN ${IS_SETTLED} THEN 1 END), ${sumOf(IS_SETTLED)},
    ${sumOf(`${IS_SETTLED} AND s.log_index IS NOT NULL`)}, ${sumOf(IS_RESERVED)}
  FROM spending s LEFT JOIN api_keys k ON k.id = s.agent
  WHERE s.day >= $1 AND s.day <= $2 AND (CAST($4 AS text) IS NULL OR s.agent = $4)
  GROUP BY s.day, s.agent, k.name, s.seller ORDER BY s.day DESC, s.agent, s.seller`

const spentBy = async (query: Query, agent: string, at: string): Promise<number> =>
  (await query<[number]>(SPENT, [agent, dayOf(at), at]))[0]![0]

const store = (query: Query, { agent, id, state, microUsd, amount, transaction, logIndex }: Spending) =>
  query(UPDATE, [agent, id, state, microUsd, amount, transaction, logIndex])

export const createSpendingTable = (session: Session): SpendingTable => ({
  // Under the write lock: two agents with one key must not both use the rest of its budget.
  reserve: (spending, most) =>
    session.write([`spending of ${spending.agent}`], async ({ query }) => {
      const { agent, id, at, microUsd } = spending
      const spent = await spentBy(query, agent, at)
      const known = await SPENDING.first(query, BY_ID, agent, id)
      if (known) return { kind: 'stored', spending: known, spent } as const
      if (most !== null && spent + microUsd > most) return { kind: 'over', spent } as const
      await query(FORGET, [agent, dayOf(new Date(Date.parse(at) - KEPT_MS).toISOString())])
      await SPENDING.insert(query, spending)
      return { kind: 'stored', spending, spent: spent + microUsd } as const
    }),
  change: (agent, id, now, change) =>
    session.write([`spending of ${agent}`], async ({ query }) => {
      const known = await SPENDING.first(query, BY_ID, agent, id)
      if (!known) return undefined
      const spending = change(known)
      await store(query, spending)
      return { spending, spent: await spentBy(query, agent, now.toISOString()) }
    }),
  confirm: () =>
    session.write(undefined, async ({ query }) => {
      const taken = new Set<string>()
      for (const row of await query(UNCONFIRMED)) {
        const [amount, logIndex] = row.slice(-2) as [string, number]
        const spending = SPENDING.read(row)
        // One settlement may fit several reports, and one report several settlements of a transaction.
        const keys = [
          `${spending.agent} ${spending.id}`,
          `${spending.chain} ${spending.transaction} ${logIndex}`,
        ]
        if (!isSettledBy(spending, amount) || keys.some(key => taken.has(key))) continue
        for (const key of keys) taken.add(key)
        await store(query, { ...spending, logIndex })
      }
    }),
  sums: ({ from, to, agent, now }) =>
    session.read(async query => {
      const rows = await query<[string, string, string | null, string, number, number, number, number]>(
        SUMS,
        [...[from, to, now.toISOString(), agent ?? null]],
      )
      return rows.map(([day, of, name, seller, payments, settled, confirmed, reserved]) => ({
        ...{ day, agent: of, name, seller, payments },
        usd: fromMicroDollars(settled),
        confirmedUsd: fromMicroDollars(confirmed),
        reservedUsd: fromMicroDollars(reserved),
      }))
    }),
})
