// The user's ledger, calls that are paid with it, and what was spent.
import { realpathSync } from 'node:fs'
import type { Config } from 'shirube/app/config.ts'
import type { Directory } from 'shirube/directory/directory.ts'
import { DirectoryError } from 'shirube/domain/errors.ts'
import { fromMicroDollars } from 'shirube/domain/money/money.ts'
import { CAP_WINDOW_MS, type Caps, type Purchase, payeeOf } from 'shirube/domain/purchases/purchases.ts'
import { parseIntentQuery } from 'shirube/domain/queries/queries.ts'
import { verbatim } from 'shirube/messages/message.ts'
import { createSafeFetch } from 'shirube/probe/requests/safe-fetch.ts'
import type { Clock } from 'shirube/runtime/clock.ts'
import { openStore, toFilePath } from 'shirube/store/open.ts'
import type { PurchaseTable } from 'shirube/store/purchases.ts'
import { toAccount } from './account.ts'
import { BUYER_LIMITS, type Buyer, createBuyer } from './buyer.ts'
import { createServiceCaller } from './call-service.ts'
import { loadRates, requireBuyerWallets } from './operator.ts'
import type { ServiceCaller } from './paid-calls.ts'
import { openAuthorizationReader } from './payment-use.ts'
import { createReconcile } from './settlements.ts'

/** Amounts are decimals in dollars. */
export type Spent = {
  readonly usd: string
  /** Left of the cap; 0 if it is reached. */
  readonly left: string
  readonly purchases: number
}
export type SpentOn = Spent & { readonly of: string }

export type Spending = {
  readonly caps: Readonly<Record<keyof Caps, string>>
  readonly day: Spent
  /** Highest spending first. */
  readonly services: readonly SpentOn[]
  /** By registrable domain. */
  readonly hosts: readonly SpentOn[]
  /** By payee wallet; the cap is that of hosts. */
  readonly payees: readonly SpentOn[]
  /** Purchases whose payment may still be taken, or may have been. */
  readonly uncertain: readonly Purchase[]
}

const UNCERTAIN = ['reserved', 'signed', 'unknown']

/** @param recent purchases that count against the caps now. @param open reserved or signed ones of any age */
export function toSpending(recent: readonly Purchase[], open: readonly Purchase[], caps: Caps): Spending {
  const uncertain = [...recent.filter(({ state }) => UNCERTAIN.includes(state)), ...open]
  return {
    caps: {
      perCall: fromMicroDollars(caps.perCall),
      perService: fromMicroDollars(caps.perService),
      perHost: fromMicroDollars(caps.perHost),
      perDay: fromMicroDollars(caps.perDay),
    },
    day: toSpent(recent, caps.perDay),
    services: groupBy(recent, ({ serviceId }) => serviceId ?? '', caps.perService),
    hosts: groupBy(recent, ({ host }) => host, caps.perHost),
    payees: groupBy(recent, ({ payTo, chain }) => payeeOf(payTo, chain), caps.perHost),
    uncertain: [...new Map(uncertain.map(each => [each.id, each])).values()],
  }
}

const sumOf = (purchases: readonly Purchase[]): number =>
  purchases.reduce((sum, { microUsd }) => sum + microUsd, 0)

const toSpent = (purchases: readonly Purchase[], cap: number): Spent => ({
  usd: fromMicroDollars(sumOf(purchases)),
  left: fromMicroDollars(Math.max(0, cap - sumOf(purchases))),
  purchases: purchases.length,
})

const groupBy = (
  purchases: readonly Purchase[],
  keyOf: (purchase: Purchase) => string,
  cap: number,
): SpentOn[] =>
  [...Map.groupBy(purchases, keyOf)]
    .sort(([, a], [, b]) => sumOf(b) - sumOf(a))
    .map(([of, each]) => ({ of, ...toSpent(each, cap) }))

// The user's ledger: the table of purchases in a separate file, which any number of processes can use at once.

export interface Ledger extends AsyncDisposable {
  readonly path: string
  readonly purchases: PurchaseTable
}

