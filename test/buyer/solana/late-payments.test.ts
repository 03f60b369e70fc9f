// A signed transaction is money until the chain takes it no more: sellers that hold it back or send it twice, and nodes that cannot tell.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Bought, createBuyer } from '../../../packages/buyer/src/buyer.ts'
import { openAuthorizationReader } from '../../../packages/buyer/src/payment-use.ts'
import { openWallet } from '../../../packages/buyer/src/wallet.ts'
import { encodeBase58 } from '../../../src/domain/chains/addresses.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { Secret } from '../../../src/runtime/secret.ts'
import { MAX_AGE, SOLANA } from '../../chain/solana/svm-chain.ts'
import { accountOf } from '../../paid/facilitator.ts'
import { signAsFeePayer } from './fee-payer.ts'
import { honest, keeps, openWorld, type World } from './world.ts'

const SELLERS = [honest, keeps]

let world: World
beforeEach(async () => {
  world = await openWorld(SELLERS)
})
afterEach(() => world[Symbol.asyncDispose]())

describe('a payment that is sent late or never', () => {
  test('counts while it can still be sent, and is found whenever it is sent', async () => {
    const bought = await world.buy(keeps)
    expect([bought.purchase.state, bought.purchase.outcome]).toEqual(['signed', null])
    const { lifetime } = bought.purchase.detail
    const { chain } = world.node
    while (chain.head('processed').height < lifetime!.lastBlock - 1) {
      chain.pass(Math.min(40, lifetime!.lastBlock - 1 - chain.head('processed').height))
      await world.reconcile()
      expect([await world.stateOf(bought), await world.counted()]).toEqual(['signed', 2_000])
    }
    chain.send(signAsFeePayer(world.held[0]!, 1))
    expect(await world.paid()).toBe(2_000)
    await world.reconcile()
    expect(await world.stateOf(bought)).toBe('settled')
  })

  test('is found even if it was sent at the last moment and looked up much later', async () => {
    const bought = await world.buy(keeps)
    const { chain } = world.node
    chain.pass(bought.purchase.detail.lifetime!.lastBlock - chain.head('processed').height)
    const signature = chain.send(signAsFeePayer(world.held[0]!, 1))
    // Many others follow, of the same wallet too.
    for (let i = 0; i < 5; i++) await world.buy(honest)
    chain.pass(5_000)
    await world.reconcile()
    expect(await world.store.purchases.find(bought.purchase.id)).toMatchObject({
      state: 'settled',
      transaction: signature,
      charged: '2000',
    })
  })

  test('is released once no block can include it any more, and not before', async () => {
    const bought = await world.buy(keeps)
    const { chain } = world.node
    chain.pass(MAX_AGE + 1)
    expect(() => chain.send(signAsFeePayer(world.held[0]!, 1))).toThrow('BlockhashNotFound')
    await world.reconcile()
    expect(await world.stateOf(bought)).toBe('signed')
    chain.pass(MAX_AGE + 2)
    await world.reconcile()
    expect([await world.stateOf(bought), await world.counted()]).toEqual(['released', 0])
    expect((await world.store.purchases.find(bought.purchase.id))!.outcome).toBe('not_settled')
  })

  test('is executed once, whatever signatures it carries', async () => {
    const bought = await world.buy(keeps)
    const { chain } = world.node
    const [a, b] = [signAsFeePayer(world.held[0]!, 1), signAsFeePayer(world.held[0]!, 2)]
    expect(encodeBase58(a!.slice(1, 65))).not.toBe(encodeBase58(b!.slice(1, 65)))
    chain.send(a!)
    expect(() => chain.send(b!)).toThrow('AlreadyProcessed')
    await world.reconcile()
    expect([await world.stateOf(bought), await world.paid()]).toEqual(['settled', 2_000])
  })

  test('is not paid again for its purpose', async () => {
    await world.buy(keeps, { purpose: 'one' })
    const again = await world.buyer.buy(world.order(keeps, { purpose: 'one' }))
    expect(again).toMatchObject({ kind: 'refused', reason: { code: 'purpose_taken' } })
  })
})

describe('a node that cannot decide', () => {
  const later = async (bought: Bought) => {
    world.node.chain.pass(400)
    await world.reconcile()
    return world.stateOf(bought)
  }

  test('because it has lost blocks, with payments in them, releases nothing', async () => {
    const { chain, lost } = world.node
    const bought = await world.buy(keeps)
    chain.pass(20)
    chain.send(signAsFeePayer(world.held[0]!, 1))
    for (const { slot } of chain.blocks.slice(-6)) lost.add(slot)
    expect([await later(bought), await world.paid()]).toEqual(['signed', 2_000])
    lost.clear()
    await world.reconcile()
    expect(await world.stateOf(bought)).toBe('settled')
  })

  test.each([
    ['the first', (slots: number[]) => slots.slice(0, 1)],
    ['one in the middle', (slots: number[]) => slots.slice(70, 71)],
    ['the last', (slots: number[]) => slots.slice(-1)],
  ])('because it has lost %s of the blocks releases nothing', async (_, pick) => {
    const { chain, lost } = world.node
    const bought = await world.buy(keeps)
    const { slot, lastBlock } = bought.purchase.detail.lifetime!
    chain.pass(400)
    const within = chain.blocks.filter(each => each.slot >= slot && each.height <= lastBlock)
    for (const each of pick(within.map(block => block.slot))) lost.add(each)
    expect(await later(bought)).toBe('signed')
    lost.clear()
    await world.reconcile()
    expect(await world.stateOf(bought)).toBe('released')
  })

  test.each(['getEpochInfo', 'getSignaturesForAddress', 'getBlock', 'getBlocksWithLimit'])(
    'because it refuses %s releases nothing',
    async refused => {
      const bought = await world.buy(keeps)
      world.node.fault = method => {
        if (method === refused) throw new Error('Transaction history is not available from this node')
      }
      expect(await later(bought)).toBe('signed')
      world.node.fault = undefined
      await world.reconcile()
      expect(await world.stateOf(bought)).toBe('released')
    },
  )

  test('because it is behind another node releases nothing', async () => {
    const bought = await world.buy(keeps)
    const { node } = world
    node.fault = method => {
      if (method === 'getSignaturesForAddress')
        throw Object.assign(new Error('Minimum context slot has not been reached'), { code: -32_016 })
    }
    expect(await later(bought)).toBe('signed')
  })

  test('of another chain, or unavailable, reserves nothing', async () => {
    const { node } = world
    using reader = openAuthorizationReader({ [SOLANA]: node.url }, systemClock)
    node.genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
    expect(await world.refusal(honest, createBuyer({ ...world.parts, reader }))).toBe('node_away')
    node.fault = () => {
      throw new Error('away')
    }
    expect(await world.refusal(honest)).toBe('node_away')
    expect(await world.store.purchases.list({ limit: 10 })).toEqual([])
  })

  test('is required, and so is a Solana key', async () => {
    using reader = openAuthorizationReader({}, systemClock)
    expect(await world.refusal(honest, createBuyer({ ...world.parts, reader }))).toBe('node_missing')
    const wallets = [await openWallet(new Secret(accountOf(5).key))]
    expect(await world.refusal(honest, createBuyer({ ...world.parts, wallets }))).toBe('key_missing')
    expect(await world.store.purchases.list({ limit: 10 })).toEqual([])
  })
})
