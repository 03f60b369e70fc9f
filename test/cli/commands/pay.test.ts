// A person calls a service and pays for it, by the real command line, on a real chain.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { deliver } from '../../calling/sellers.ts'
import { openWorld, type World } from '../../calling/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld(5, [{ name: 'City Weather' }, { name: 'Weather by query', method: 'GET' }])
}, 240_000)
afterAll(() => world[Symbol.asyncDispose]())

const INPUT = ['--input', '{"city":"Kyoto","days":2}']
const call = (args: readonly string[], ledger = 'pay', settings: Record<string, string> = {}) =>
  world.folder.run(['call', world.ids[0]!, '--pay', ...args], { env: world.env(ledger, settings) })
const paidTimes = () => world.sellers.flatMap(({ asked }) => asked).filter(each => each === 'paid').length

describe('nothing is paid', () => {
  test.each<[string, string[], Record<string, string>, string]>([
    ['without a terminal and without --yes', INPUT, {}, 'There is no terminal to confirm the payment'],
    ['without a key', ['--yes', ...INPUT], { BUYER_KEY_FILE: '' }, 'No key is set to pay with'],
    ['without a budget', ['--yes', ...INPUT], { BUDGET_PER_DAY: '0' }, 'of the $0 for 24 hours'],
    ['above --max', ['--yes', '--max', '0.001', ...INPUT], {}, 'of the $0.001 for one call, $0 are spent'],
    [
      'above the cap, whatever --max says',
      ['--yes', '--max', '1', '--per-call', '0.001', ...INPUT],
      {},
      'of the $0.001 for one call',
    ],
    ['without the field that is needed', ['--yes'], {}, 'city is missing'],
    [
      'for a field of another type',
      ['--yes', '--input', '{"city":"Kyoto","days":"two"}'],
      {},
      'days must be integer',
    ],
    [
      'for a field out of bounds',
      ['--yes', '--input', '{"city":"Kyoto","days":15}'],
      {},
      'days must be at most 14',
    ],
    ['for what is no JSON', ['--yes', '--input', 'Kyoto'], {}, '--input must be JSON'],
    [
      'for an amount that is none',
      ['--yes', '--max', 'much', ...INPUT],
      {},
      '--max must be an amount of dollars',
    ],
    [
      'into the database of a directory',
      ['--yes', '--ledger', 'directory.db', ...INPUT],
      { DATABASE_URL: 'sqlite:directory.db' },
      'name the same file',
    ],
  ])('%s', async (_, args, settings, expected) => {
    if (settings.DATABASE_URL) await Bun.write(join(world.folder.path, 'directory.db'), '')
    const { code, stdout, stderr } = await call(args, 'none', settings)
    expect(stderr).toContain(expected)
    expect([code === 0, stdout]).toEqual([false, ''])
    expect(paidTimes()).toBe(0)
  })

  test('by a flag that needs --pay', async () => {
    const { code, stderr } = await world.folder.run(['call', world.ids[0]!, '--yes'])
    expect([code, stderr.split('\n')[0]]).toEqual([2, '--yes needs --pay: without it, nothing is called.'])
  })
})

test('a dry run shows what would be signed, and keeps and pays nothing', async () => {
  const { code, stdout } = await call(['--dry-run', ...INPUT], 'dry')
  expect(code).toBe(0)
  expect(stdout).toContain(`a transfer of 0.002 USDC ($0.002) to ${world.sellers[0]!.payTo} on eip155:8453`)
  expect(stdout).toContain('Guard       clear')
  const spent = await world.folder.run(['spent', '--json'], { env: world.env('dry') })
  expect(JSON.parse(spent.stdout)).toMatchObject({ day: { usd: '0', left: '1', purchases: 0 }, newest: [] })
  expect(paidTimes()).toBe(0)
})

test('pays, prints the answer alone on standard output and the receipt on standard error, and keeps it', async () => {
  const before = await world.paidOnChain()
  const { code, stdout, stderr } = await call(['--yes', ...INPUT])
  expect([code, JSON.parse(stdout)]).toEqual([0, { sunny: true, input: { city: 'Kyoto', days: 2 } }])
  expect(stderr).toContain(`Paid        0.002 USDC ($0.002) to ${world.sellers[0]!.payTo} on eip155:8453`)
  expect(stderr).toMatch(/Transaction 0x[0-9a-f]{64}\nPurchase {4}pur_/)
  expect((await world.paidOnChain()) - before).toBe(2_000)
  expect(stdout + stderr).not.toContain(world.payer.key.slice(2))

  const file = join(world.folder.path, 'pay.db')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const spent = await world.folder.run(['spent'], { env: world.env('pay') })
  expect(spent.stdout).toContain('In 24 hours  $0.002 for 1 purchase; $0.998 of $1 are left')
  expect(spent.stdout).toMatch(new RegExp(`${world.ids[0]} +1 +\\$0.002 +\\$0.048`))
  const { hostname } = new URL(`http://${world.sellers[0]!.host}`)
  expect(spent.stdout).toMatch(new RegExp(`${hostname} +1 +\\$0.002 +\\$0.248`))
})

