// Every TypeScript snippet runs as pasted: it finds the price it was made for, pays it on a real chain, and gets its answer.
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { toCall } from '../../src/domain/call/call.ts'
import { type EvmChain, openEvmChain } from '../chain/evm-chain.ts'
import { draft } from '../entries.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { accountOf, type Facilitator, openFacilitator } from './facilitator.ts'
import { type Merchant, openMerchant, type Shape, shapeOf } from './merchants.ts'
import { readMerchant } from './read-merchant.ts'

/** After so many numbers no new combination comes up. */
const NUMBERS = 300

/**
 * RUNS=<number> takes so many as they come. Otherwise each brings a new combination of version, style, method and scheme, or a word
 * to a style or a method that has not had it.
 */
function pickShapes(): Shape[] {
  const { RUNS } = process.env
  if (RUNS !== undefined) return Array.from({ length: Number(RUNS) }, (_, number) => shapeOf(number))
  const seen = new Set<string>()
  return Array.from({ length: NUMBERS }, (_, number) => shapeOf(number)).filter(shape => {
    const { version, style, method, scheme, word } = shape
    const brought = [[version, style, method, scheme].join(), `${style},${word}`, `${method},${word}`]
    const isNew = brought.some(each => !seen.has(each))
    for (const each of brought) seen.add(each)
    return isNew
  })
}

const payer = accountOf(5)
const folder = temporaryPath()
let chain: EvmChain
let facilitator: Facilitator
let merchants: Merchant[] = []

beforeAll(async () => {
  chain = await openEvmChain()
  await chain.approve(payer.address)
  facilitator = openFacilitator(chain)
  merchants = pickShapes().map(shape => openMerchant(facilitator.url, shape))
  await Bun.$`mkdir -p ${folder}`
  symlinkSync(join(import.meta.dir, '../../node_modules'), join(folder, 'node_modules'))
  process.env.EVM_PRIVATE_KEY = payer.key
}, 120_000)

afterAll(async () => {
  delete process.env.EVM_PRIVATE_KEY
  for (const merchant of merchants) await merchant[Symbol.asyncDispose]()
  await facilitator?.[Symbol.asyncDispose]()
  await chain?.[Symbol.asyncDispose]()
})

test(
  'merchants of all kinds are paid what they ask, each by its own snippet',
  async () => {
    const log = spyOn(console, 'log').mockImplementation(() => {})
    try {
      for (const [number, { url, shape }] of merchants.entries()) {
        const terms = await readMerchant(url, shape.method)
        const x402Config = { network: 'base', paymentAddress: shape.payTo }
        const pricing = { currency: 'USDC', pricePerRequest: '1', freeQuota: 0 }
        const listed = { ...draft({ x402Config, pricing }), id: `svc_${number}` }
        const snippet = toCall(listed, terms, 'typescript')
        const file = join(folder, `snippet-${number}.ts`)
        await Bun.write(file, snippet)
        log.mockClear()
        const before = facilitator.settled.length
        await import(file).catch((error: Error) => {
          throw new Error(`${JSON.stringify(shape)}: ${error.message}\n${snippet}`)
        })
        const [[status, body], [, receipt]] = log.mock.calls as [[number, string], [string, string]]
        expect({ number, shape, status, body }).toMatchObject({
          status: 200,
          body: expect.stringContaining('"sunny":true'),
        })
        expect(JSON.parse(atob(receipt))).toMatchObject({ success: true, payer: payer.address })
        expect(facilitator.settled.slice(before).map(({ payTo }) => payTo.toLowerCase())).toEqual([
          shape.payTo,
        ])
      }
    } finally {
      log.mockRestore()
    }
  },
  { timeout: 300_000 },
)
