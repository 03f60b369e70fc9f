// What is an x402 settlement and what is only dressed as one: on a real chain, read by the real indexer.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { encodeAbiParameters, keccak256, toBytes } from 'viem'
import { BATCH, type EvmChain, openEvmChain } from './evm-chain.ts'
import { type JudgedServices, newWallet, openJudgedServices, PRICE } from './judged-services.ts'
import { EXACT_PROXY, PERMIT2 } from './permit.ts'

type Address = `0x${string}`
type Accounts = [never, Address, Address, Address, Address]

const SILENT = `0x${'51'.repeat(20)}` as const
const OWN_PROXY = `0x${'0e'.repeat(20)}` as const
const WITNESS_TYPE =
  'Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)'

let chain: EvmChain
let services: JudgedServices

beforeAll(async () => {
  chain = await openEvmChain()
  await chain.plant('SilentToken', SILENT)
  await chain.plant('ExactProxy', OWN_PROXY)
})
afterAll(() => chain[Symbol.asyncDispose]())
beforeEach(async () => {
  services = await openJudgedServices(chain)
})
afterEach(() => services[Symbol.asyncDispose]())

type Signed = Awaited<ReturnType<EvmChain['signExact']>>
const settle = ({ permit, owner, witness, signature }: Signed) => ({
  functionName: 'settle',
  args: [permit, owner, witness, signature],
})
const NO_PERMIT = { value: 0n, deadline: 0n, r: `0x${'0'.repeat(64)}`, s: `0x${'0'.repeat(64)}`, v: 27 }

describe('counts as settled', () => {
  test('a transfer by authorization, sent by anybody or collected by the payee', async () => {
    const [, merchant, alice, bob] = chain.accounts as Accounts
    const service = await services.claim(merchant)
    await chain.settle(alice, merchant, PRICE)
    await chain.settle(bob, merchant, PRICE, bob)
    await chain.receive(bob, merchant, PRICE)
    services.start()
    await services.caughtUp(2)
    expect(await services.judged(service)).toMatchObject({
      txCount: 3,
      totalRevenue: '0.03',
      payers: 2,
      counted: 1,
    })
    expect(await services.methods(merchant)).toEqual(['authorization', 'authorization', 'authorization'])
  })

  test('a transfer by Permit2 through a proxy of x402, for exact and for upto', async () => {
    const [, merchant, alice, bob] = chain.accounts as Accounts
    const service = await services.claim(merchant)
    for (const payer of [alice, bob]) await chain.approve(payer)
    await chain.settleUpto(alice, merchant, PRICE)
    await chain.call(
      'ExactProxy',
      EXACT_PROXY,
      chain.banker,
      settle(await chain.signExact(alice, merchant, PRICE)),
    )
    const { permit, owner, witness, signature } = await chain.signExact(bob, merchant, PRICE)
    await chain.call('ExactProxy', EXACT_PROXY, chain.banker, {
      functionName: 'settleWithPermit',
      args: [NO_PERMIT, permit, owner, witness, signature],
    })
    services.start()
    await services.caughtUp(2)
    expect(await services.judged(service)).toMatchObject({ txCount: 3, totalRevenue: '0.03', payers: 2 })
    expect(await services.methods(merchant)).toEqual(['permit2', 'permit2', 'permit2'])
  })

  test('a collection by a known facilitator, directly or by its contract, but not its own money', async () => {
    const [, merchant, alice, facilitator, lookalike] = chain.accounts as Accounts
    const service = await services.claim(merchant)
    for (const who of [facilitator, lookalike, BATCH] as const) await chain.allow(alice, who)
    const step = chain.steps.pay(alice, merchant, PRICE)
    await chain.collect(facilitator, alice, merchant, PRICE)
    await chain.batch(facilitator, [step])
    // Nobody knows these.
    await chain.collect(lookalike, alice, merchant, PRICE)
    await chain.batch(lookalike, [step])
    await chain.pay(facilitator, merchant, PRICE)
    services.start([facilitator, BATCH, `${lookalike.slice(0, 8)}${'0'.repeat(28)}${lookalike.slice(-6)}`])
    await services.caughtUp(2)
    expect(await services.judged(service)).toMatchObject({ txCount: 2, totalRevenue: '0.02' })
    expect(await services.methods(merchant)).toEqual(['facilitator', 'facilitator'])
  })
})

