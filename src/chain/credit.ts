// Which listings have which payment address, by the store's feed, and which of them a settlement counts for.
import { addressKey, addressProblem, sameAddress } from '../domain/chains/addresses.ts'
import { type Asset, findAsset, isSameMoney } from '../domain/chains/assets.ts'
import { chainKey } from '../domain/chains/chains.ts'
import { creditGround, toBackingFacts } from '../domain/listing/backing.ts'
import type { Entry } from '../domain/listing/service.ts'
import { toDecimal } from '../domain/money/money.ts'
import { CREDIT_GROUNDS } from '../domain/standing/standing.ts'
import type { SeenRequirements } from '../domain/terms/terms.ts'
import type { SettlementRecord } from '../store/payments.ts'
import type { Change } from '../store/store.ts'

/**
 * Rights to credit, best first: the wallet claimed the service; its terms match the listing, now or when it last responded, with a
 * ground for credit and without; its endpoint demands payment to the wallet, though not as listed.
 */
const RIGHTS = [...CREDIT_GROUNDS, 'verified', 'asking'] as const
type Right = (typeof RIGHTS)[number]

/** A service that payments to its address can count for. Its fields are hashed into the stored name of a plan. */
export type Candidate = {
  readonly serviceId: string
  readonly currency: string
  readonly right: Right
  /** Whether payments would count for it as soon as it is verified. */
  readonly hasGround: boolean
  /** When it was listed here, in milliseconds since the epoch. */
  readonly sinceMs: number
  /** Identifies who listed it: several services of one owner are distinguished by price. */
  readonly hand: string
  /** Prices last observed, in its currency; the listed price if none was. */
  readonly prices: readonly string[]
  /** Earlier payments do not count. */
  readonly movedAt?: string
}

/** @returns undefined for a hidden entry, or one that is neither claimed by the wallet nor observed to demand payment to it */
export function toCandidate(entry: Entry): Candidate | undefined {
  const { id, owner, pricing, provenance, movedAt, endpoint } = entry
  const options = requirementsToListed(entry)
  const right = rightOf(entry, options.length > 0)
  // Payments never count for a hidden listing, which may be an impostor's.
  if (!right || entry.hidden) return undefined
  const observedPrices = options.flatMap(({ chain, asset, amount }) => {
    const knownAsset = findAsset(chain, asset)
    const hasPrice = knownAsset && isComparable(pricing.currency, knownAsset)
    return hasPrice ? [toDecimal(BigInt(amount), knownAsset.decimals)] : []
  })
  return {
    serviceId: id,
    currency: pricing.currency,
    right,
    hasGround: creditGround(entry) !== null,
    sinceMs: toBackingFacts(entry).sinceMs,
    hand: owner ?? `${provenance.sourceUrl ?? ''} ${new URL(endpoint).origin}`,
    prices: observedPrices.length > 0 ? [...new Set(observedPrices)].sort() : [pricing.pricePerRequest],
    ...(movedAt !== undefined && { movedAt }),
  }
}

/** The requirements last observed at its endpoint that pay the listed address on the listed network. */
function requirementsToListed({ seen, x402Config: { network, paymentAddress } }: Entry): SeenRequirements[] {
  const chain = chainKey(network)
  const paysListed = (requirements: SeenRequirements) =>
    requirements.chain === chain && sameAddress(requirements.payTo, paymentAddress, chain)
  return (seen?.resources ?? []).flatMap(({ ways }) => ways.filter(paysListed))
}

/** A service that has failed since keeps its rank: a copy that still responds does not take over. */
function rightOf(entry: Entry, isSeenHere: boolean): Right | undefined {
  const ground = creditGround(entry)
  if (ground === 'claim') return ground
  const { status } = entry.standing
  if (status === 'verified' || (status === 'inactive' && isSeenHere)) return ground ?? 'verified'
  return isSeenHere ? 'asking' : undefined
}

/** By ground, then by age. */
export const compareCandidates = (a: Candidate, b: Candidate): number =>
  RIGHTS.indexOf(a.right) - RIGHTS.indexOf(b.right) ||
  a.sinceMs - b.sinceMs ||
  (a.serviceId < b.serviceId ? -1 : 1)

/**
 * Finds the first candidate with this currency and a matching price. Its owner may have several services at the address: of those the
 * one with the exact price. A stranger's copy ranks later, or has no claim, and takes nothing away.
 * @param candidates in the order of `compareCandidates`
 */
export function creditTo(payment: SettlementRecord, candidates: readonly Candidate[]): string | null {
  const asset = findAsset(payment.chain, payment.asset)
  if (!asset) return null
  const { inOrder, byPrice } = preparedFor(candidates, asset)
  const amount = toUnits(payment.amount)
  const fits = ({ serviceId, movedAt = '', units }: Prepared) =>
    // A payment that was sufficient when read stays sufficient: raising a price does not lose past payments.
    (serviceId === payment.serviceId || units.some(price => isEnough(amount, price))) && payment.at >= movedAt
  const first = inOrder.find(fits)
  if (!first) return null
  const isOfOwner = ({ right, hand }: Prepared) =>
    first.right === 'claim' ? right === 'claim' : hand === first.hand
  const exact = byPrice.get(amount)?.find(each => isOfOwner(each) && fits(each))
  return (exact ?? first).serviceId
}

type Prepared = Candidate & {
  /** The prices, as `toUnits` gives them. */
  readonly units: readonly bigint[]
}
type PreparedFor = {
  readonly inOrder: readonly Prepared[]
  readonly byPrice: ReadonlyMap<bigint, readonly Prepared[]>
}

/** By candidates, then by symbol of the asset. Anybody can add candidates, and each payment to the address is compared with them. */
const prepared = new WeakMap<readonly Candidate[], Map<string, PreparedFor>>()

