// Assembly of paid verification: off unless a key and a budget are set.
import { openBuyingRounds } from '../buyer/rounds.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { DirectoryError } from '../domain/errors.ts'
import { CAP_WINDOW_MS } from '../domain/purchases/caps.ts'
import type { PurchaseMeter } from '../domain/purchases/purchases.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Store } from '../store/store.ts'
import { type Buying, openBuying } from './buying.ts'
import { type Config, ConfigError } from './config.ts'

/** undefined if paid verification is off. @throws ConfigError if the key cannot be used */
export async function openPaidVerification(
  config: Config,
  {
    store,
    catalog,
    clock,
    log,
  }: {
    readonly store: Store
    readonly catalog: Pick<Catalog, 'rates'>
    readonly clock: Clock
    readonly log: Pick<Log, 'info' | 'warn'>
  },
): Promise<(AsyncDisposable & PurchaseMeter) | undefined> {
  const { buyerKey, buyerKeySolana, buyerKeyFile, budget } = config
  const hasKey = [buyerKey, buyerKeySolana, buyerKeyFile].some(key => key !== undefined)
  if (!hasKey || budget.perDay === 0) return undefined
  const rates = () => catalog.rates
  const buying = await openBuying(config, store, clock, rates).catch(toConfigError)
  const rounds = openBuyingRounds({
    store,
    buyer: buying.buyer,
    perCall: budget.perCall,
    rates,
    clock,
    onTrouble: (message, error) => log.warn(message, { error }),
  })
  log.info('buying', { addresses: buying.buyer.addresses })
  return {
    perDay: budget.perDay,
    refused: rounds.refused,
    figures: () => store.purchases.figures(new Date(clock.now().getTime() - CAP_WINDOW_MS)),
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]()
      buying[Symbol.dispose]()
    },
  }
}

function toConfigError(error: unknown): Buying {
  if (!(error instanceof DirectoryError)) throw error
  throw new ConfigError([error.message])
}
