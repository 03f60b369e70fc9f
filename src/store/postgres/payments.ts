// Settlements found on chain and their sums.
import type { EditResult } from '../../domain/listing/edit.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { isOwnPayment } from '../../domain/standing/own-payment.ts'
import { affectedServices, type Difference, isCredited } from '../payment-sums.ts'
import {
  type ChainStep,
  type Checkpoint,
  SETTLEMENT_COLUMNS as COLUMNS,
  type Crediting,
  type PaymentLog,
  type PaymentPlace,
  type SettlementRecord,
  toSettlementRecord,
} from '../payments.ts'
import type { Seq } from '../store.ts'
import {
  dropPayees,
  findCursor,
  forgetChain,
  goBack,
  listPayees,
  saveCursor,
  savePayees,
  savePlan,
  saveSent,
} from './chains.ts'
import type { Transaction } from './group-commit.ts'
import type { Query } from './link.ts'
import { RING } from './payer-facts.ts'
import { applyToSums, findTotals } from './payment-sums.ts'
import { findServices } from './services.ts'
import type { PostgresSession } from './session.ts'

/** `Store.update` inside the caller's transaction. */
export type UpdateNow = (
  transaction: Transaction,
  ids: readonly string[],
  change: (entry: Entry) => EditResult | undefined,
) => Promise<Seq>

const START: PaymentPlace = { block: -1, logIndex: 0, transaction: '' }

export function createPaymentLog(session: PostgresSession, updateNow: UpdateNow): PaymentLog {
  /** Copies the whole sums into the entries, so that the published figures cannot drift from the stored ones. */
  const publish = async (transaction: Transaction, serviceIds: readonly string[]) => {
    if (serviceIds.length === 0) return
    const totals = await findTotals(transaction.query, serviceIds)
    await updateNow(transaction, serviceIds, entry => {
      const { txCount, totalRevenue } = totals.get(entry.id)!
      const { standing } = entry
      if (standing.txCount === txCount && standing.totalRevenue === totalRevenue) return undefined
      return { entry: { ...entry, standing: { ...standing, txCount, totalRevenue } }, events: [] }
    })
  }

  const apply = async (transaction: Transaction, difference: Difference) => {
    await applyToSums(transaction.query, difference)
    await publish(transaction, affectedServices(difference))
  }

  const applyStep = async (transaction: Transaction, chain: string, step: ChainStep) => {
    const { payments = [], sent = [], payees = [], dropped = [], cursor } = step
    const { query } = transaction
    const inserted = await insertPayments(query, await withOwners(query, payments, session.clock.now()))
    await apply(transaction, { added: inserted.filter(isCredited), removed: [] })
    const receivers = dropped.filter(({ side }) => side === 'received').map(({ address }) => address)
    await Promise.all([
      saveSent(query, chain, sent),
      savePayees(query, chain, payees),
      dropPayees(query, chain, dropped),
      dropReceived(query, chain, receivers),
      cursor && saveCursor(query, chain, cursor),
    ])
  }

  const creditPage = async (
    transaction: Transaction,
    chain: string,
    { payee, plan, services, creditTo }: Crediting,
    after = START,
  ) => {
    const { query } = transaction
    const page = await findPage(query, chain, payee, after)
    const credited = page.map(payment => ({ ...payment, serviceId: creditTo(payment) }))
    const owned = await withOwners(query, credited, session.clock.now())
    const isChanged = (_: unknown, index: number) => owned[index]!.serviceId !== page[index]!.serviceId
    const now = owned.filter(isChanged)
    await setServices(query, now)
    await apply(transaction, {
      added: now.filter(isCredited),
      removed: page.filter(isChanged).filter(isCredited),
    })
    if (page.length === CREDITED_AT_ONCE) return page.at(-1)!
    await savePlan(query, chain, payee, plan)
    await publish(transaction, services)
    return true
  }

  return {
    cursor: chain => session.run(query => findCursor(query, chain)),
    payees: chain => session.run(query => listPayees(query, chain)),
    advance: (chain, from, step) =>
      session.write(undefined, async transaction => {
        if (!(await isAt(transaction.query, chain, from))) return false
        await applyStep(transaction, chain, step)
        return true
      }),
    credit: (chain, from, crediting, after) =>
      session.write(undefined, async transaction => {
        if (!(await isAt(transaction.query, chain, from))) return false
        return creditPage(transaction, chain, crediting, after)
      }),
    rewind: (chain, from, to) =>
      session.write(undefined, async transaction => {
        const { query } = transaction
        if (!(await isAt(query, chain, from))) return false
        const undone = await takeAfter(query, chain, to?.block ?? -1)
        await apply(transaction, { added: [], removed: undone.filter(isCredited) })
        await (to ? goBack(query, chain, to) : forgetChain(query, chain))
        return true
      }),
    totals: serviceId => session.run(async query => (await findTotals(query, [serviceId])).get(serviceId)!),
    isRing: (chain, payee, payer, minVolume) =>
      session.run(async query => Number((await query(RING, [chain, payee, payer, minVolume]))[0]![0]) > 0),
    received: (chain, payee, limit) => session.run(query => findReceived(query, chain, payee, limit)),
  }
}