/** The candidates for payments in the asset. */
function preparedFor(candidates: readonly Candidate[], asset: Asset): PreparedFor {
  const byAsset = prepared.getOrInsertComputed(candidates, () => new Map<string, PreparedFor>())
  return byAsset.getOrInsertComputed(`${asset.symbol} ${asset.currency}`, () => prepare(candidates, asset))
}

function prepare(candidates: readonly Candidate[], asset: Asset): PreparedFor {
  const inOrder = candidates
    .filter(({ currency }) => isComparable(currency, asset))
    .map(candidate => ({ ...candidate, units: candidate.prices.map(toUnits) }))
  const byPrice = new Map<bigint, Prepared[]>()
  for (const each of inOrder)
    for (const price of new Set(each.units)) byPrice.getOrInsertComputed(price, () => []).push(each)
  return { inOrder, byPrice }
}

const isComparable = (listed: string, { symbol, currency }: Asset): boolean =>
  isSameMoney(listed, symbol) || isSameMoney(listed, currency)

/** exact: the price itself. near: at least a tenth of it. */
export function priceFit({ prices }: Candidate, amount: string): 'exact' | 'near' | 'dust' {
  const units = toUnits(amount)
  if (prices.some(price => toUnits(price) === units)) return 'exact'
  return prices.some(price => isEnough(units, toUnits(price))) ? 'near' : 'dust'
}

/** Less than a tenth of a price buys nothing: it is dust, sent to make a service look used. */
const isEnough = (units: bigint, price: bigint): boolean => units * 10n >= price

/** In units of 10^-18: no known asset has smaller ones. */
function toUnits(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}

// Tracks which services list which payment address on the chains read, by following the store's feed.

type PayeeOnChain = { readonly chain: string; readonly address: string }

/** The candidates for payments to an address. The name changes with them. */
type Plan = { readonly name: string; readonly candidates: readonly Candidate[] }

type Address = { readonly listed: Map<string, Candidate | undefined>; plan: Plan | undefined }

export class PayeeListings {
  readonly #addresses: ReadonlyMap<string, Map<string, Address>>
  readonly #payees = new Map<string, PayeeOnChain>()

  /** @param chains CAIP-2 ids; services on others are ignored */
  constructor(chains: readonly string[]) {
    this.#addresses = new Map(chains.map(chain => [chain, new Map()]))
  }

  apply(changes: readonly Change[]): void {
    for (const { id, entry } of changes) {
      this.#remove(id)
      const payee = entry && this.#payeeOf(entry)
      if (!payee) continue
      this.#payees.set(id, payee)
      const addresses = this.#addresses.get(payee.chain)!
      const address = addresses.get(payee.address) ?? { listed: new Map(), plan: undefined }
      address.listed.set(id, toCandidate(entry))
      address.plan = undefined
      addresses.set(payee.address, address)
    }
  }

  /** The listed addresses, normalized. */
  payees(chain: string): string[] {
    return [...(this.#addresses.get(chain)?.keys() ?? [])]
  }

  /** Addresses with a service whose payers can count. */
  creditedPayees(chain: string): string[] {
    return [...(this.#addresses.get(chain) ?? [])]
      .filter(([, { listed }]) => listed.values().some(each => each?.hasGround))
      .map(([payee]) => payee)
  }

  /**
   * Whether a wallet signed that the address is its own. Anybody can list the address of an exchange or a pool, and each of its
   * transfers costs requests; only an owner can claim one, and would pay the fees of its transfers.
   */
  isClaimed(chain: string, payee: string): boolean {
    const listed = this.#addresses.get(chain)?.get(payee)?.listed
    return listed?.values().some(each => each?.right === 'claim') === true
  }

  planOf(chain: string, payee: string): Plan {
    const address = this.#addresses.get(chain)?.get(payee)
    if (!address) return toPlan([])
    address.plan ??= toPlan([...address.listed.values()].filter(each => each !== undefined))
    return address.plan
  }

  /** All services that list the address, whether payments can count for them or not. */
  servicesAt(chain: string, payee: string): string[] {
    return [...(this.#addresses.get(chain)?.get(payee)?.listed.keys() ?? [])]
  }

  #payeeOf(entry: Entry): PayeeOnChain | undefined {
    const { network, paymentAddress } = entry.x402Config
    const chain = chainKey(network)
    // Sample data is invented.
    if (!this.#addresses.has(chain) || entry.sample) return undefined
    if (addressProblem(paymentAddress, chain)) return undefined
    return { chain, address: addressKey(paymentAddress, chain) }
  }

  #remove(id: string): void {
    const payee = this.#payees.get(id)
    if (!payee) return
    this.#payees.delete(id)
    const addresses = this.#addresses.get(payee.chain)!
    const address = addresses.get(payee.address)!
    address.listed.delete(id)
    address.plan = undefined
    if (address.listed.size === 0) addresses.delete(payee.address)
  }
}

/** What was paid before it was listed belongs to the older listing: one that is not verified would lend its customers to a stranger. */
function withoutEarlier(each: Candidate, listed: readonly Candidate[]): Candidate {
  const { right, hand, sinceMs } = each
  const isBehind = listed.some(other => other.hasGround && other.hand !== hand && other.sinceMs < sinceMs)
  return right !== 'claim' && isBehind ? { ...each, movedAt: new Date(sinceMs).toISOString() } : each
}

function toPlan(listed: readonly Candidate[]): Plan {
  const candidates = listed.toSorted(compareCandidates).map(each => withoutEarlier(each, listed))
  const hasher = new Bun.CryptoHasher('sha256').update(JSON.stringify(candidates))
  return { name: hasher.digest('hex').slice(0, 32), candidates }
}
