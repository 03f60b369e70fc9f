// An operator buys from a listed service, by the real command line.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import type { PurchasesAnswer } from '../../../src/domain/purchases/purchases-view.ts'
import type { Trust } from '../../../src/domain/standing/trust.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import type { HostileMerchant } from '../../buyer/hostile-merchants.ts'
import { openHostileMerchants, payeeOf } from '../../buyer/hostile-server.ts'
import { toListing } from '../../buyer/order.ts'
import { keyFileOf } from '../../calling/key-file.ts'
import { accountOf } from '../../paid/facilitator.ts'
import { probeNow } from '../../probe-now.ts'
import { type Folder, openFolder } from '../shirube.ts'

const payer = accountOf(8)
const told = { success: true, transaction: `0x${'cd'.repeat(32)}`, network: 'eip155:8453' }
const SELLERS: readonly HostileMerchant[] = [
  {
    name: 'honest',
    mimeType: 'application/json',
    paid: paid => Response.json({ sunny: true }, { headers: paid.told(told) }),
    outcome: 'delivered',
  },
  {
    name: 'fresh',
    mimeType: 'application/json',
    paid: paid => Response.json({ fresh: true }, { headers: paid.told(told) }),
    outcome: 'delivered',
  },
  { name: 'refusing', paid: () => new Response('', { status: 500 }), outcome: 'not_settled' },
]
const server = openHostileMerchants({ url: 'http://127.0.0.1:9' }, SELLERS)
const listings = SELLERS.map((seller, i) =>
  toListing(seller, { url: server.url(seller), payTo: payeeOf(i), clock: systemClock }),
)
let folder: Folder
let env: Record<string, string>

beforeAll(async () => {
  folder = await openFolder({ ALLOW_PRIVATE_ENDPOINTS: 'on', DATABASE_URL: 'sqlite:shirube.db' })
  await using store = await openStore(`sqlite:${folder.path}/shirube.db`, { clock: systemClock })
  await store.insert(listings)
  const path = await folder.file('buyer.key', payer.key)
  chmodSync(path, 0o600)
  env = { BUYER_KEY_FILE: path, BUDGET_PER_DAY: '0.005' }
  for (const { id } of listings) await probeNow(`sqlite:${folder.path}/shirube.db`, id)
})
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const [honest, fresh, refusing] = listings.map(({ id }) => id) as [string, string, string]
const paidTimes = () => SELLERS.flatMap(server.asked).filter(asked => asked === 'paid').length

test('without a key, or without a budget, nothing is bought', async () => {
  const bare = await folder.run(['buy', honest])
  expect(bare).toMatchObject({ code: 1, stdout: '' })
  expect(bare.stderr).toContain('No key is set to pay with')
  const poor = await folder.run(['buy', honest], { env: { ...env, BUDGET_PER_DAY: '0' } })
  expect(poor).toMatchObject({ code: 1, stdout: '' })
  expect(poor.stderr).toContain('of the $0 for 24 hours, $0 are spent')
  expect(poor.stderr).toContain('Nothing is bought until BUDGET_PER_DAY is set.')
  const unset = await folder.run(['spent', '--operator'], { env: { ...env, BUDGET_PER_DAY: '0' } })
  expect(unset.stdout).toContain('$0 for 0 purchases; nothing is bought until BUDGET_PER_DAY is set')
  const wrong = await folder.run(['spent', '--operator'], {
    env: { BUYER_KEY_FILE: keyFileOf(`${payer.key}00`) },
  })
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).not.toContain(payer.key.slice(2, 20))
  expect(paidTimes()).toBe(0)
})

test('a dry run shows what would be signed', async () => {
  const { code, stdout } = await folder.run(['buy', honest, '--dry-run'], { env })
  expect(code).toBe(0)
  expect(stdout).toContain(`Would sign  a transfer of 0.002 USDC ($0.002) to ${payeeOf(0)} on eip155:8453`)
  expect(stdout).toContain('Guard       clear')
  expect(stdout).not.toContain('Cap ')
  const poor = { ...env, BUDGET_PER_DAY: '0.001' }
  const passed = await folder.run(['buy', honest, '--dry-run'], { env: poor })
  expect(passed.code).toBe(1)
  expect(passed.stdout).toContain('Would sign  a transfer of 0.002 USDC')
  expect(passed.stdout).toMatch(/^Cap {9}.*of the \$0\.001 for 24 hours, \$0 are spent/m)
  const told = await folder.run(['buy', honest, '--dry-run', '--json'], { env: poor })
  expect(JSON.parse(told.stdout).exceededCap).toContain('$0.001 for 24 hours')
  expect(paidTimes()).toBe(0)
})

