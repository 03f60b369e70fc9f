// Assembly of the buyer for an operator: its wallet, its caps, the ledger in the store, and the operator's own nodes.

import type { Config } from 'shirube/app/config.ts'
import { fetchRates, watchRates } from 'shirube/app/rates.ts'
import { DirectoryError } from 'shirube/domain/errors.ts'
import { NO_RATES, type Rates } from 'shirube/domain/money/rates.ts'
import { say, verbatim } from 'shirube/messages/message.ts'
import { createSafeFetch } from 'shirube/probe/requests/safe-fetch.ts'
import type { Clock } from 'shirube/runtime/clock.ts'
import type { Store } from 'shirube/store/store.ts'
import { type Bought, BUYER_LIMITS, type Buyer, createBuyer, type Refused, type Unpaid } from './buyer.ts'
import { toSampleOrder } from './order.ts'
import { type OfferView, toOfferView } from './paid-calls.ts'
import { openAuthorizationReader } from './payment-use.ts'
import { applyPurchases, applyUnapplied, type BuyingDeps, openBuyingRounds } from './rounds.ts'
import { openWallets, readKeyFile, type Wallet, WalletError } from './wallet.ts'

export type BuyOptions = {
  readonly purpose: string
  /** Returns what would be signed, and pays nothing. */
  readonly dryRun: boolean
  /** Buys even if the guard advises caution. */
  readonly caution: boolean
}

/** The result of a dry run. */
type WouldBuy = { readonly kind: 'would_pay'; readonly offer: OfferView }

export interface Buying extends Disposable {
  readonly buyer: Buyer
  /** @throws DirectoryError `not_found`, `no_terms` */
  buy(id: string, options: BuyOptions): Promise<Bought | WouldBuy | Unpaid | Refused>
  /** Looks up open purchases on chain, and reports concluded ones that were not reported yet. */
  reconcile(): Promise<void>
}

/** undefined if no key is set. @throws WalletError */
export async function openBuyerWallets({
  buyerKeyFile,
}: Pick<Config, 'buyerKeyFile'>): Promise<Wallet[] | undefined> {
  return buyerKeyFile === undefined ? undefined : openWallets(readKeyFile(buyerKeyFile))
}

/** @throws DirectoryError `invalid_request` if no key is set, or if it cannot be used */
export async function requireBuyerWallets(config: Config): Promise<Wallet[]> {
  const wallets = await openBuyerWallets(config).catch(error => {
    if (!(error instanceof WalletError)) throw error
    throw new DirectoryError('invalid_request', verbatim(error.message))
  })
  if (!wallets) throw new DirectoryError('invalid_request', say('buyer_key_missing'))
  return wallets
}

/** @throws DirectoryError like `requireBuyerWallets` */
export async function openBuying(
  config: Config,
  store: Pick<Store, 'purchases' | 'find' | 'terms' | 'update' | 'paidTo'>,
  clock: Clock,
  readRates?: () => Rates,
): Promise<Buying> {
  const wallets = await requireBuyerWallets(config)
  const rates = readRates ?? (await loadRates(config.rates))
  const reader = openAuthorizationReader(config.rpcUrls, clock)
  const buyer = createBuyer({
    wallets,
    purchases: store.purchases,
    caps: config.budget,
    fetch: createSafeFetch({ allowPrivate: config.allowPrivateEndpoints, limits: BUYER_LIMITS }),
    clock,
    rates,
    reader,
    async onConcluded({ serviceId }) {
      if (serviceId !== null) await applyPurchases(store, serviceId, clock)
    },
  })
  return {
    buyer,
    async buy(id, { purpose, dryRun, caution }) {
      const [stored, terms] = await Promise.all([store.find(id), store.terms.of(id)])
      if (!stored) throw new DirectoryError('not_found', say('service_unknown', { id }))
      if (!terms) throw new DirectoryError('no_terms', say('terms_never_seen'))
      const order = toSampleOrder(stored.entry, terms, { purpose, clock })
      if ('code' in order) return { kind: 'refused', reason: order }
      if (!dryRun) return buyer.buy({ ...order, ...(caution && { approve: async () => true }) })
      const quoted = await buyer.quote(order)
      if (quoted.kind !== 'quoted') return quoted
      const { offer } = quoted
      const exceededCap = await buyer.findCap(offer, order)
      const payer = buyer.payerFor(purpose, offer)
      return {
        kind: 'would_pay',
        offer: toOfferView(offer, order, { payer, doubts: [], asks: [], exceededCap }),
      }
    },
    async reconcile() {
      await buyer.reconcile()
      await applyUnapplied(store, clock)
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  }
}

export async function loadRates(source: string | undefined): Promise<() => Rates> {
  if (source === undefined) return () => NO_RATES
  const rates = await fetchRates({ source, request: createSafeFetch({ allowPrivate: true }) })
  return () => rates
}

/** Buys from verified services in turn, within the budget. @throws DirectoryError if no key or no budget is set, or a key cannot be used */
export async function openPaidVerification(
  config: Config,
  store: Store,
  clock: Clock,
  { onTrouble, onRefused }: Pick<BuyingDeps, 'onTrouble' | 'onRefused'>,
): Promise<AsyncDisposable & { readonly addresses: readonly string[] }> {
  if (config.budget.perDay === 0)
    throw new DirectoryError('invalid_request', verbatim('Nothing is bought until BUDGET_PER_DAY is set.'))
  await using disposables = new AsyncDisposableStack()
  const request = createSafeFetch({ allowPrivate: true })
  const rates = disposables.use(await watchRates(config.rates, { request, clock, onTrouble }))
  const buying = disposables.use(await openBuying(config, store, clock, () => rates.now))
  const { buyer } = buying
  const { perCall } = config.budget
  disposables.use(
    openBuyingRounds({ store, buyer, perCall, rates: () => rates.now, clock, onTrouble, onRefused }),
  )
  const owned = disposables.move()
  return { addresses: buyer.addresses, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
