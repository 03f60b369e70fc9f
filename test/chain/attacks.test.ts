// What costs nothing counts for nothing: planted on a real chain, read by the real indexer, judged by the real formula.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Entry } from '../../src/domain/listing/service.ts'
import { open } from '../catalog/listings.ts'
import { type EvmChain, openEvmChain } from './evm-chain.ts'
import { type JudgedServices, newWallet, openJudgedServices, PRICE } from './judged-services.ts'

type Address = `0x${string}`

let chain: EvmChain
let services: JudgedServices

beforeAll(async () => {
  chain = await openEvmChain()
})
afterAll(() => chain[Symbol.asyncDispose]())
beforeEach(async () => {
  services = await openJudgedServices(chain)
})
afterEach(() => services[Symbol.asyncDispose]())

describe('earns no trust', () => {
  test('dust payments from a hundred wallets', async () => {
    const [, merchant] = chain.accounts as [never, Address]
    const service = await services.claim(merchant)
    // An asking price of nearly nothing does not make customers of them either.
    const cheapMerchant = newWallet().address
    const cheap = await services.claim(cheapMerchant, '0.000001')
    const wallets = Array.from({ length: 100 }, newWallet)
    const values = wallets.map(() => 1_000n)
    await chain.payMany(
      chain.banker,
      wallets.map(({ address }) => address),
      values,
    )
    for (const dust of wallets) {
      await chain.batch(chain.banker, [
        await chain.steps.settle({ from: dust, to: merchant, value: 500n }),
        await chain.steps.settle({ from: dust, to: cheapMerchant, value: 500n }),
      ])
    }
    services.start()
    await services.caughtUp(4)
    const unpaid = await services.unpaidScore()
    expect(await services.judged(service)).toMatchObject({ txCount: 0, points: 0, trustScore: unpaid })
    expect(await services.judged(cheap)).toMatchObject({
      txCount: 100,
      payers: 100,
      tooSmall: 100,
      points: 0,
      trustScore: unpaid,
    })
  })

  test('payments to oneself, or through a circle of wallets that returns the money', async () => {
    const [, merchant] = chain.accounts as [never, Address]
    const service = await services.claim(merchant)
    await chain.settle(merchant, merchant, PRICE)
    const ring = Array.from({ length: 5 }, newWallet)
    for (const { address } of ring) await chain.pay(merchant, address, 2n * PRICE)
    for (const wallet of ring) await chain.settle(wallet, merchant, PRICE)
    services.start()
    await services.caughtUp(2)
    const trustScore = await services.unpaidScore()
    const nothing = { inRing: 5, counted: 0, points: 0, trustScore }
    expect(await services.judged(service)).toMatchObject({ txCount: 5, ...nothing })
  })

  test('services that buy from each other in a circle', async () => {
    const members = Array.from({ length: 3 }, newWallet)
    const circle: Entry[] = []
    for (const { address } of members) {
      await chain.mint(address, 10n * PRICE)
      circle.push(await services.claim(address))
    }
    for (const [index, member] of members.entries())
      for (const other of members.filter((_, at) => at !== index))
        await chain.settle(member, other.address, PRICE)
    services.start()
    await services.caughtUp(6)
    for (const service of circle)
      expect(await services.judged(service)).toMatchObject({ txCount: 2, inRing: 2, counted: 0, points: 0 })
  })

  test('a ring over a second wallet of one seller: A buys from B, B from A′, and A′ hands it on to A', async () => {
    const [first, second, between] = [newWallet(), newWallet(), newWallet()]
    const [shop, partner] = [await services.claim(second.address), await services.claim(between.address)]
    await services.claim(first.address)
    await chain.mint(first.address, PRICE)
    await chain.settle(first, between.address, PRICE)
    await chain.settle(between, second.address, PRICE)
    await chain.settle(second, first.address, PRICE)
    services.start()
    await services.caughtUp(6)
    const trustScore = await services.unpaidScore()
    for (const service of [shop, partner])
      expect(await services.judged(service)).toMatchObject({ txCount: 1, inRing: 1, points: 0, trustScore })
  })

  test('an own facilitator for dust, payments to oneself or money from the payee', async () => {
    const [, merchant, own, alice] = chain.accounts as [never, Address, Address, Address]
    const service = await services.claim(merchant)
    const wallets = Array.from({ length: 6 }, newWallet)
    const [dusty, paid] = [wallets.slice(0, 3), wallets.slice(3)]
    for (const { address } of dusty) await chain.mint(address, PRICE)
    for (const { address } of paid) await chain.pay(merchant, address, PRICE)
    for (const dust of dusty) await chain.settle(dust, merchant, PRICE / 5n, own)
    for (const each of paid) await chain.settle(each, merchant, PRICE, own)
    await chain.settle(merchant, merchant, PRICE, own)
    // What it pays by itself is one customer, and it collects like anybody: by a plain transfer.
    await chain.settle(own, merchant, PRICE, own)
    await chain.allow(alice, own)
    await chain.collect(own, alice, merchant, PRICE)
    services.start()
    await services.caughtUp(2)
    const trustScore = await services.unpaidScore()
    expect(await services.judged(service)).toMatchObject({
      txCount: 7,
      tooSmall: 3,
      inRing: 3,
      counted: 0,
      points: 0,
      trustScore,
    })
  })

  test('one customer who pays most of the total; the others still count', async () => {
    const [, merchant, whale, alice, bob] = chain.accounts as [never, Address, Address, Address, Address]
    const service = await services.claim(merchant)
    await chain.settle(whale, merchant, 100n * PRICE)
    services.start()
    await services.caughtUp(2)
    expect(await services.judged(service)).toMatchObject({ counted: 0, largestPercent: 100, points: 0 })
    for (const each of [alice, bob]) await chain.settle(each, merchant, PRICE)
    await services.caughtUp(2)
    for (;;) if ((await services.judged(service)).txCount === 3) break
    expect(await services.judged(service)).toMatchObject({ counted: 2, largestPercent: 98 })
  })

  test('the wallet of another: a stranger’s listing shows none of its points, and loses the sums to its claim', async () => {
    const [, merchant, alice, bob] = chain.accounts as [never, Address, Address, Address]
    const borrowed = await services.list(merchant, 'key_stranger')
    const named = await services.list(merchant, null)
    await services.store.update([named.id], each => ({
      entry: { ...each, standing: { ...each.standing, status: 'unverified' } },
      events: [],
    }))
    for (const each of [alice, bob]) await chain.settle(each, merchant, PRICE)
    services.start()
    await services.caughtUp(1)
    expect(await services.judged(borrowed)).toMatchObject({
      txCount: 2,
      points: 0,
      code: 'payers_uncredited',
    })
    expect((await services.store.find(named.id))!.entry.standing).toMatchObject({
      txCount: 0,
      totalRevenue: '0',
    })
    const original = await services.claim(merchant)
    await services.caughtUp(2)
    for (;;) if ((await services.judged(original)).txCount === 2) break
    expect(await services.judged(original)).toMatchObject({ txCount: 2, counted: 2, totalRevenue: '0.02' })
    expect(await services.judged(borrowed)).toMatchObject({ txCount: 0, totalRevenue: '0', points: 0 })
    // Nor does a copy that comes later freeze the count.
    await services.list(merchant, 'key_other')
    await chain.settle(alice, merchant, PRICE)
    for (;;) if ((await services.judged(original)).txCount === 3) break
  })
})