test('buys once for a purpose, within the caps, and shows the result and the spending', async () => {
  const bought = await folder.run(['buy', honest, '--purpose', 'first', '--json'], { env })
  expect(bought.code).toBe(0)
  expect(JSON.parse(bought.stdout)).toMatchObject({
    outcome: 'delivered',
    state: 'settled',
    payer: payer.address,
    transaction: told.transaction,
  })
  const again = await folder.run(['buy', honest, '--purpose', 'first'], { env })
  expect(again.stderr).toContain('It was already bought for this purpose')
  const failed = await folder.run(['buy', refusing], { env })
  expect(failed.code).toBe(1)
  expect(failed.stdout).toContain('State       unknown')
  const full = await folder.run(['buy', honest], { env })
  expect(full.stderr).toContain('of the $0.005 for 24 hours, $0.004 are spent or reserved')
  const dry = await folder.run(['buy', honest, '--dry-run'], { env })
  expect([dry.code, dry.stdout]).toEqual([1, expect.stringContaining('$0.004 are spent or reserved')])

  const { stdout } = await folder.run(['spent', '--operator'], { env })
  expect(stdout).toContain(`Wallet       ${payer.address}`)
  expect(stdout).toContain('In 24 hours  $0.004 for 2 purchases')
  const json = JSON.parse((await folder.run(['spent', '--operator', '--json'], { env })).stdout)
  expect(json).toMatchObject({
    caps: { perCall: '0.01', perDay: '0.005' },
    day: { usd: '0.004', purchases: 2 },
  })
  expect(paidTimes()).toBe(2)
})

test('a service that is not listed, or never asked for payment, is not bought', async () => {
  expect((await folder.run(['buy', 'svc_unknown'], { env })).stderr).toContain(
    'There is no service with the id',
  )
})

test('without an id it buys from services in turn, and every interface of the server shows the purchase', async () => {
  await using serving = await folder.serve()
  const { cmd, ...options } = folder.command(['buy'], { ...env, BUDGET_PER_DAY: '0.02' })
  const buying = Bun.spawn(cmd, { ...options, stdout: 'pipe', stderr: 'pipe' })
  const read = async () =>
    (await (await fetch(`${serving.url}/api/services/${fresh}/purchases`)).json()) as PurchasesAnswer
  while ((await read()).purchases.length === 0) await Bun.sleep(20)
  expect(await read()).toMatchObject({
    // No node is set: that it was paid is the seller's word, which is told as such and gives nothing.
    delivery: { purchases: 0, delivered: 0, failing: false },
    purchases: [{ outcome: 'delivered', request: { madeUp: false }, charged: null, transaction: null }],
  })
  const page = await (await fetch(`${serving.url}/services/${fresh}?lang=en`)).text()
  expect(page).toContain('<h3>Purchases</h3>')
  expect(page).toContain('this was not checked on chain')
  const trust = (await (await fetch(`${serving.url}/api/services/${fresh}/trust`)).json()) as Trust
  expect(trust.components.at(-1)).toMatchObject({
    name: 'delivery',
    points: 0,
    most: 40,
    code: 'payments_unseen',
  })
  expect(trust.components.reduce((sum, { points }) => sum + (points ?? 0), 0)).toBe(trust.trustScore)
  buying.kill('SIGTERM')
  expect(await buying.exited).toBe(0)
  const printed = (await buying.stderr.text()) + (await buying.stdout.text())
  expect(printed).toContain(payer.address)
  expect(printed).not.toContain(payer.key.slice(2))
})

test('without a budget, or with an invalid key, nothing is bought and the key is not repeated', async () => {
  const poor = await folder.run(['buy'], { env: { ...env, BUDGET_PER_DAY: '0' } })
  expect([poor.code, poor.stderr]).toEqual([1, 'Nothing is bought until BUDGET_PER_DAY is set.\n'])
  const key = `${payer.key.slice(0, -2)}zz`
  const { code, stderr } = await folder.run(['buy'], {
    env: { BUYER_KEY_FILE: keyFileOf(key), BUDGET_PER_DAY: '1' },
  })
  expect(code).toBe(1)
  expect(stderr).toContain('The key must be 64 hexadecimal digits')
  expect(stderr).not.toContain(key.slice(2, 30))
})
