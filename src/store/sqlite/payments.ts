// Payments seen on chain, their sums, and how far each chain has been read.
import { chainKey } from '../../domain/chains.ts'
import { addDecimals, subtractDecimals } from '../../domain/decimal-sum.ts'
import { isOwnPayment } from '../../domain/own-payment.ts'
import type { Entry } from '../../domain/service.ts'
import type { Checkpoint, Payment, PaymentLog, PaymentTotals } from '../payments.ts'
import type { Row } from '../rows.ts'
import type { Changed, Seq } from '../store.ts'
import { createChainTables } from './chains.ts'
import { rowsOf, type SqliteSession } from './session.ts'

/** `Store.update` inside the transaction of whoever calls it. */
export type UpdateNow = (ids: readonly string[], change: (entry: Entry) => Changed | undefined) => Seq

const COLUMNS = 'chain, tx_hash, log_index, block, at, asset, payer, payee, amount, service_id'
const NO_TOTALS: PaymentTotals = Object.freeze({
  txCount: 0,
  totalRevenue: '0',
  payers: 0,
  lastPaymentAt: null,
})

export function createPaymentTables(
  session: SqliteSession,
  {
    updateNow,
    findNow,
  }: { readonly updateNow: UpdateNow; readonly findNow: (id: string) => Entry | undefined },
) {
  const chains = createChainTables(session)
  const totals = createTotals(session)
  const insert = session.prepare(
    `INSERT OR IGNORE INTO payments (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const after = session.prepare(`SELECT ${COLUMNS} FROM payments WHERE chain = ? AND block > ?`)
  const removeAfter = session.prepare('DELETE FROM payments WHERE chain = ? AND block > ?')
  const disown = session.prepare('UPDATE payments SET service_id = NULL WHERE service_id = ?')
  const received = session.prepare(
    `SELECT ${COLUMNS} FROM payments WHERE chain = ? AND payee = ? ORDER BY block DESC, log_index DESC LIMIT ?`,
  )

  const isAt = (chain: string, from: Checkpoint | undefined): boolean => {
    const present = chains.cursor(chain)
    return present?.block === from?.block && present?.hash === from?.hash
  }

  /** Keeps what is not kept yet; answers the new sums of the services that were paid. */
  const keep = (payments: readonly Payment[]): Map<string, PaymentTotals> => {
    const sums = new Map<string, PaymentTotals>()
    for (const payment of payments) {
      const { chain, transaction, logIndex, block, at, asset, payer, payee, amount } = payment
      const entry = payment.serviceId === null ? undefined : findNow(payment.serviceId)
      const serviceId = entry && !isOwnPayment(entry, payment, session.clock.now()) ? null : payment.serviceId
      const isNewPayer = serviceId !== null && !totals.hasPayer(serviceId, payer)
      const values = [chain, transaction, logIndex, block, at, asset, payer, payee, amount, serviceId]
      if (insert.run(...values).changes === 0 || serviceId === null) continue
      sums.set(serviceId, withPayment(sums.get(serviceId) ?? totals.find(serviceId), payment, isNewPayer))
    }
    return sums
  }

  /** Tells everybody, always the whole sum: what is told cannot drift from what is kept here. */
  const publish = (sums: ReadonlyMap<string, PaymentTotals>) => {
    for (const [serviceId, sum] of sums) totals.save(serviceId, sum)
    updateNow([...sums.keys()], entry => {
      const { txCount, totalRevenue } = sums.get(entry.id)!
      return { entry: { ...entry, standing: { ...entry.standing, txCount, totalRevenue } }, events: [] }
    })
  }

  const undoAfter = (chain: string, block: number) => {
    const undone = rowsOf(after, chain, block).map(toPayment)
    removeAfter.run(chain, block)
    const sums = new Map<string, PaymentTotals>()
    for (const [serviceId, payments] of Map.groupBy(undone, payment => payment.serviceId)) {
      if (serviceId !== null) sums.set(serviceId, totals.without(serviceId, payments))
    }
    publish(sums)
  }

  const log: PaymentLog = {
    cursor: chain => session.read(() => chains.cursor(chain)),
    payees: chain => session.read(() => chains.payees(chain)),
    advance: (chain, from, { payments = [], payees = [], dropped = [], cursor }) =>
      session.write(() => {
        if (!isAt(chain, from)) return false
        publish(keep(payments))
        for (const payee of payees) chains.savePayee(chain, payee)
        for (const address of dropped) chains.dropPayee(chain, address)
        if (cursor) chains.saveCursor(chain, cursor)
        return true
      }),
    rewind: (chain, from, to) =>
      session.write(() => {
        if (!isAt(chain, from)) return false
        undoAfter(chain, to?.block ?? -1)
        if (to) chains.goBack(chain, to)
        else chains.forget(chain)
        return true
      }),
    totals: serviceId => session.read(() => totals.find(serviceId)),
    received: (chain, payee, limit) =>
      session.read(() => rowsOf(received, chain, payee, limit).map(toPayment)),
  }
  return {
    log,
    /** Inside the caller's transaction; null where the chain of the service is not read. */
    payersOf: ({ id, x402Config }: Entry): number | null =>
      chains.cursor(chainKey(x402Config.network)) ? totals.find(id).payers : null,
    /** Inside the caller's transaction: what was paid to it so far is nobody's from now on. */
    forget(serviceId: string): void {
      disown.run(serviceId)
      totals.drop(serviceId)
    },
  }
}

function createTotals(session: SqliteSession) {
  const select = session.prepare(
    'SELECT tx_count, total_revenue, payers, last_payment_at FROM payment_totals WHERE service_id = ?',
  )
  const save = session.prepare(
    `INSERT OR REPLACE INTO payment_totals (service_id, tx_count, total_revenue, payers, last_payment_at)
     VALUES (?, ?, ?, ?, ?)`,
  )
  const drop = session.prepare('DELETE FROM payment_totals WHERE service_id = ?')
  const hasPayer = session.prepare('SELECT 1 FROM payments WHERE service_id = ? AND payer = ? LIMIT 1')
  const left = session.prepare('SELECT count(DISTINCT payer), max(at) FROM payments WHERE service_id = ?')

  const find = (serviceId: string): PaymentTotals => {
    const [row] = rowsOf(select, serviceId)
    if (!row) return NO_TOTALS
    const [txCount, totalRevenue, payers, lastPaymentAt] = row as [number, string, number, string | null]
    return { txCount, totalRevenue, payers, lastPaymentAt }
  }
  return {
    find,
    drop: (serviceId: string) => void drop.run(serviceId),
    hasPayer: (serviceId: string, payer: string) => rowsOf(hasPayer, serviceId, payer).length > 0,
    save: (serviceId: string, { txCount, totalRevenue, payers, lastPaymentAt }: PaymentTotals) =>
      void save.run(serviceId, txCount, totalRevenue, payers, lastPaymentAt),
    /** The sums after payments that are gone from their table. */
    without(serviceId: string, gone: readonly Payment[]): PaymentTotals {
      const { txCount, totalRevenue } = find(serviceId)
      const [payers, lastPaymentAt] = rowsOf(left, serviceId)[0] as [number, string | null]
      const sum = gone.reduce((rest, { amount }) => subtractDecimals(rest, amount), totalRevenue)
      return { txCount: txCount - gone.length, totalRevenue: sum, payers, lastPaymentAt }
    },
  }
}

const withPayment = (sum: PaymentTotals, { amount, at }: Payment, isNewPayer: boolean): PaymentTotals => ({
  txCount: sum.txCount + 1,
  totalRevenue: addDecimals(sum.totalRevenue, amount),
  payers: sum.payers + (isNewPayer ? 1 : 0),
  lastPaymentAt: sum.lastPaymentAt !== null && sum.lastPaymentAt > at ? sum.lastPaymentAt : at,
})

const toPayment = (row: Row): Payment => ({
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
