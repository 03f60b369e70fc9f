// Payments seen on chain and their sums.
import { isOwnPayment } from '../../domain/own-payment.ts'
import type { Entry } from '../../domain/service.ts'
import type { ChainStep, Checkpoint, Payment, PaymentLog } from '../payments.ts'
import type { Changed, Seq } from '../store.ts'
import { dropPayees, findCursor, forgetChain, goBack, listPayees, saveCursor, savePayees } from './chains.ts'
import type { Transaction } from './commit.ts'
import type { Query } from './link.ts'
import { addToTotals, findTotals, subtractFromTotals } from './payment-totals.ts'
import { findServices } from './services.ts'
import type { PostgresSession } from './session.ts'

/** `Store.update` inside the transaction of whoever calls it. */
export type UpdateNow = (
  transaction: Transaction,
  ids: readonly string[],
  change: (entry: Entry) => Changed | undefined,
) => Promise<Seq>

const COLUMNS = 'chain, tx_hash, log_index, block, at, asset, payer, payee, amount, service_id'

export function createPaymentLog(session: PostgresSession, updateNow: UpdateNow): PaymentLog {
  /** What is told to everybody, always the whole sum: it cannot drift from what is kept here. */
  const publish = async (transaction: Transaction, serviceIds: readonly string[]) => {
    if (serviceIds.length === 0) return
    const totals = await findTotals(transaction.query, serviceIds)
    await updateNow(transaction, serviceIds, entry => {
      const { txCount, totalRevenue } = totals.get(entry.id)!
      return { entry: { ...entry, standing: { ...entry.standing, txCount, totalRevenue } }, events: [] }
    })
  }

  const take = async (transaction: Transaction, chain: string, step: ChainStep) => {
    const { payments = [], payees = [], dropped = [], cursor } = step
    const { query } = transaction
    await publish(transaction, await keepPayments(query, payments, session.clock.now()))
    await Promise.all([
      savePayees(query, chain, payees),
      dropPayees(query, chain, dropped),
      cursor && saveCursor(query, chain, cursor),
    ])
  }

  return {
    cursor: chain => session.run(query => findCursor(query, chain)),
    payees: chain => session.run(query => listPayees(query, chain)),
    advance: (chain, from, step) =>
      session.write(undefined, async transaction => {
        if (!(await isAt(transaction.query, chain, from))) return false
        await take(transaction, chain, step)
        return true
      }),
    rewind: (chain, from, to) =>
      session.write(undefined, async transaction => {
        const { query } = transaction
        if (!(await isAt(query, chain, from))) return false
        await publish(transaction, await undoAfter(query, chain, to?.block ?? -1))
        await (to ? goBack(query, chain, to) : forgetChain(query, chain))
        return true
      }),
    totals: serviceId => session.run(async query => (await findTotals(query, [serviceId])).get(serviceId)!),
    received: (chain, payee, limit) =>
      session.run(async query => {
        const text = `SELECT ${COLUMNS} FROM payments
          WHERE chain = $1 AND payee = $2 ORDER BY block DESC, log_index DESC LIMIT $3`
        return (await query(text, [chain, payee, limit])).map(toPayment)
      }),
  }
}

async function isAt(query: Query, chain: string, from: Checkpoint | undefined): Promise<boolean> {
  const present = await findCursor(query, chain)
  return present?.block === from?.block && present?.hash === from?.hash
}

/** Keeps what is not kept yet, and adds it to the sums; answers the services that it went to. */
async function keepPayments(query: Query, payments: readonly Payment[], now: Date): Promise<string[]> {
  if (payments.length === 0) return []
  const json = JSON.stringify(await withOwners(query, payments, now))
  const [known, rows] = await Promise.all([
    query(
      `SELECT DISTINCT service_id, payer FROM payments WHERE (service_id, payer) IN
         (SELECT "serviceId", payer FROM json_to_recordset($1::text::json) AS row ("serviceId" text, payer text))`,
      [json],
    ),
    query(
      `INSERT INTO payments (${COLUMNS})
         SELECT chain, transaction, "logIndex", block, at, asset, payer, payee, amount, "serviceId"
         FROM json_to_recordset($1::text::json) AS row (chain text, transaction text, "logIndex" bigint,
           block bigint, at text, asset text, payer text, payee text, amount text, "serviceId" text)
       ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
      [json],
    ),
  ])
  const knownPayers = new Set(known.map(([serviceId, payer]) => `${serviceId} ${payer}`))
  const added = byService(rows.map(toPayment))
  await addToTotals(query, added, knownPayers)
  return [...added.keys()]
}

/** A service may have moved since they were read: then they are nobody's. */
async function withOwners(query: Query, payments: readonly Payment[], now: Date): Promise<Payment[]> {
  const ids = new Set(payments.flatMap(({ serviceId }) => serviceId ?? []))
  const entries = new Map((await findServices(query, [...ids])).map(({ entry }) => [entry.id, entry]))
  return payments.map(payment => {
    const entry = payment.serviceId === null ? undefined : entries.get(payment.serviceId)
    return entry && !isOwnPayment(entry, payment, now) ? { ...payment, serviceId: null } : payment
  })
}

async function undoAfter(query: Query, chain: string, block: number): Promise<string[]> {
  const rows = await query(`DELETE FROM payments WHERE chain = $1 AND block > $2 RETURNING ${COLUMNS}`, [
    chain,
    block,
  ])
  const undone = byService(rows.map(toPayment))
  await subtractFromTotals(query, undone)
  return [...undone.keys()]
}

function byService(payments: readonly Payment[]): Map<string, Payment[]> {
  const groups = Map.groupBy(payments, ({ serviceId }) => serviceId)
  groups.delete(null)
  return groups as Map<string, Payment[]>
}

const toPayment = (row: readonly unknown[]): Payment => ({
  chain: row[0] as string,
  transaction: row[1] as string,
  logIndex: row[2] as number,
  block: row[3] as number,
  at: row[4] as string,
  asset: row[5] as string,
  payer: row[6] as string,
  payee: row[7] as string,
  amount: row[8] as string,
  serviceId: row[9] as string | null,
})
