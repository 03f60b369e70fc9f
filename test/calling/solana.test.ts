// A service that is paid on Solana is bought like any other: by a directory that proves it, by its operator, by an agent and by a person.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { decodeBase58 } from '../../src/domain/chains/addresses.ts'
import type { HostileMerchant } from '../buyer/hostile-merchants.ts'
import { type HostileServer, openHostileMerchants } from '../buyer/hostile-server.ts'
import { payeeOf, toTerms } from '../buyer/solana/ground.ts'
import { openSolanaFacilitator, solanaAccountOf } from '../chain/solana/facilitator.ts'
import { SOLANA, USDC } from '../chain/solana/svm-chain.ts'
import { openSvmNode, type SvmNode } from '../chain/solana/svm-node.ts'
import { call } from '../mcp/connect.ts'
import { accountOf } from '../paid/facilitator.ts'
import { keyFileOf } from './key-file.ts'
import { type ListedSeller, listSeller } from './listed-seller.ts'

const GOOD = { city: 'Kyoto', degrees: 18 }
const SELLER: HostileMerchant = {
  name: 'weather',
  terms: toTerms({}, 0, { memo: 'City Weather' }),
  paid: async ({ settle, told }) => Response.json(GOOD, { headers: told(await settle()) }),
  outcome: 'delivered',
}
const FUNDS = 1_000_000n
const [operator, user] = [solanaAccountOf(31), solanaAccountOf(32)]
const parts = new AsyncDisposableStack()
let node: SvmNode
let server: HostileServer
let listed: ListedSeller

beforeAll(async () => {
  node = parts.use(openSvmNode())
  for (const { address } of [operator, user]) node.chain.fund(address, FUNDS)
  node.chain.fund(payeeOf(0), 0n)
  server = parts.use(openHostileMerchants(parts.use(await openSolanaFacilitator(node)), [SELLER]))
  listed = parts.use(
    await listSeller(
      { endpoint: server.url(SELLER), paymentAddress: payeeOf(0), network: 'solana' },
      {
        chain: { RPC_URL_SOLANA: node.url },
        operator: { BUYER_KEY_FILE: keyFileOf(operator.key) },
        user: { BUYER_KEY_FILE: keyFileOf(user.key) },
      },
    ),
  )
}, 120_000)
afterAll(() => parts.disposeAsync())

const paidBy = ({ address }: { readonly address: string }) => Number(FUNDS - node.chain.balance(address))
/** The memo is the same each time: another block makes another transaction of it. */
const nextBlock = () => node.chain.pass(1)

test('a directory with a budget buys from it by itself, and publishes the evidence', async () => {
  const { purchases, delivery } = await listed.bought()
  expect(delivery).toMatchObject({ purchases: 1, delivered: 1, failing: false })
  expect(purchases).toMatchObject([{ outcome: 'delivered', charged: '2000' }])
  expect(node.chain.processed.map(({ signature }) => signature)).toContain(purchases[0]!.transaction!)
  expect(paidBy(operator)).toBe(2_000)
})

test('its operator previews what would be signed, buys, and reads the budget', async () => {
  const { folder, id, settings } = listed
  const env = { ...settings, BUYER_KEY_FILE: keyFileOf(operator.key) }
  const dry = await folder.run(['buy', id, '--dry-run', '--json'], { env })
  expect(JSON.parse(dry.stdout)).toMatchObject({
    signs: 'Solana transaction with one TransferChecked',
    chain: SOLANA,
    asset: USDC,
    payTo: payeeOf(0),
    atomic: '2000',
  })
  nextBlock()
  const good = await folder.run(['buy', id], { env })
  expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('State       settled, delivered')])
  const budget = await folder.run(['spent', '--operator'], { env })
  expect(budget.stdout).toContain(`Wallet       ${operator.address}`)
  expect(budget.stdout).toContain('In 24 hours  $0.004')
  expect(paidBy(operator)).toBe(4_000)
})

test('without a key of this kind, or without a node, nothing is paid and the reason is given', async () => {
  const { folder, id, settings } = listed
  const { RPC_URL_SOLANA: _, ...nodeless } = settings
  for (const [env, told] of [
    [
      { ...settings, BUYER_KEY_FILE: keyFileOf(accountOf(3).key) },
      'It is paid on Solana, for which no wallet key is set',
    ],
    [{ ...nodeless, BUYER_KEY_FILE: keyFileOf(operator.key) }, 'no RPC_URL_… is set for it'],
    [{ ...settings, BUYER_KEY_FILE: keyFileOf(`${operator.key}1`) }, 'The key of Solana must be 64 bytes'],
  ] as const) {
    const refused = await folder.run(['buy', id], { env: { ...env } })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(told)])
    expect(refused.stderr).not.toContain(operator.key)
  }
  expect(paidBy(operator)).toBe(4_000)
})

test('an agent goes from a sentence to a paid answer', async () => {
  const { id } = listed
  await using client = await listed.connectAgent()
  const dry = await call(client, 'call_service', { id, dryRun: true })
  expect(dry.content.offer).toMatchObject({
    chain: SOLANA,
    payer: user.address,
    payTo: payeeOf(0),
    usd: '0.002',
  })
  expect(paidBy(user)).toBe(0)
  nextBlock()
  const { content } = await call(client, 'call_service', { sentence: 'weather of a city' })
  expect(content).toMatchObject({
    paid: true,
    receipt: { outcome: 'delivered', state: 'settled', charged: '2000', chain: SOLANA },
  })
  expect(paidBy(user)).toBe(2_000)
})

test('a person pays with a key file of solana-keygen, and the ledger records it', async () => {
  const { folder, id, userEnv } = listed
  const file = await folder.file('user.json', JSON.stringify([...decodeBase58(user.key)!]))
  chmodSync(file, 0o600)
  const env = { ...userEnv('person'), BUYER_KEY_FILE: file }
  nextBlock()
  const paid = await folder.run(['call', id, '--pay', '--yes'], { env })
  expect([paid.code, JSON.parse(paid.stdout)]).toEqual([0, GOOD])
  const [last] = node.chain.processed.slice(-1)
  expect(paid.stderr).toContain(`Transaction ${last!.signature}`)
  const spent = await folder.run(['spent', '--json'], { env })
  expect(spent.stdout).toContain(last!.signature)
  expect(paidBy(user)).toBe(4_000)
  for (const text of [paid.stdout, paid.stderr, spent.stdout]) expect(text).not.toContain(user.key)
})
