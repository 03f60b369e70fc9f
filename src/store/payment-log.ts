// Settlements found on chain, and the read position of each chain.
import { isOwnPayment } from '../domain/standing/judge-delivery.ts'
import { findServices, updateNow } from './entries.ts'
import { applyToSums, findTotals, isCredited, RING } from './payment-sums.ts'
import type {
  ChainCursor,
  ChainStep,
  Crediting,
  Payee,
  PaymentLog,
  PaymentPlace,
  Sent,
  SettlementRecord,
} from './payments.ts'
import { inColumn, type Query, type Session, Table, type Transaction } from './session.ts'

const PAYMENTS = new Table<SettlementRecord>('payments', {
  chain: true,
  transaction: inColumn('tx_hash'),
  logIndex: true,
  block: true,
  at: true,
  asset: true,
  payer: true,
  payee: true,
  amount: true,
  method: true,
  serviceId: true,
})

/** Payments credited per transaction: bounds how long it holds the write lock and the event loop. */
const CREDITED_AT_ONCE = 500
const START: PaymentPlace = { block: -1, logIndex: 0, transaction: '' }
const NEXT_PAGE = `
  WHERE chain = $1 AND payee = $2 AND (block, log_index, tx_hash) > ($3, $4, $5)
  ORDER BY block, log_index, tx_hash LIMIT ${CREDITED_AT_ONCE}`

