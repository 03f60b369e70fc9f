// Settlements found on chain, their sums, and the read position of each chain.
import type { EditResult } from '../../domain/listing/edit.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { isOwnPayment } from '../../domain/standing/own-payment.ts'
import { affectedServices, type Difference, isCredited } from '../payment-sums.ts'
import {
  type Checkpoint,
  SETTLEMENT_COLUMNS as COLUMNS,
  type Crediting,
  NO_TOTALS,
  type PaymentLog,
  type PaymentPlace,
  type SettlementRecord,
  toSettlementRecord,
} from '../payments.ts'
import type { Seq } from '../store.ts'
import { createChainTables } from './chains.ts'
import { createPayerFacts, RING } from './payer-facts.ts'
import { createPaymentSums } from './payment-sums.ts'
import { rowsOf, type SqliteSession } from './session.ts'

/** `Store.update` inside the caller's transaction. */
export type UpdateNow = (ids: readonly string[], change: (entry: Entry) => EditResult | undefined) => Seq

/** Payments credited per transaction: about 20 ms, during which the process serves nothing else. */
const CREDITED_AT_ONCE = 500
const START: PaymentPlace = { block: -1, logIndex: 0, transaction: '' }

type Access = { readonly updateNow: UpdateNow; readonly findNow: (id: string) => Entry | undefined }

export function createPaymentTables(session: SqliteSession, { updateNow, findNow }: Access) {
  const chains = createChainTables(session)
  const sums = createPaymentSums(session)
  const rows = createPaymentRows(session)
  const ring = session.prepare(RING)

  const isAt = (chain: string, from: Checkpoint | undefined): boolean => {
    const current = chains.cursor(chain)
    return current?.block === from?.block && current?.hash === from?.hash
  }

  /** If the service has moved since its payments were read, they are not credited. */
  const withOwner = (payment: SettlementRecord): SettlementRecord => {
    const entry = payment.serviceId === null ? undefined : findNow(payment.serviceId)
    const isOwn = !entry || isOwnPayment(entry, payment, session.clock.now())
    return isOwn ? payment : { ...payment, serviceId: null }
  }

  /** Copies the whole sums into the entries, so that the published figures cannot drift from the stored ones. */
  const publish = (serviceIds: readonly string[]) => {
    updateNow(serviceIds, entry => {
      const { txCount, totalRevenue } = sums.find(entry.id)
      const { standing } = entry
      if (standing.txCount === txCount && standing.totalRevenue === totalRevenue) return undefined
      return { entry: { ...entry, standing: { ...standing, txCount, totalRevenue } }, events: [] }
    })
  }

  const apply = (difference: Difference) => {
    sums.apply(difference)
    publish(affectedServices(difference))
  }

  const creditPage = (chain: string, { payee, plan, services, creditTo }: Crediting, after = START) => {
    const page = rows.page(chain, payee, after)
    const changed = page.flatMap(before => {
      const { serviceId } = withOwner({ ...before, serviceId: creditTo(before) })
      return serviceId === before.serviceId ? [] : [{ before, now: { ...before, serviceId } }]
    })
    for (const { now } of changed) rows.setService(now)
    apply({
      added: changed.map(({ now }) => now).filter(isCredited),
      removed: changed.map(({ before }) => before).filter(isCredited),
    })
    if (page.length === CREDITED_AT_ONCE) return page.at(-1)!
    chains.savePlan(chain, payee, plan)
    publish(services)
    return true
  }

  const log: PaymentLog = {
    cursor: chain => session.read(() => chains.cursor(chain)),
    payees: chain => session.read(() => chains.payees(chain)),
    advance: (chain, from, { payments = [], sent = [], payees = [], dropped = [], cursor }) =>
      session.write(() => {
        if (!isAt(chain, from)) return false
        const inserted = payments.map(withOwner).filter(rows.insert)
        apply({ added: inserted.filter(isCredited), removed: [] })
        for (const each of sent) chains.saveSent(chain, each)
        for (const payee of payees) chains.savePayee(chain, payee)
        for (const payee of dropped) {
          chains.dropPayee(chain, payee)
          if (payee.side === 'received') rows.dropPayee(chain, payee.address)
        }
        if (cursor) chains.saveCursor(chain, cursor)
        return true
      }),
    credit: (chain, from, crediting, after) =>
      session.write(() => isAt(chain, from) && creditPage(chain, crediting, after)),
    rewind: (chain, from, to) =>
      session.write(() => {
        if (!isAt(chain, from)) return false
        apply({ added: [], removed: rows.takeAfter(chain, to?.block ?? -1).filter(isCredited) })
        if (to) chains.goBack(chain, to)
        else chains.forget(chain)
        return true
      }),
    totals: serviceId => session.read(() => sums.find(serviceId) ?? NO_TOTALS),
    isRing: (chain, payee, payer, minVolume) =>
      session.read(() => (rowsOf(ring, chain, payee, payer, minVolume)[0]![0] as number) > 0),
    received: (chain, payee, limit) => session.read(() => rows.received(chain, payee, limit)),
  }
  return {
    log,
    /** Inside the caller's transaction; null if the chain of the service is not read. */
    paymentFactsOf: createPayerFacts(session, chains.cursor, sums.find),
    /** Inside the caller's transaction: detaches all earlier payments from the service. */
    forget(serviceId: string): void {
      rows.disown(serviceId)
      sums.drop(serviceId)
    },
  }
}