/** Creates a missing file, readable only by its owner. @throws DirectoryError `store_unavailable` */
export async function openLedger(path: string, clock: Clock): Promise<Ledger> {
  await using disposables = new AsyncDisposableStack()
  const store = disposables.use(await openStore(`sqlite:${path}`, { clock }))
  // A directory publishes its purchases and judges services by them; those of a user are private.
  if ((await store.byId('', 1)).length > 0)
    throw new DirectoryError(
      'store_unavailable',
      verbatim(`${path} is the database of a directory, not a ledger; name another file in LEDGER_FILE.`),
    )
  const { purchases } = store
  const owned = disposables.move()
  return {
    path,
    purchases,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

// Assembly of calls that the user pays for: the user's key, caps and ledger, and a local or remote directory.

export type DirectoryReads = Pick<
  Directory,
  'get' | 'terms' | 'resolve' | 'searchByIntent' | 'reserve' | 'reportPayment'
>

export interface Calling extends AsyncDisposable {
  readonly caller: ServiceCaller
  /** The wallets that pay. */
  readonly addresses: readonly string[]
  readonly ledger: Ledger
}

/** @throws DirectoryError if no key is set, it cannot be used, or the ledger cannot be opened */
export async function openCalling(config: Config, directory: DirectoryReads, clock: Clock): Promise<Calling> {
  const wallets = await requireBuyerWallets(config)
  await using disposables = new AsyncDisposableStack()
  const ledger = disposables.use(await openUserLedger(config, clock))
  const reader = disposables.use(openAuthorizationReader(config.rpcUrls, clock))
  const rates = await loadRates(config.rates)
  const fetch = createSafeFetch({ allowPrivate: config.allowPrivateEndpoints, limits: BUYER_LIMITS })
  const { purchases } = ledger
  const account = toAccount(directory, config.key)
  const create = (caps: Caps): Buyer =>
    createBuyer({ wallets, purchases, caps, fetch, clock, rates, reader, account })
  const caller = createServiceCaller({
    directory: {
      get: id => directory.get(id),
      terms: id => directory.terms(id),
      resolve: query => directory.resolve(query),
      find: (q, limit) => directory.searchByIntent(parseIntentQuery({ q, limit: String(limit) })),
    },
    purchases,
    createBuyer: create,
    caps: config.budget,
    askAbove: config.askAbove,
  })
  const owned = disposables.move()
  return {
    caller,
    addresses: wallets.map(({ address }) => address),
    ledger,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** @throws DirectoryError `store_unavailable` */
export async function openUserLedger(
  { ledgerFile, databaseUrl }: Pick<Config, 'ledgerFile' | 'databaseUrl'>,
  clock: Clock,
): Promise<Ledger> {
  // openLedger recognises the database of a directory by its services, so an empty one is recognised by its path.
  const directory = toFilePath(databaseUrl)
  if (directory !== undefined && isSameFile(directory, ledgerFile))
    throw new DirectoryError(
      'store_unavailable',
      verbatim(`LEDGER_FILE and DATABASE_URL name the same file, ${ledgerFile}; name another one.`),
    )
  return openLedger(ledgerFile, clock)
}

function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b)
  } catch {
    return false
  }
}

// A summary of purchases. Open ones are first looked up on chain, if there is a node.

const MAX_OPEN = 1_000
const PAGE = 500

/** The purchases that count against the caps now, newest first. */
async function recentPurchases(purchases: Pick<PurchaseTable, 'list'>, clock: Clock): Promise<Purchase[]> {
  const start = clock.now().getTime() - CAP_WINDOW_MS
  const found: Purchase[] = []
  for (let before: string | undefined; ; ) {
    const page = await purchases.list({ limit: PAGE, before })
    const within = page.filter(({ at }) => Date.parse(at) > start)
    found.push(...within.filter(({ state }) => state !== 'released'))
    if (page.length < PAGE || within.length < page.length) return found
    before = page.at(-1)!.id
  }
}

export type Summary = Spending & { readonly newest: readonly Purchase[] }

/** @param limit of the newest purchases */
export async function summarise(
  purchases: PurchaseTable,
  caps: Caps,
  clock: Clock,
  limit: number,
): Promise<Summary> {
  const [recent, open, newest] = await Promise.all([
    recentPurchases(purchases, clock),
    purchases.open(MAX_OPEN),
    purchases.list({ limit }),
  ])
  return { ...toSpending(recent, open, caps), newest }
}

export async function readSpending(
  config: Config,
  directory: Pick<Directory, 'reserve' | 'reportPayment'>,
  clock: Clock,
  limit: number,
): Promise<Summary & { readonly file: string }> {
  await using ledger = await openUserLedger(config, clock)
  using reader = openAuthorizationReader(config.rpcUrls, clock)
  const { purchases } = ledger
  const account = toAccount(directory, config.key)
  await createReconcile({ purchases, reader, clock, account, onConcluded: undefined })()
  return { ...(await summarise(purchases, config.budget, clock, limit)), file: ledger.path }
}