export function createPaymentLog(session: Session): PaymentLog {
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

  /** Payments whose service has moved since they were read are not credited. */
  const withOwners = async (query: Query, payments: readonly SettlementRecord[]) => {
    const ids = new Set(payments.flatMap(({ serviceId }) => serviceId ?? []))
    const entries = new Map((await findServices(query, [...ids])).map(({ entry }) => [entry.id, entry]))
    return payments.map(payment => {
      const entry = payment.serviceId === null ? undefined : entries.get(payment.serviceId)
      return entry && !isOwnPayment(entry, payment) ? { ...payment, serviceId: null } : payment
    })
  }

  const applyStep = async (transaction: Transaction, chain: string, step: ChainStep) => {
    const { payments = [], sent = [], payees = [], dropped = [], cursor } = step
    const { query } = transaction
    const inserted = await insertPayments(query, await withOwners(query, payments))
    await publish(transaction, await applyToSums(query, inserted.filter(isCredited)))
    await Promise.all([
      ...sent.map(each => saveSent(query, chain, each)),
      ...payees.map(payee => PAYEES.insert(query, { chain, ...payee }, REPLACE_PAYEE)),
      ...dropped.map(payee => dropPayee(query, chain, payee)),
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
    const { block, logIndex, transaction: hash } = after
    const page = await PAYMENTS.select(query, NEXT_PAGE, chain, payee, block, logIndex, hash)
    const owned = await withOwners(
      query,
      page.map(payment => ({ ...payment, serviceId: creditTo(payment) })),
    )
    const isChanged = (_: unknown, index: number) => owned[index]!.serviceId !== page[index]!.serviceId
    const now = owned.filter(isChanged)
    const sql = 'UPDATE payments SET service_id = $1 WHERE chain = $2 AND tx_hash = $3 AND log_index = $4'
    await Promise.all(now.map(each => query(sql, [each.serviceId, chain, each.transaction, each.logIndex])))
    const before = page.filter(isChanged)
    await publish(transaction, await applyToSums(query, now.filter(isCredited), before.filter(isCredited)))
    if (page.length === CREDITED_AT_ONCE) return page.at(-1)!
    await query("UPDATE chain_payees SET plan = $3 WHERE chain = $1 AND address = $2 AND side = 'received'", [
      ...[chain, payee, plan],
    ])
    await publish(transaction, services)
    return true
  }

  /** Runs `work` if the cursor is where the caller read it. */
  const writeAt = <T>(
    chain: string,
    from: ChainCursor | undefined,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T | false> =>
    session.write(undefined, async transaction => {
      const current = await findCursor(transaction.query, chain)
      return current?.block === from?.block ? work(transaction) : false
    })

  return {
    cursor: chain => session.read(query => findCursor(query, chain)),
    payees: chain =>
      session.read(async query => {
        const found = await PAYEES.select(query, 'WHERE chain = $1 ORDER BY address, side', chain)
        return found.map(({ chain: _, ...payee }) => payee)
      }),
    advance: (chain, from, step) =>
      writeAt(chain, from, async transaction => {
        await applyStep(transaction, chain, step)
        return true
      }),
    credit: (chain, from, crediting, after) =>
      writeAt(chain, from, transaction => creditPage(transaction, chain, crediting, after)),
    totals: serviceId => session.read(async query => (await findTotals(query, [serviceId])).get(serviceId)!),
    isRing: (chain, payee, payer, minVolume) =>
      session.read(async query => {
        const [row] = await query<[number]>(RING, [chain, payee, payer, minVolume])
        return row![0] > 0
      }),
    received: (chain, payee, limit) =>
      session.read(query => {
        const newest = 'WHERE chain = $1 AND payee = $2 ORDER BY block DESC, log_index DESC LIMIT $3'
        return PAYMENTS.select(query, newest, chain, payee, limit)
      }),
  }
}

/** Inserts payments that are not stored yet, and returns those. */
async function insertPayments(
  query: Query,
  payments: readonly SettlementRecord[],
): Promise<SettlementRecord[]> {
  const isNew = await Promise.all(
    payments.map(payment => PAYMENTS.insert(query, payment, 'ON CONFLICT DO NOTHING')),
  )
  return payments.filter((_, index) => isNew[index])
}

// The read position of each chain, and the payees that are read.

async function findCursor(query: Query, chain: string): Promise<ChainCursor | undefined> {
  const [row] = await query<[number]>('SELECT block FROM chain_cursors WHERE chain = $1', [chain])
  return row && { block: row[0] }
}

async function saveCursor(query: Query, chain: string, cursor: ChainCursor): Promise<void> {
  await query(
    `INSERT INTO chain_cursors (chain, block) VALUES ($1, $2)
     ON CONFLICT (chain) DO UPDATE SET block = excluded.block`,
    [chain, cursor.block],
  )
}

const PAYEES = new Table<Payee & { readonly chain: string }>('chain_payees', {
  chain: true,
  address: true,
  side: true,
  readFrom: true,
  goal: true,
  plan: true,
})
const REPLACE_PAYEE = `
  ON CONFLICT (chain, address, side) DO UPDATE
    SET read_from = excluded.read_from, goal = excluded.goal, plan = excluded.plan`

/** A service credited at an address that no entry lists any more was removed, or moved and lost its sums before. */
async function dropPayee(
  query: Query,
  chain: string,
  { address, side }: Pick<Payee, 'address' | 'side'>,
): Promise<void> {
  const among = 'SELECT service_id FROM payments WHERE chain = $1 AND payee = $2 AND service_id IS NOT NULL'
  await query('DELETE FROM chain_payees WHERE chain = $1 AND address = $2 AND side = $3', [
    ...[chain, address, side],
  ])
  const statements =
    side === 'sent'
      ? ['DELETE FROM payee_transfers WHERE chain = $1 AND payee = $2']
      : [
          `DELETE FROM payment_totals WHERE service_id IN (${among})`,
          `DELETE FROM payment_payers WHERE service_id IN (${among})`,
          'DELETE FROM payments WHERE chain = $1 AND payee = $2',
        ]
  await Promise.all(statements.map(sql => query(sql, [chain, address])))
}

/** Stores only the first transfer to a receiver: queries only test whether there was one. */
async function saveSent(query: Query, chain: string, { payee, receiver, block }: Sent): Promise<void> {
  await query(
    `INSERT INTO payee_transfers (chain, payee, receiver, block) VALUES ($1, $2, $3, $4)
     ON CONFLICT (chain, payee, receiver) DO UPDATE SET block = excluded.block WHERE payee_transfers.block > excluded.block`,
    [chain, payee, receiver, block],
  )
}
