// Settlements seen on chain and their sums.
import type { Entry } from '../../domain/service.ts'
import { type Difference, isCredited, servicesOf } from '../payment-sums.ts'
import type { ChainStep, Checkpoint, Crediting, PaymentLog, PaymentPlace } from '../payments.ts'
import type { Changed, Seq } from '../store.ts'
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
import type { Transaction } from './commit.ts'
import type { Query } from './link.ts'
import { RING } from './payer-facts.ts'
import {
  CREDITED_AT_ONCE,
  dropReceived,
  findPage,
  findReceived,
  insertPayments,
  setServices,
  takeAfter,
  withOwners,
} from './payment-rows.ts'
import { applyToSums, findTotals } from './payment-sums.ts'
import type { PostgresSession } from './session.ts'

/** `Store.update` inside the transaction of whoever calls it. */
export type UpdateNow = (
  transaction: Transaction,
  ids: readonly string[],
  change: (entry: Entry) => Changed | undefined,
) => Promise<Seq>

const START: PaymentPlace = { block: -1, logIndex: 0, transaction: '' }

export function createPaymentLog(session: PostgresSession, updateNow: UpdateNow): PaymentLog {
  /** What is told to everybody, always the whole sum: it cannot drift from what is kept here. */
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
    await publish(transaction, servicesOf(difference))
  }

  const take = async (transaction: Transaction, chain: string, step: ChainStep) => {
    const { payments = [], sent = [], payees = [], dropped = [], cursor } = step
    const { query } = transaction
    const kept = await insertPayments(query, await withOwners(query, payments, session.clock.now()))
    await apply(transaction, { added: kept.filter(isCredited), removed: [] })
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
        await take(transaction, chain, step)
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
    isRing: (chain, payee, payer, least) =>
      session.run(async query => Number((await query(RING, [chain, payee, payer, least]))[0]![0]) > 0),
    received: (chain, payee, limit) => session.run(query => findReceived(query, chain, payee, limit)),
  }
}

async function isAt(query: Query, chain: string, from: Checkpoint | undefined): Promise<boolean> {
  const present = await findCursor(query, chain)
  return present?.block === from?.block && present?.hash === from?.hash
}
