// What every registration and change of a service passes: the budget of the wallet, then the wait until the catalog of this process shows
// the write, and the notices about the entry, by itself and compared with others.
import type { Catalog } from '../catalog/catalog.ts'
import { DirectoryError } from '../domain/errors.ts'
import { blockOf } from '../domain/hosts/endpoint.ts'
import { type Backing, isBacked, type SharedPart, toBackingFacts } from '../domain/listing/backing.ts'
import type { Entry, ServiceDraft } from '../domain/listing/service.ts'
import { findMeantNetwork } from '../domain/queries/filters.ts'
import { truncate } from '../domain/text/text.ts'
import { DAY_MS } from '../domain/time.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Seq, Store } from '../store/store.ts'
import type { Caller } from './keys.ts'

/** A write is answered after at most twice this time, even if the catalog has not caught up. */
const VISIBLE_WITHIN_MS = 1_000

/** Returns a function that waits for a write; it never fails. */
export function createVisibilityWait(
  catalog: Pick<Catalog, 'seq' | 'whenReached'>,
  clock: Clock,
): (seq: Seq) => Promise<void> {
  let waiting: Promise<void> | undefined

  /** Ends within VISIBLE_WITHIN_MS. All writes share one timer: there are thousands of registrations a second. */
  function timeout(): Promise<void> {
    waiting ??= clock.sleep(VISIBLE_WITHIN_MS).then(() => {
      waiting = undefined
    })
    return waiting
  }

  return async seq => {
    const reached = catalog.whenReached(seq)
    // Twice, because the shared timer may be about to end.
    for (let tries = 0; tries < 2 && catalog.seq < seq; tries++) await Promise.race([reached, timeout()])
  }
}

/** A name can have 255 characters, and a header must hold two. */
const MAX_SHOWN = 80

/** One notice for each part that an entry of another owner shares, naming the first such entry: one that does not yield, else the oldest. */
function backingNotices(name: string, { others }: Backing): string[] {
  const first = (part: SharedPart) => others.find(({ shares }) => shares.includes(part))
  const [namesake, neighbour, copayee] = [first('name'), first('endpoint'), first('payee')]
  return [
    ...(neighbour
      ? [
          `endpoint: ${neighbour.id} of another owner has the same endpoint; the entry that is claimed by its wallet or proved by its domain represents it.`,
        ]
      : []),
    ...(copayee
      ? [
          `x402Config.paymentAddress: ${copayee.id} of another owner pays the same address; sign in with that wallet to claim your entries.`,
        ]
      : []),
    // Last: names can be long, and a header is cut.
    ...(namesake
      ? [
          `name: ${shownName(name)} looks like ${shownName(namesake.name)}, the name of ${namesake.id} of another owner; payers may confuse the two.`,
        ]
      : []),
  ]
}

/** A name that is not that of a known network, and resembles one. */
function networkNotices({ x402Config: { network } }: ServiceDraft): string[] {
  const meant = findMeantNetwork(network)
  if (meant === undefined) return []
  return [
    `x402Config.network: ${shownName(network)} is not a known network (did you mean ${meant}?); a service on an unknown network is never verified.`,
  ]
}

const shownName = (name: string): string =>
  JSON.stringify(name.length > MAX_SHOWN ? `${truncate(name, MAX_SHOWN)}…` : name)

/** Notices about an entry, by itself and compared with others; none if it is not visible yet. */
export const createNotices =
  (catalog: Pick<Catalog, 'backing'>) =>
  (entry: Entry): string[] => {
    const backing = catalog.backing(entry.id)
    return backing ? [...networkNotices(entry), ...backingNotices(entry.name, backing)] : []
  }

// Limits how much of the database wallets can fill. Wallets cost nothing, so their writes are also limited by network, in number and in
// bytes; writes with keys of the operator are not limited.

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