test('payers count for what a facilitator lists, unless the payee sent them the money, and not for an older copy', async () => {
  const [, merchant, alice, bob] = chain.accounts as [never, Address, Address, Address]
  const copy = await services.list(merchant, `eip155:${newWallet().address.toLowerCase()}`)
  const listed = await services.list(merchant, null)
  const sourceUrl = 'https://facilitator.payai.network/discovery/resources'
  await services.store.update([listed.id], each => ({
    entry: { ...each, provenance: { ...each.provenance, sourceUrl, origin: { key: 'a', seq: 0 } } },
    events: [],
  }))
  const funded = newWallet()
  await chain.pay(merchant, funded.address, PRICE)
  for (const each of [alice, bob, funded]) await chain.settle(each, merchant, PRICE)
  services.start()
  await services.caughtUp(2)
  expect(await services.judged(listed)).toMatchObject({ counted: 2, inRing: 1, credited: 'facilitator' })
  expect(await services.judged(copy)).toMatchObject({ txCount: 0, points: 0, code: 'payers_uncredited' })
})

test('the customers of a listed seller that is not verified at the moment do not count for who lists its wallet later', async () => {
  const [, merchant, alice, bob] = chain.accounts as [never, Address, Address, Address]
  const sourceUrl = 'https://facilitator.payai.network/discovery/resources'
  const onList = async (change: (entry: Entry) => Partial<Entry>) => {
    const { id } = await services.list(merchant, null)
    await services.store.update([id], each => {
      const provenance = { ...each.provenance, sourceUrl, origin: { key: id, seq: 0 } }
      return { entry: { ...each, provenance, ...change({ ...each, provenance }) }, events: [] }
    })
    return (await services.store.find(id))!.entry
  }
  const way = { scheme: 'exact', chain: 'eip155:8453', asset: chain.token, amount: '20000', payTo: merchant }
  await onList(({ standing, provenance }) => ({
    standing: { ...standing, status: 'unverified' },
    provenance: { ...provenance, firstSeen: '2026-01-01T00:00:00.000Z' },
    seen: {
      at: '2026-01-01T00:00:00.000Z',
      price: 'higher',
      asks: null,
      resources: [{ url: 'https://seller.example', method: 'GET', ways: [way] }],
    },
  }))
  for (const each of [alice, bob]) await chain.settle(each, merchant, 2n * PRICE)
  await services.pass(1)
  const firstSeen = new Date(Number((await chain.client.getBlock()).timestamp) * 1000 - 60_000).toISOString()
  const later = await onList(({ provenance }) => ({
    endpoint: 'https://borrower.example/v1',
    provenance: { ...provenance, firstSeen },
  }))
  services.start()
  await services.caughtUp(2)
  expect(await services.judged(later)).toMatchObject({ txCount: 0, counted: 0, points: 0 })
})