test("without a node, the settlement is the seller's claim, and is told as such", async () => {
  const env = { ...world.env('claimed'), RPC_URL_BASE: '' }
  const { code, stderr } = await world.folder.run(['call', world.ids[0]!, '--pay', '--yes', ...INPUT], {
    env,
  })
  expect(code).toBe(0)
  expect(stderr).toContain(
    'State       not checked on chain: the seller says that it was settled, delivered\n',
  )
  expect(stderr).toMatch(/^Transaction 0x[0-9a-f]{64}, the seller's claim$/m)
  const spent = await world.folder.run(['spent'], { env })
  expect(spent.stdout).toMatch(/pur_\w+ +claimed +delivered/)
  const { newest } = JSON.parse((await world.folder.run(['spent', '--json'], { env })).stdout)
  expect(newest).toMatchObject([{ state: 'settled', isClaim: true, charged: null }])
})

test('sends the query of a GET and pays once per purpose', async () => {
  const env = world.env('purpose')
  const args = ['call', world.ids[1]!, '--pay', '--yes', '--json', '--purpose', 'once', ...INPUT]
  const first = JSON.parse((await world.folder.run(args, { env })).stdout)
  expect(first).toMatchObject({
    receipt: { outcome: 'delivered', state: 'settled', charged: '2000', payer: world.payer.address },
    answer: { status: 200, encoding: 'text' },
  })
  expect(world.sellers[1]!.sold.at(-1)).toEqual({ city: 'Kyoto', days: '2' })
  const again = await world.folder.run(args, { env })
  expect(again.code).toBe(1)
  expect(again.stderr).toContain(
    `this purpose was paid for before, by the purchase ${first.receipt.purchaseId}`,
  )
  expect(JSON.parse(again.stdout)).toMatchObject({ receipt: first.receipt, answer: null })
  const spent = await world.folder.run(['spent'], { env: { ...env, BUDGET_PER_DAY: '' } })
  expect(spent.stdout).toContain('$0.002 for 1 purchase; no cap is set here (--per-day, BUDGET_PER_DAY)')
})

test('control characters do not reach a terminal, and binary answers reach a pipe unchanged', async () => {
  const [seller] = world.sellers as [World['sellers'][0]]
  const answer =
    (body: string | Uint8Array, type: string): typeof deliver =>
    async ({ settle, told }) =>
      new Response(body as never, { headers: { 'content-type': type, ...told(await settle()) } })
  seller.onPaid = answer('\u001b[2J\u202eevil', 'text/plain')
  expect((await call(['--yes', ...INPUT])).stdout).toBe('\ufffd[2J\ufffdevil\n')
  const bytes = new Uint8Array([137, 80, 0, 255, 10])
  seller.onPaid = answer(bytes, 'image/png')
  const output = join(world.folder.path, 'picture')
  await call(['--yes', '--output', output, ...INPUT])
  expect(await Bun.file(output).bytes()).toEqual(bytes)
  seller.onPaid = deliver
})

test('a refused payment is reported as refused, and counts against the caps', async () => {
  const [seller] = world.sellers as [World['sellers'][0]]
  seller.onPaid = async () => new Response('{"error":"no"}', { status: 500 })
  const args = ['--yes', '--purpose', 'refused once', ...INPUT]
  const { code, stdout, stderr } = await call(args, 'refused')
  seller.onPaid = deliver
  expect([code, JSON.parse(stdout)]).toEqual([1, { error: 'no' }])
  expect(stderr).toContain('State       signed')
  const spent = await world.folder.run(['spent', '--json'], { env: world.env('refused') })
  expect(JSON.parse(spent.stdout)).toMatchObject({
    day: { usd: '0.002', purchases: 1 },
    uncertain: [{ state: 'signed', transaction: null }],
  })
  // Nobody knows yet whether it is taken.
  const again = await call(args, 'refused')
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining('this purpose was paid for before, or may have been, by the purchase '),
  ])
})

test('on a terminal it shows the price, the wallet and the host, and pays only after confirmation', async () => {
  const env = world.env('terminal')
  const before = paidTimes()
  const type = (answer: string) =>
    world.folder.runOnTerminal(['call', world.ids[0]!, '--pay', ...INPUT], 200, env, answer)
  const refused = await type('n\n')
  expect(refused).toContain(`($0.002) to ${world.sellers[0]!.payTo}`)
  expect(refused).toContain(`Host        ${world.sellers[0]!.host}`)
  expect(refused).toContain('Pay $0.002? [y/N]')
  expect(refused).toContain('Nothing was paid. The payment was not approved.')
  expect(paidTimes()).toBe(before)
  expect(await type('y\n')).toContain('"sunny":true')
  expect(paidTimes()).toBe(before + 1)
})