function createPaymentRows(session: SqliteSession) {
  const insert = session.prepare(
    `INSERT OR IGNORE INTO payments (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const after = session.prepare(`SELECT ${COLUMNS} FROM payments WHERE chain = ? AND block > ?`)
  const removeAfter = session.prepare('DELETE FROM payments WHERE chain = ? AND block > ?')
  const disown = session.prepare('UPDATE payments SET service_id = NULL WHERE service_id = ?')
  const setService = session.prepare(
    'UPDATE payments SET service_id = ? WHERE chain = ? AND tx_hash = ? AND log_index = ?',
  )
  const page = session.prepare(
    `SELECT ${COLUMNS} FROM payments WHERE chain = ? AND payee = ? AND (block, log_index, tx_hash) > (?, ?, ?)
     ORDER BY block, log_index, tx_hash LIMIT ${CREDITED_AT_ONCE}`,
  )
  const received = session.prepare(
    `SELECT ${COLUMNS} FROM payments WHERE chain = ? AND payee = ? ORDER BY block DESC, log_index DESC LIMIT ?`,
  )
  // A service credited at an address that no entry lists any more was removed, or moved and lost its sums before.
  const ofPayee =
    '(SELECT service_id FROM payments WHERE chain = ?1 AND payee = ?2 AND service_id IS NOT NULL)'
  const dropped = [
    `DELETE FROM payment_totals WHERE service_id IN ${ofPayee}`,
    `DELETE FROM payment_payers WHERE service_id IN ${ofPayee}`,
    'DELETE FROM payments WHERE chain = ?1 AND payee = ?2',
  ].map(sql => session.prepare(sql))

  return {
    /** False if it is already stored. */
    insert(payment: SettlementRecord): boolean {
      const { chain, transaction, logIndex, block, at, asset, payer, payee, amount, method, serviceId } =
        payment
      const values = [chain, transaction, logIndex, block, at, asset, payer, payee, amount, method, serviceId]
      return insert.run(...values).changes > 0
    },
    takeAfter(chain: string, block: number): SettlementRecord[] {
      const taken = rowsOf(after, chain, block).map(toSettlementRecord)
      removeAfter.run(chain, block)
      return taken
    },
    disown: (serviceId: string) => void disown.run(serviceId),
    setService: ({ serviceId, chain, transaction, logIndex }: SettlementRecord) =>
      void setService.run(serviceId, chain, transaction, logIndex),
    page: (
      chain: string,
      payee: string,
      { block, logIndex, transaction }: PaymentPlace,
    ): SettlementRecord[] => rowsOf(page, chain, payee, block, logIndex, transaction).map(toSettlementRecord),
    received: (chain: string, payee: string, limit: number): SettlementRecord[] =>
      rowsOf(received, chain, payee, limit).map(toSettlementRecord),
    dropPayee(chain: string, payee: string): void {
      for (const statement of dropped) statement.run(chain, payee)
    },
  }
}