/** The gas of all transactions that it is given. */
function meter() {
  let gas = 0n
  return {
    spend: async (hash: Promise<string>) => {
      gas += (await chain.client.getTransactionReceipt({ hash: (await hash) as Address })).gasUsed
    },
    per: (count: number) => Number(gas) / count,
  }
}

describe('cannot be seen, and costs gas', () => {
  // docs/trust.md tells about 120,000.
  const expectPrice = (gas: number) => {
    expect(gas).toBeGreaterThan(100_000)
    expect(gas).toBeLessThan(150_000)
  }

  test('many payers funded by one unlisted wallet, with the money of the payee', async () => {
    const [, merchant, purse] = chain.accounts as [never, Address, Address]
    const service = await services.claim(merchant)
    const wallets = Array.from({ length: 4 }, newWallet)
    const { spend, per } = meter()
    await spend(chain.pay(merchant, purse, 4n * PRICE))
    for (const wallet of wallets) {
      await spend(chain.pay(purse, wallet.address, PRICE))
      await spend(chain.settle(wallet, merchant, PRICE))
    }
    services.start()
    await services.caughtUp(2)
    // The points of those wallets, and no more.
    expect(await services.judged(service)).toMatchObject({ counted: 4, points: 2 })
    expectPrice(per(wallets.length))
  })

  test('two wallets of one seller, each of which funds the payers of the other', async () => {
    const sellers = [newWallet(), newWallet()] as const
    const shops = [await services.claim(sellers[0].address), await services.claim(sellers[1].address)]
    const { spend, per } = meter()
    const payers = 4
    for (const [index, seller] of sellers.entries()) {
      await chain.mint(seller.address, BigInt(payers) * PRICE)
      await chain.client.setBalance({ address: seller.address, value: 10n ** 18n })
      await chain.client.impersonateAccount({ address: seller.address })
      for (const wallet of Array.from({ length: payers }, newWallet)) {
        await spend(chain.pay(seller.address, wallet.address, PRICE))
        await spend(chain.settle(wallet, sellers[1 - index]!.address, PRICE))
      }
    }
    services.start()
    await services.caughtUp(4)
    for (const shop of shops) expect(await services.judged(shop)).toMatchObject({ counted: 4, points: 2 })
    expectPrice(per(2 * payers))
  })
})