describe('is no settlement', () => {
  async function expectNothing(merchant: Address, service: Awaited<ReturnType<JudgedServices['claim']>>) {
    await services.caughtUp(2)
    expect(await services.methods(merchant)).toEqual([])
    expect(await services.judged(service)).toMatchObject({ txCount: 0, totalRevenue: '0', points: 0 })
  }

  test('a plain transfer of any size, even next to events that claim otherwise', async () => {
    const [, merchant, alice, mallory] = chain.accounts as Accounts
    const service = await services.claim(merchant)
    const other = newWallet().address
    await chain.pay(alice, merchant, 900_000_000_000n)
    await chain.allow(alice, BATCH)
    await chain.approve(mallory)
    const plain = chain.steps.pay(alice, merchant, PRICE)
    // Events of other contracts, before and after.
    await chain.batch(mallory, [chain.steps.claimAuthorization(alice), plain])
    await chain.batch(mallory, [plain, chain.steps.claimSettlement()])
    // A true authorization, and a true settlement by Permit2, of other transfers in the same transaction.
    const elsewhere = () => chain.steps.settle({ from: alice, to: other, value: 1n })
    await chain.batch(mallory, [await elsewhere(), plain])
    await chain.batch(mallory, [plain, await elsewhere()])
    await chain.batch(mallory, [plain, await chain.steps.settleUpto(mallory, other, 1n)])
    services.start()
    await expectNothing(merchant, service)
  })

  test('a transfer by Permit2 to a custom spender, or without any proxy', async () => {
    const [, merchant, alice, mallory] = chain.accounts as Accounts
    const service = await services.claim(merchant)
    await chain.approve(alice)
    const toOwn = await chain.signExact(alice, merchant, PRICE, { spender: OWN_PROXY })
    await chain.call('ExactProxy', OWN_PROXY, mallory, settle(toOwn))
    // Whoever is the spender calls Permit2 with the very witness of x402.
    const { permit, owner, signature } = await chain.signExact(alice, merchant, PRICE, { spender: mallory })
    const hash = keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'address' }, { type: 'uint256' }],
        [keccak256(toBytes('Witness(address to,uint256 validAfter)')), merchant, 0n],
      ),
    )
    await chain.call('Permit2', PERMIT2, mallory, {
      functionName: 'permitWitnessTransferFrom',
      args: [permit, { to: merchant, requestedAmount: PRICE }, owner, hash, WITNESS_TYPE, signature],
    })
    services.start()
    await expectNothing(merchant, service)
  })

  test('an authorization for another payee: the chain refuses it', async () => {
    const [, merchant, alice, mallory] = chain.accounts as Accounts
    await chain.approve(alice)
    const signed = await chain.signExact(alice, newWallet().address, PRICE)
    const turned = settle({ ...signed, witness: { ...signed.witness, to: merchant } })
    expect(chain.call('ExactProxy', EXACT_PROXY, mallory, turned)).rejects.toThrow('not signed')
  })

  test('a transfer next to the settlement of a token without events', async () => {
    const [, merchant, alice, mallory] = chain.accounts as Accounts
    const service = await services.claim(merchant)
    await chain.allow(alice, BATCH)
    const plain = chain.steps.pay(alice, merchant, PRICE)
    const silent = () => chain.signExact(mallory, merchant, PRICE, { token: SILENT })
    const proxied = chain.steps.call('ExactProxy', EXACT_PROXY, settle(await silent()))
    await chain.batch(mallory, [plain, proxied])
    // The same within the call of the proxy: the token makes somebody else pay.
    const instead = chain.steps.call('Batch', BATCH, { functionName: 'run', args: [[plain]] })
    await chain.call('SilentToken', SILENT, mallory, { functionName: 'prepare', args: [instead] })
    await chain.call('ExactProxy', EXACT_PROXY, mallory, settle(await silent()))
    services.start()
    await expectNothing(merchant, service)
  })

  test('a transfer triggered by a known facilitator in a token of a stranger', async () => {
    const [, merchant, alice, mallory, facilitator] = chain.accounts as Accounts
    const service = await services.claim(merchant)
    await chain.allow(alice, BATCH)
    const plain = chain.steps.pay(alice, merchant, PRICE)
    const instead = chain.steps.call('Batch', BATCH, { functionName: 'run', args: [[plain]] })
    await chain.call('SilentToken', SILENT, mallory, { functionName: 'prepare', args: [instead] })
    const zero = `0x${'0'.repeat(64)}`
    await chain.call('SilentToken', SILENT, facilitator, {
      functionName: 'transferWithAuthorization',
      args: [mallory, merchant, PRICE, 0n, 2n ** 63n, zero, 27, zero, zero],
    })
    services.start([facilitator])
    await expectNothing(merchant, service)
  })
})
