// Limits how much of the database wallets can fill. Wallets cost nothing, so their writes are also limited by network; writes with keys
// of the operator are not limited.
import { DirectoryError } from '../domain/errors.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'
import type { Caller } from './keys.ts'

const DAY_MS = 86_400_000
/** ofWallet: a seller who changes a price every minute, or lists two thousand services. from: several sellers may share an address. */
const MAX_PER_DAY = { ofWallet: 2_000, from: 10_000 }

/** Counts one registration, change or removal. @throws DirectoryError `rate_limited` */
export type SpendWrite = (caller: Caller, from: string | undefined) => Promise<void>

type Parts = {
  readonly store: Pick<Store, 'budgets'>
  readonly clock: Clock
  readonly max?: typeof MAX_PER_DAY
}

export const createWriteBudget =
  ({ store, clock, max = MAX_PER_DAY }: Parts): SpendWrite =>
  async ({ wallet }, from) => {
    if (wallet === null) return
    const budgets = [
      { name: `writes by ${wallet}`, most: max.ofWallet },
      ...(from === undefined ? [] : [{ name: `writes from ${from}`, most: max.from }]),
    ]
    const exceeded = await store.budgets.take(budgets, clock.now(), DAY_MS)
    const budget = budgets.find(({ name }) => name === exceeded?.name)
    if (budget) throw new DirectoryError('rate_limited', say('writes_spent', { most: budget.most }))
  }
