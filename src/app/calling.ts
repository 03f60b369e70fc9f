// Assembly of calls that the user pays for: the user's key, caps and ledger, and a local or remote directory.
import { realpathSync } from 'node:fs'
import { BUYER_LIMITS, type Buyer, createBuyer } from '../buyer/buyer.ts'
import { createServiceCaller } from '../buyer/call-service.ts'
import { openAuthorizationReader } from '../chain/authorizations.ts'
import type { Directory } from '../directory/directory.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Caps } from '../domain/purchases/caps.ts'
import type { ServiceCaller } from '../domain/purchases/paid-calls.ts'
import { parseIntentQuery } from '../domain/queries/queries.ts'
import { verbatim } from '../messages/message.ts'
import { createSafeFetch } from '../probe/requests/safe-fetch.ts'
import type { Clock } from '../runtime/clock.ts'
import { toFilePath } from '../store/open.ts'
import { loadRates, requireBuyerWallets } from './buying.ts'
import type { Config } from './config.ts'
import { type Ledger, openLedger } from './ledger.ts'

export type DirectoryReads = Pick<Directory, 'get' | 'terms' | 'resolve' | 'searchByIntent'>

export interface Calling extends AsyncDisposable {
  readonly caller: ServiceCaller
  /** The wallets that pay. */
  readonly addresses: readonly string[]
  readonly ledger: Ledger
}

/** @throws DirectoryError if no key is set, it cannot be used, or the ledger cannot be opened */
export async function openCalling(config: Config, directory: DirectoryReads, clock: Clock): Promise<Calling> {
  const wallets = await requireBuyerWallets(config)
  await using parts = new AsyncDisposableStack()
  const ledger = parts.use(await openUserLedger(config, clock))
  const reader = parts.use(openAuthorizationReader(config.rpcUrls, clock))
  const rates = await loadRates(config.rates)
  const fetch = createSafeFetch({ allowPrivate: config.allowPrivateEndpoints, limits: BUYER_LIMITS })
  const { purchases, recent } = ledger
  const create = (caps: Caps): Buyer => createBuyer({ wallets, purchases, caps, fetch, clock, rates, reader })
  const caller = createServiceCaller({
    directory: {
      get: id => directory.get(id),
      terms: id => directory.terms(id),
      resolve: query => directory.resolve(query),
      find: (q, limit) => directory.searchByIntent(parseIntentQuery({ q, limit: String(limit) })),
    },
    purchases,
    recent,
    createBuyer: create,
    caps: config.budget,
    askAbove: config.askAbove,
  })
  const owned = parts.move()
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
