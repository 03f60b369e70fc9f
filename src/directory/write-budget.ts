// Limits how much of the database wallets can fill. Wallets cost nothing, so their writes are also limited by network, in number and in
// bytes; writes with keys of the operator are not limited.

import { DirectoryError } from '../domain/errors.ts'
import { blockOf } from '../domain/hosts/endpoint.ts'
import { isBacked, toBackingFacts } from '../domain/listing/backing.ts'
import { DAY_MS } from '../domain/time.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'
import type { Caller } from './keys.ts'

/** ofWallet: a seller who changes a price every minute, or lists two thousand services. from: several sellers may share an address. */
const MAX_PER_DAY = { ofWallet: 2_000, from: 10_000, megabytesFrom: 20 }
const MEGABYTE = 1_000_000

/**
 * Makes a registration, change or removal, and counts it if it wrote something: `written` is the number of bytes.
 * @throws DirectoryError `rate_limited`
 */
export type ChargeWrite = <T extends { readonly written: number }>(
  caller: Caller,
  from: string | undefined,
  write: () => Promise<T>,
) => Promise<T>

export function createWriteBudget({
  store,
  clock,
  max = MAX_PER_DAY,
}: {
  readonly store: Pick<Store, 'budgets' | 'paidTo'>
  readonly clock: Clock
  readonly max?: typeof MAX_PER_DAY
}): ChargeWrite {
  const budgetsOf = (wallet: string, network: string | undefined, written = 0) => [
    { name: `writes by ${wallet}`, most: max.ofWallet, amount: Math.min(1, written) },
    ...(network === undefined
      ? []
      : [
          { name: `writes from ${network}`, most: max.from, amount: Math.min(1, written) },
          { name: `bytes from ${network}`, most: max.megabytesFrom * MEGABYTE, amount: written },
        ]),
  ]
  const take = (budgets: ReturnType<typeof budgetsOf>) => store.budgets.take(budgets, clock.now(), DAY_MS)

  return async (caller, from, write) => {
    const { wallet } = caller
    if (wallet === null) return write()
    let network = from === undefined ? undefined : blockOf(from)
    // What was refused or repeated is not counted, so the budgets are only looked at before.
    let spent = await take(budgetsOf(wallet, network))
    // A share that strangers on the same network cannot use up.
    if (spent && network !== undefined && (await isKnownOwner(store, wallet))) {
      network += ' by known owners'
      spent = await take(budgetsOf(wallet, network))
    }
    if (spent) {
      const most = spent.name.startsWith('writes by') ? max.ofWallet : max.from
      throw new DirectoryError('rate_limited', say('writes_spent', { most, megabytes: max.megabytesFrom }))
    }
    const result = await write()
    // In full, even if writes beside it have spent a budget meanwhile: all of it is stored.
    const counted = budgetsOf(wallet, network, result.written)
    if (result.written > 0) await take(counted.map(each => ({ ...each, most: Number.POSITIVE_INFINITY })))
    return result
  }
}

export const bytesOf = (stored: unknown): number => Buffer.byteLength(JSON.stringify(stored))

/** Whether a wallet is no stranger: it has claimed a verified service that pays it. */
async function isKnownOwner(store: Pick<Store, 'paidTo'>, wallet: string): Promise<boolean> {
  const paid = await store.paidTo([wallet.slice(wallet.indexOf(':') + 1)])
  return paid.some(entry => entry.owner === wallet && isBacked(toBackingFacts(entry)))
}