test('ten wallets with a record of one’s own making count in full after thirty days, for each service anew', async () => {
  const [, merchant, second] = chain.accounts as [never, Address, Address]
  const [service, next] = [await services.claim(merchant), await services.claim(second)]
  const shops = Array.from({ length: 3 }, newWallet)
  for (const { address } of shops) await services.claim(address)
  const wallets = Array.from({ length: 10 }, newWallet)
  const { spend, per } = meter()
  for (const { address } of wallets) await spend(chain.pay(chain.banker, address, 5n * PRICE))
  for (const wallet of wallets) await spend(chain.settle(wallet, merchant, PRICE))
  for (const { address } of shops) {
    await services.pass(1)
    for (const wallet of wallets) await spend(chain.settle(wallet, address, PRICE))
  }
  services.start()
  await services.caughtUp(10)
  expect(await services.judged(service)).toMatchObject({ established: 0, newcomers: 10 })
  // docs/trust.md tells about 300,000.
  expect(per(wallets.length)).toBeGreaterThan(200_000)
  expect(per(wallets.length)).toBeLessThan(400_000)

  await services.pass(28)
  for (const wallet of wallets) await chain.settle(wallet, second, PRICE)
  await services.caughtUp(10)
  for (;;) if ((await services.judged(next)).txCount === 10) break
  expect(await services.judged(service)).toMatchObject({ established: 10, newcomers: 0 })
  expect(await services.judged(next)).toMatchObject({ established: 0, newcomers: 10 })
})

test('no number of wallets brings a listing made of the query before a seller that had established payers first', async () => {
  const query = 'forecast for every city in Japan'
  const [, merchant, attacker] = chain.accounts as [never, Address, Address]
  const [seller, stuffed] = [await services.claim(merchant), await services.claim(attacker)]
  await services.store.update([stuffed.id], entry => ({
    entry: { ...entry, name: query, description: query, endpoint: 'https://stuffed.example/v1' },
    events: [],
  }))
  const shops = Array.from({ length: 2 }, newWallet)
  for (const { address } of shops) await services.claim(address)
  services.start()
  /** Wallets that pay the service and two others, each on a day of its own. */
  async function establish(payee: Address, count: number): Promise<void> {
    const wallets = Array.from({ length: count }, newWallet)
    for (const { address } of wallets) await chain.pay(chain.banker, address, 3n * PRICE)
    for (const address of [payee, ...shops.map(shop => shop.address)]) {
      for (const wallet of wallets) await chain.settle(wallet, address, PRICE)
      await services.pass(3)
    }
    await services.caughtUp(8)
  }
  async function found(): Promise<string[]> {
    await services.judged(seller)
    await services.judged(stuffed)
    const stored = await Promise.all([stuffed, seller].map(({ id }) => services.store.find(id)))
    const page = open(...stored.map(each => each!.entry)).search({ q: query, limit: 2, offset: 0 })
    return page.services.decode().map(({ id }) => id)
  }
  expect(await found()).toEqual([stuffed.id, seller.id])
  await establish(merchant, 3)
  await establish(attacker, 12)
  await services.pass(30)
  for (;;) if ((await services.judged(stuffed)).txCount === 12) break
  expect(await services.judged(seller)).toMatchObject({ established: 3 })
  expect(await services.judged(stuffed)).toMatchObject({ established: 12 })
  expect(await found()).toEqual([seller.id, stuffed.id])
})
