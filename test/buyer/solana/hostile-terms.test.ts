// Terms that would have the wallet sign something else, or pay something else than was quoted.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createBuyer } from '../../../packages/buyer/src/buyer.ts'
import { decodeMessage, messageIn } from '../../../packages/buyer/src/solana-message.ts'
import { TOKEN_2022_PROGRAM } from '../../../src/domain/solana.ts'
import { FEE_PAYER, solanaAccountOf } from '../../chain/solana/facilitator.ts'
import { MAX_AGE } from '../../chain/solana/svm-chain.ts'
import { signAsFeePayer } from './fee-payer.ts'
import { payeeOf, toTerms } from './ground.ts'
import { honest, keeps, openWorld, seller, type World } from './world.ts'

const PYUSD = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'
const NEVER_LISTED = solanaAccountOf(77).address
const STRANGE_HASH = solanaAccountOf(78).address

const own = seller('wants the wallet to pay the fee', {
  terms: toTerms({}, 2, { feePayer: solanaAccountOf(5).address }),
})
const aged = seller('brings a blockhash of its own', {
  ...honest,
  terms: toTerms({}, 3, { recentBlockhash: STRANGE_HASH, lastValidBlockHeight: 1 }),
})
const noting = seller('notes always the same', { terms: toTerms({}, 4, { memo: 'thanks' }) })
const feeless = seller('names nobody for the fee', { terms: toTerms({}, 5, { feePayer: undefined }) })
const broke = seller('has no account for the token', {
  ...honest,
  terms: { ...toTerms({}, 6), payTo: NEVER_LISTED },
})
const taxed = seller('is paid in a token that keeps a fee', {
  ...honest,
  terms: { ...toTerms({}, 7), asset: PYUSD },
})
const borrows = seller('names the payment of another', {
  paid: ({ told }) =>
    Response.json({ ok: true }, { headers: told({ success: true, transaction: borrowed }) }),
})
let borrowed = ''
const hides = seller('takes the money, refuses, and names nonsense', {
  paid: async ({ settle, told }) => {
    await settle()
    return new Response('', { status: 500, headers: told({ success: true, transaction: borrowed }) })
  },
})
const first = seller('honest, of version 1', { ...honest, version: 1 })
const long = seller('wants a novel noted', { terms: toTerms({}, 10, { memo: 'x'.repeat(257) }) })
const SELLERS = [honest, keeps, own, aged, noting, feeless, broke, taxed, borrows, first, long, hides]

let world: World
beforeEach(async () => {
  world = await openWorld(SELLERS)
})
afterEach(() => world[Symbol.asyncDispose]())

describe('a seller that', () => {
  test('makes the wallet pay the fee gets no signature', async () => {
    expect(await world.refusal(own)).toBe('signing_failed')
    const [kept] = await world.store.purchases.list({ limit: 10 })
    expect([kept?.state, kept?.nonce, await world.counted()]).toEqual(['released', null, 0])
    expect(world.held).toEqual([])
  })

  test('names no fee payer, or an overlong memo, gets no signature', async () => {
    expect(await world.refusal(feeless)).toBe('way_not_payable')
    expect(await world.refusal(long)).toBe('signing_failed')
    expect([world.held, await world.counted()]).toEqual([[], 0])
  })

  test('sends its own blockhash is paid with that of the node', async () => {
    const { purchase } = await world.buy(aged)
    expect([purchase.state, await world.paid()]).toEqual(['settled', 2_000])
    const { blockhash } = decodeMessage(messageIn(Buffer.from(world.held[0]!, 'base64'))!)!
    expect(world.node.chain.blocks.map(({ hash }) => hash)).toContain(blockhash)
    expect(purchase.detail.lifetime!.lastBlock).toBeGreaterThan(MAX_AGE)
  })

  test('always sends the same memo gets the same transaction signed once', async () => {
    await world.buy(noting)
    expect(await world.refusal(noting)).toBe('reservation_lost')
    expect(world.held.length).toBe(1)
    // The next block makes another transaction of it.
    world.node.chain.pass(1)
    await world.buy(noting)
    expect(new Set(world.held).size).toBe(2)
    await world.reconcile()
    expect((await world.store.purchases.list({ limit: 10 })).map(({ state }) => state)).toEqual([
      'signed',
      'released',
      'signed',
    ])
  })

  test('cannot be paid receives nothing: the transaction fails or is not made', async () => {
    const bought = await world.buy(broke)
    expect(bought.purchase.state).toBe('signed')
    // The facilitator has seen it fail beforehand; it can be sent all the same.
    const { chain } = world.node
    chain.send(signAsFeePayer(world.held[0]!, 1))
    expect(chain.processed.at(-1)!.err).not.toBeNull()
    await world.reconcile()
    expect(await world.stateOf(bought)).toBe('signed')
    chain.pass(400)
    await world.reconcile()
    expect([await world.stateOf(bought), await world.paid()]).toEqual(['released', 0])
  })

  test('is paid in a token with a transfer fee gets less, and the wallet pays the quoted amount', async () => {
    const { chain } = world.node
    const token = { mint: PYUSD, program: TOKEN_2022_PROGRAM, hasFee: true }
    chain.createMint(PYUSD, { program: TOKEN_2022_PROGRAM, feeBasisPoints: 500 })
    chain.fund(world.payer, 10_000n, token)
    chain.fund(payeeOf(7), 0n, token)
    const { purchase } = await world.buy(taxed, { asset: PYUSD })
    expect(purchase).toMatchObject({ state: 'settled', charged: '2000', asset: PYUSD })
    expect(chain.balance(world.payer, token)).toBe(8_000n)
    expect(chain.balance(payeeOf(7), token)).toBe(1_900n)
  })

  test('names the payment of another is not believed', async () => {
    borrowed = (await world.buy(honest)).purchase.transaction!
    const { purchase } = await world.buy(borrows)
    expect([purchase.state, purchase.transaction]).toEqual(['signed', null])
    expect(purchase.detail.reasons.map(({ code }) => code)).toContain('settlement_missing')
    world.node.chain.pass(400)
    await world.reconcile()
    expect([await world.counted(), await world.paid()]).toEqual([2_000, 2_000])
  })

  test.each(['1'.repeat(64), '1'.repeat(88), '2'.repeat(88), 'x', '0x00', '?'])(
    'settles and names %s as the transaction is still found',
    async named => {
      borrowed = named
      const bought = await world.buy(hides)
      expect([bought.purchase.state, bought.purchase.outcome]).toEqual(['settled', 'refused_after_payment'])
    },
  )

  test('uses version 1 is paid', async () => {
    const { purchase } = await world.buy(first)
    expect([purchase.state, purchase.detail.x402Version]).toEqual(['settled', 1])
  })
})

test('a quote shows what would be signed, and signs nothing', async () => {
  const quoted = await world.buyer.quote(world.order(honest))
  expect(quoted).toMatchObject({ kind: 'quoted', offer: { family: 'svm', feePayer: FEE_PAYER.address } })
  expect([world.held, await world.store.purchases.list({ limit: 10 })]).toEqual([[], []])
})

test('spending is bounded by the caps as on any chain', async () => {
  const caps = { perCall: 10_000, perService: 100_000, perHost: 100_000, perDay: 5_000 }
  const capped = createBuyer({ ...world.parts, caps })
  for (let i = 0; i < 2; i++) expect((await capped.buy(world.order(keeps))).kind).toBe('bought')
  expect(await world.refusal(keeps, capped)).toBe('cap_passed')
})
