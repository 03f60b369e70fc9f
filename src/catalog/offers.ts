// What the list of x402 filters by: in which asset and to whom a service is paid, and whether anybody is there.
import { sameAddress } from '../domain/addresses.ts'
import { ASSETS, type Asset } from '../domain/assets.ts'
import { OFFER_EXTENSION, OFFER_SCHEME, OFFER_TYPE, toAccepts } from '../domain/bazaar.ts'
import type { OfferFilters } from '../domain/bazaar-query.ts'
import { chainKey } from '../domain/chains.ts'
import { toPriceWords } from '../domain/money.ts'
import type { Entry } from '../domain/service.ts'
import { grown } from './arena.ts'
import type { Columns } from './columns.ts'

export type OfferTest = {
  readonly accepts: (slot: number) => boolean
  /** How many pass, where it is known without looking at each. */
  readonly total: number | undefined
}

const numberOf = new Map(ASSETS.map(({ chain, address }, index) => [`${chain} ${address}`, index + 1]))

/** Nobody outside can make two addresses meet: the seed is another in every process. */
const SEED = crypto.getRandomValues(new BigUint64Array(1))[0]!

export class Offers {
  /** The place of the asset in the table, from 1; 0: the asset is not known, so the service is not in the list. */
  #asset = new Uint8Array(1024)
  /** 64 bits that stand for the address. */
  #payTo = new Uint32Array(2 * 1024)
  #isLive = new Uint8Array(1024)
  readonly #live = new Uint32Array(ASSETS.length + 1)
  readonly #all = new Uint32Array(ASSETS.length + 1)

  get bytes(): number {
    return this.#asset.byteLength + this.#payTo.byteLength + this.#isLive.byteLength
  }

  write(slot: number, entry: Entry): void {
    this.#growTo(slot + 1)
    this.#count(slot, -1)
    const accepts = toAccepts(entry)
    this.#asset[slot] = accepts ? numberOf.get(`${accepts.network} ${accepts.asset}`)! : 0
    this.#isLive[slot] = entry.standing.status === 'inactive' ? 0 : 1
    this.#payTo.set(toPayToWords(entry.x402Config.paymentAddress), 2 * slot)
    this.#count(slot, 1)
  }

  release(slot: number): void {
    this.#count(slot, -1)
    this.#asset[slot] = 0
  }

  /** undefined where nothing can pass. @param all with those that are inactive */
  acceptor(filters: OfferFilters, columns: Columns, { all = false } = {}): OfferTest | undefined {
    const isWanted = wantedAssets(filters)
    if (!isWanted.includes(1) || !isOffered(filters)) return undefined
    const { payTo, maxUsdPrice } = filters
    const [asset, payees, isLive] = [this.#asset, this.#payTo, this.#isLive]
    const [first, second] = payTo === undefined ? [] : toPayToWords(payTo)
    const max = maxUsdPrice === undefined ? undefined : toPriceWords(maxUsdPrice)
    // One plain expression, the rarest match in front: without an index every entry is looked at for an address.
    const accepts = (slot: number): boolean =>
      (first === undefined || (payees[2 * slot] === first && payees[2 * slot + 1] === second)) &&
      isWanted[asset[slot]!] === 1 &&
      (all || isLive[slot] === 1) &&
      (max === undefined || columns.isPricedUpTo(slot, max))
    const counts = all ? this.#all : this.#live
    const isCounted = payTo === undefined && maxUsdPrice === undefined
    return {
      accepts,
      total: isCounted ? counts.reduce((sum, count, asset) => sum + count * isWanted[asset]!, 0) : undefined,
    }
  }

  #count(slot: number, step: 1 | -1): void {
    const asset = this.#asset[slot]!
    this.#all[asset]! += step
    if (this.#isLive[slot] === 1) this.#live[asset]! += step
  }

  #growTo(slots: number): void {
    if (slots <= this.#asset.length) return
    const capacity = Math.max(slots, this.#asset.length * 2)
    this.#asset = grown(this.#asset, capacity)
    this.#payTo = grown(this.#payTo, 2 * capacity)
    this.#isLive = grown(this.#isLive, capacity)
  }
}

/** Every item is of one type and one scheme, and carries one extension. */
const isOffered = ({ type = OFFER_TYPE, scheme = OFFER_SCHEME, extensions }: OfferFilters): boolean =>
  type.toLowerCase() === OFFER_TYPE &&
  scheme.toLowerCase() === OFFER_SCHEME &&
  (extensions ?? OFFER_EXTENSION).split(',').every(key => key.trim() === OFFER_EXTENSION)

/** One for each asset that will do, by its number. */
function wantedAssets({ network, asset, maxUsdPrice }: OfferFilters): Uint8Array {
  const chain = network === undefined ? undefined : chainKey(network)
  const isWanted = (known: Asset) =>
    (chain === undefined || known.chain === chain) &&
    (asset === undefined || sameAddress(known.address, asset, known.chain)) &&
    (maxUsdPrice === undefined || known.currency === 'USD')
  return Uint8Array.from([0, ...ASSETS.map(known => (isWanted(known) ? 1 : 0))])
}

/** Hexadecimal addresses mean the same in either case; all others are told apart by it. */
function toPayToWords(address: string): [number, number] {
  const text = address.trim()
  const hash = BigInt(Bun.hash(/^0x[0-9a-f]+$/i.test(text) ? text.toLowerCase() : text, SEED))
  return [Number(hash >> 32n), Number(hash & 0xffff_ffffn)]
}
