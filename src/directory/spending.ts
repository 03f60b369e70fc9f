// What agents spend: a key with a policy reserves each payment and reports what became of it; operators see the sums.

import { z } from 'zod'
import { DirectoryError, invalid, toProblem } from '../domain/errors.ts'
import { fromMicroDollars, toMicroDollars } from '../domain/money/money.ts'
import type { Policy } from '../domain/policy.ts'
import { readBody, readMessageRecord } from '../domain/problems.ts'
import { sellingDomain, toCapMessage } from '../domain/purchases/purchases.ts'
import {
  conclude,
  isSamePayment,
  paymentReportSchema,
  reservationSchema,
  type Spending,
  type SpendingQuery,
  type SpendingSum,
  type SpendingView,
  spendingQuerySchema,
  spendingSchema,
  spendingSumSchema,
  toReserved,
  toSpendingCsv,
} from '../domain/spending.ts'
import { DAY_MS, dayOf } from '../domain/time.ts'
import { say } from '../messages/message.ts'
import type { By, OperationDeps, Work } from './deps.ts'
import { IDS, serviceExample } from './examples.ts'
import type { Caller } from './keys.ts'
import type { Lists } from './lists.ts'
import type { Operation } from './operation.ts'

export interface SpendingOperations {
  /**
   * Reserves a payment under the policy and the budget of the key; sent again, it is returned again.
   * @throws DirectoryError `invalid_request`, `forbidden` (a key without a policy), `not_approved`, `over_budget`,
   *   `idempotency_conflict` if the id was used for another payment
   */
  reserve(body: unknown, by: By): Promise<SpendingView>
  /** Settles or releases a reservation of the key. @throws DirectoryError `invalid_request`, `not_found`, `idempotency_conflict` */
  reportPayment(id: string, body: unknown, by: By): Promise<SpendingView>
  /** For operators. */
  spending(query: SpendingQuery, by: By): Promise<SpendingSum[]>
  spendingCsv(query: SpendingQuery, by: By): Promise<string>
}

const { endpoint, x402Config } = serviceExample
const common = { tag: 'payment', result: spendingSchema } as const
const query = { schema: spendingQuerySchema }
const ofOperators = { tag: 'operating', query } as const

export const SPENDING_OPERATIONS = {
  reserve: {
    ...common,
    id: 'reservePayment',
    summary: 'Reserve a payment',
    description:
      'For an API key with a policy, before each payment: the policy must allow it, and the budget of the day must have room for it. Nothing may be signed without it. What is not settled comes back when it expires.',
    body: {
      schema: reservationSchema,
      example: {
        ...{
          id: IDS.payment,
          url: endpoint,
          payTo: x402Config.paymentAddress,
          network: x402Config.network,
        },
        ...{ amount: '2500', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', validSeconds: 60 },
      },
    },
    answer: 'The reservation. Only the state reserved allows the payment',
    errors: ['not_approved', 'over_budget', 'idempotency_conflict', 'not_ready'],
  },
  reportPayment: {
    ...common,
    id: 'reportPayment',
    summary: 'Settle or release a reservation',
    description:
      'After the payment. A settled one stays so; one that was released or has expired can still be settled, because money that was taken counts. Where this directory reads the chain, it confirms what it finds there.',
    of: { what: 'reservation', example: IDS.payment },
    body: { schema: paymentReportSchema, example: { state: 'settled', transaction: `0x${'5e'.repeat(32)}` } },
    answer: 'The reservation',
    errors: ['idempotency_conflict'],
  },
  spending: {
    ...ofOperators,
    id: 'listSpending',
    summary: 'See what agents spent',
    description: 'By day, API key and seller, newest day first.',
    answer: 'The sums',
    result: z.array(spendingSumSchema),
  },
  spendingCsv: {
    ...ofOperators,
    id: 'exportSpending',
    summary: 'Export what agents spent as CSV',
    description: 'The same sums, one in a line.',
    answer: 'CSV with a header',
  },
} satisfies Readonly<Record<keyof SpendingOperations, Operation>>

const SHOWN_MS = 30 * DAY_MS

export function createSpending({
  store,
  clock,
  requireCatalog,
  under,
}: OperationDeps & {
  /** The directory under a policy. */
  readonly under: (policy: Policy) => Pick<Lists, 'resolve'>
}): Work<SpendingOperations> {
  function policyOf({ policy }: Caller): Policy {
    if (policy) return policy
    // Anybody can get a key for a wallet, and would fill the ledger.
    throw new DirectoryError('forbidden', say('spending_not_kept'))
  }

  const budgetOf = ({ budgetPerDay }: Policy): number | null =>
    budgetPerDay === undefined ? null : toMicroDollars(budgetPerDay)!

  function toView(spending: Spending, spent: number, policy: Policy): SpendingView {
    const { id, state, microUsd, expiresAt, transaction, logIndex } = spending
    const most = budgetOf(policy)
    const isExpired = state === 'reserved' && Date.parse(expiresAt) <= clock.now().getTime()
    return {
      ...{ id, state: isExpired ? 'expired' : state, usd: fromMicroDollars(microUsd) },
      left: most === null ? null : fromMicroDollars(Math.max(0, most - spent)),
      ...{ expiresAt, transaction, confirmed: logIndex !== null },
    }
  }

  async function listSums({ from, to, agent }: SpendingQuery): Promise<SpendingSum[]> {
    await store.spending.confirm()
    const now = clock.now()
    const first = dayOf(new Date(now.getTime() - SHOWN_MS).toISOString())
    return store.spending.sums({ from: from ?? first, to: to ?? dayOf(now.toISOString()), agent, now })
  }

  return {
    async reserve(body, caller) {
      const policy = policyOf(caller)
      const { id, validSeconds, ...payment } = readBody(reservationSchema, body)
      const { verdict, reasons, service } = (await under(policy).resolve(payment)).decode()
      const [reason] = reasons
      if (verdict === 'stop')
        throw new DirectoryError('not_approved', readMessageRecord(reason!, reason!.text))
      const of = { agent: caller.id, seller: sellingDomain(payment.url), serviceId: service?.id ?? null }
      const wanted = toReserved({ id, validSeconds, ...payment }, of, requireCatalog().rates, clock.now())
      const most = budgetOf(policy)
      const reserved = await store.spending.reserve(wanted, most)
      if (reserved.kind === 'over')
        throw new DirectoryError(
          'over_budget',
          toCapMessage({ cap: 'key', spent: reserved.spent, max: most! }, fromMicroDollars(wanted.microUsd)),
        )
      if (!isSamePayment(reserved.spending, wanted))
        throw new DirectoryError('idempotency_conflict', say('spending_differs'))
      return toView(reserved.spending, reserved.spent, policy)
    },

    async reportPayment(id, body, caller) {
      const policy = policyOf(caller)
      const report = readBody(paymentReportSchema, body)
      const changed = await store.spending.change(caller.id, id, clock.now(), spending => {
        const concluded = conclude(spending, report)
        if (!('code' in concluded)) return concluded
        if (concluded.code === 'spending_not_reserved') throw invalid([toProblem('amount', concluded)])
        throw new DirectoryError('idempotency_conflict', concluded)
      })
      if (!changed) throw new DirectoryError('not_found', say('id_unknown', { what: 'reservation' }))
      return toView(changed.spending, changed.spent, policy)
    },

    spending: listSums,
    spendingCsv: async query => toSpendingCsv(await listSums(query)),
  }
}
