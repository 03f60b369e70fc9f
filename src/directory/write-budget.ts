// How much of the database wallets may fill. A wallet costs nothing, so what it writes is counted by where it comes from as well; a key
// of the operator's is not counted.
import { DirectoryError } from '../domain/errors.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'
import type { Caller } from './keys.ts'

const DAY_MS = 86_400_000
/** A wallet: a seller who changes a price every minute, or lists two thousand services. An address: several sellers may share it. */
const MOST_A_DAY = { ofWallet: 2_000, from: 10_000 }

/** Counts one registration, change or removal. @throws DirectoryError `rate_limited` */
export type SpendWrite = (caller: Caller, from: string | undefined) => Promise<void>

type Parts = {
  readonly store: Pick<Store, 'budgets'>
  readonly clock: Clock
  readonly most?: typeof MOST_A_DAY
}

export const createWriteBudget =
  ({ store, clock, most = MOST_A_DAY }: Parts): SpendWrite =>
  async ({ wallet }, from) => {
    if (wallet === null) return
    const budgets = [
      { name: `writes by ${wallet}`, most: most.ofWallet },
      ...(from === undefined ? [] : [{ name: `writes from ${from}`, most: most.from }]),
    ]
    const spent = await store.budgets.take(budgets, clock.now(), DAY_MS)
    const full = budgets.find(({ name }) => name === spent?.name)
    if (full) throw new DirectoryError('rate_limited', say('writes_spent', { most: full.most }))
  }
