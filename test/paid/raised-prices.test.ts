// A snippet pays what it was made for. A merchant who asks for more between the reading and the call is sent no signature.
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { toCall } from '../../src/domain/call/call.ts'
import { draft } from '../entries.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { readMerchant } from './read-merchant.ts'

const PAYEE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const EURC = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42'
const LISTED = { ...draft({ x402Config: { network: 'base', paymentAddress: PAYEE } }), id: 'svc_raised' }
const folder = temporaryPath('snippets')

type Terms = Readonly<Record<string, unknown>>
const WAY: Terms = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '2500',
  asset: USDC,
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2', facilitatorAddress: PAYEE },
}

/** What the merchant asks for just now, and whether a signature has come. */
let version: 1 | 2 = 2
let ways: readonly Terms[] = []
let isPaid = false
const merchant = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    if (request.headers.has('payment-signature') || request.headers.has('x-payment')) {
      isPaid = true
      return new Response('paid')
    }
    if (version === 2) {
      const required = { x402Version: 2, resource: { url: request.url }, accepts: ways }
      const headers = { 'payment-required': btoa(JSON.stringify(required)) }
      return Response.json({}, { status: 402, headers })
    }
    const accepts = ways.map(({ amount, network, ...way }) => ({
      ...way,
      network: network === 'eip155:8453' ? 'base' : network,
      maxAmountRequired: amount,
      resource: request.url,
      description: '',
      mimeType: '',
    }))
    return Response.json({ x402Version: 1, accepts, error: '' }, { status: 402 })
  },
})
const url = `http://127.0.0.1:${merchant.port}/v1/weather`

beforeAll(() => {
  mkdirSync(folder)
  symlinkSync(join(import.meta.dir, '../../node_modules'), join(folder, 'node_modules'))
  process.env.EVM_PRIVATE_KEY = `0x${'1'.repeat(64)}`
})
afterAll(() => {
  delete process.env.EVM_PRIVATE_KEY
  merchant.stop(true)
})

let snippets = 0
/** Runs the snippet that was made while the merchant asked for one thing, when it asks for another. */
async function run(told: readonly Terms[], asked: readonly Terms[]): Promise<string> {
  ways = told
  const snippet = toCall(LISTED, await readMerchant(url, 'GET'), 'typescript')
  expect(snippet).toContain('At most')
  const file = join(folder, `snippet-${++snippets}.ts`)
  await Bun.write(file, snippet)
  ways = asked
  isPaid = false
  const log = spyOn(console, 'log').mockImplementation(() => {})
  try {
    return await import(file).then(
      () => 'done',
      (error: Error) => error.message,
    )
  } finally {
    log.mockRestore()
  }
}

describe.each<[string, 1 | 2, Terms]>([
  ['version 2', 2, WAY],
  ['version 1', 1, WAY],
  ['a maximum', 2, { ...WAY, scheme: 'upto' }],
])('of %s', (_, of, told) => {
  test.each<[string, readonly Terms[]]>([
    ['the price that was told', [told]],
    ['less', [{ ...told, amount: '1' }]],
    ['more, beside what was told', [{ ...told, amount: '99999' }, told]],
  ])('%s is paid', async (_, asked) => {
    version = of
    expect(await run([told], asked)).toBe('done')
    expect(isPaid).toBe(true)
  })

  test('what was seen above the listed price is not, before the reader raises the limit', async () => {
    version = of
    const bait = { ...told, amount: '50000' }
    expect(await run([bait], [bait])).not.toBe('done')
    expect(isPaid).toBe(false)
    expect(await run([bait], [told])).toBe('done')
  })

  test.each<[string, Terms]>([
    ['one unit more', { amount: '2501' }],
    [
      'all there is',
      { amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935' },
    ],
    ['an amount that is no whole number', { amount: '2500.5' }],
    ['an amount in words of a program', { amount: '0x9c4' }],
    ['an amount below zero', { amount: '-1' }],
    ['another payee', { payTo: `0x${'2'.repeat(40)}` }],
    ['another asset', { asset: EURC, extra: { name: 'EURC', version: '2' } }],
    ['another network', { network: 'eip155:137' }],
    ['more of another asset', { asset: EURC, amount: '999999', extra: { name: 'EURC', version: '2' } }],
  ])('%s is not', async (_, change) => {
    version = of
    expect(await run([told], [{ ...told, ...change }])).not.toBe('done')
    expect(isPaid).toBe(false)
  })
})