async function isAt(query: Query, chain: string, from: Checkpoint | undefined): Promise<boolean> {
  const current = await findCursor(query, chain)
  return current?.block === from?.block && current?.hash === from?.hash
}

/** Payments credited per transaction; bounds how long it holds the write lock. */
const CREDITED_AT_ONCE = 500

/** Inserts payments that are not stored yet, and returns those. */
async function insertPayments(
  query: Query,
  payments: readonly SettlementRecord[],
): Promise<SettlementRecord[]> {
  if (payments.length === 0) return []
  const rows = await query(
    `INSERT INTO payments (${COLUMNS})
       SELECT chain, transaction, "logIndex", block, at, asset, payer, payee, amount, method, "serviceId"
       FROM json_to_recordset($1::text::json) AS row (chain text, transaction text, "logIndex" bigint,
         block bigint, at text, asset text, payer text, payee text, amount text, method text, "serviceId" text)
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [JSON.stringify(payments)],
  )
  return rows.map(toSettlementRecord)
}

/** Payments whose service has moved since they were read are not credited. */
async function withOwners(
  query: Query,
  payments: readonly SettlementRecord[],
  now: Date,
): Promise<SettlementRecord[]> {
  const ids = new Set(payments.flatMap(({ serviceId }) => serviceId ?? []))
  const entries = new Map((await findServices(query, [...ids])).map(({ entry }) => [entry.id, entry]))
  return payments.map(payment => {
    const entry = payment.serviceId === null ? undefined : entries.get(payment.serviceId)
    return entry && !isOwnPayment(entry, payment, now) ? { ...payment, serviceId: null } : payment
  })
}

async function takeAfter(query: Query, chain: string, block: number): Promise<SettlementRecord[]> {
  const text = `DELETE FROM payments WHERE chain = $1 AND block > $2 RETURNING ${COLUMNS}`
  return (await query(text, [chain, block])).map(toSettlementRecord)
}

async function findPage(
  query: Query,
  chain: string,
  payee: string,
  { block, logIndex, transaction }: PaymentPlace,
): Promise<SettlementRecord[]> {
  const text = `SELECT ${COLUMNS} FROM payments
    WHERE chain = $1 AND payee = $2 AND (block, log_index, tx_hash) > ($3::bigint, $4::bigint, $5)
    ORDER BY block, log_index, tx_hash LIMIT ${CREDITED_AT_ONCE}`
  return (await query(text, [chain, payee, block, logIndex, transaction])).map(toSettlementRecord)
}

async function setServices(query: Query, payments: readonly SettlementRecord[]): Promise<void> {
  if (payments.length === 0) return
  await query(
    `UPDATE payments SET service_id = "serviceId"
       FROM json_to_recordset($1::text::json) AS row (chain text, transaction text, "logIndex" bigint, "serviceId" text)
       WHERE payments.chain = row.chain AND tx_hash = transaction AND log_index = "logIndex"`,
    [JSON.stringify(payments)],
  )
}

async function findReceived(
  query: Query,
  chain: string,
  payee: string,
  limit: number,
): Promise<SettlementRecord[]> {
  const text = `SELECT ${COLUMNS} FROM payments
    WHERE chain = $1 AND payee = $2 ORDER BY block DESC, log_index DESC LIMIT $3`
  return (await query(text, [chain, payee, limit])).map(toSettlementRecord)
}

/** A service credited at an address that no entry lists any more was removed, or moved and lost its sums before. */
async function dropReceived(query: Query, chain: string, payees: readonly string[]): Promise<void> {
  if (payees.length === 0) return
  const among = `chain = $1 AND payee IN (SELECT * FROM json_array_elements_text($2::text::json))`
  const values = [chain, JSON.stringify(payees)]
  for (const table of ['payment_totals', 'payment_payers'])
    await query(
      `DELETE FROM ${table} WHERE service_id IN (SELECT service_id FROM payments WHERE ${among} AND service_id IS NOT NULL)`,
      values,
    )
  await query(`DELETE FROM payments WHERE ${among}`, values)
}
