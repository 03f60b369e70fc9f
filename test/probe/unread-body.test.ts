// An answer of which a part cannot be read here: the rest proves nothing, because clients of version 1 read the body to its end.
import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { privateKeyToAccount } from 'viem/accounts'
import { wrapFetchWithPayment } from 'x402-fetch'
import type { Conclusion } from '../../src/probe/conclude.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { answerOf, openHostile } from './hostile.ts'
import { listing, onBase, openMerchant, STRANGER } from './merchant.ts'

const probe = createProbe({
  fetch: createSafeFetch({ allowPrivate: true }),
  userAgent: 'Shirube-Prober/1',
  random: () => 1,
})
const honest = { ...onBase, extra: { name: 'USD Coin', version: '2' } }
const HONEST_HEADER = Buffer.from(
  JSON.stringify({ x402Version: 2, resource: { url: 'https://weather.test/v1' }, accepts: [honest] }),
).toString('base64')
const { amount, ...rest } = honest
const requirements = (payTo: string) => ({
  ...rest,
  payTo,
  network: 'base',
  maxAmountRequired: amount,
  resource: 'https://weather.test/v1',
  description: '',
  mimeType: '',
})
const terms = (payTo: string, more = {}) =>
  JSON.stringify({ x402Version: 1, ...more, accepts: [requirements(payTo)] })
const PADDING = 'x'.repeat(300 * 1024)
const THIEF = terms(STRANGER, { error: PADDING })
const headers = { 'content-type': 'application/json', 'PAYMENT-REQUIRED': HONEST_HEADER }
const answer = (body: string | Uint8Array<ArrayBuffer>, more = {}) =>
  new Response(body, { status: 402, headers: { ...headers, ...more } })

const codesOf = ({ reasons }: Conclusion): string[] => reasons.map(({ code }) => code)

/** Whom the official client of version 1 pays. */
async function paidBy(url: string, sent: readonly Headers[]): Promise<string | undefined> {
  const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
  await wrapFetchWithPayment(fetch, account as never)(url).catch(() => undefined)
  const header = sent.at(-1)?.get('x-payment')
  return header ? JSON.parse(atob(header)).payload.authorization.to : undefined
}

test.each([
  ['is longer than is read', () => answer(THIEF), 'body_too_large'],
  [
    'unfolds to more than is read',
    () => answer(gzipSync(THIEF), { 'content-encoding': 'gzip' }),
    'body_too_large',
  ],
])('a thief in a body that %s, beside an honest header, is not payable', async (_, response, code) => {
  await using merchant = openMerchant({ '/v1': response })
  const endpoint = `${merchant.url}/v1`
  const outcome = await probe({ ...listing, endpoint })
  expect(outcome).toMatchObject({ outcome: 'unpayable', payments: [] })
  expect(codesOf(outcome)).toContain(code)
  expect(outcome.checks).toContainEqual(expect.objectContaining({ check: 'readable_terms', passed: false }))
  // This is what the refusal is for.
  expect(await paidBy(endpoint, merchant.headers)).toBe(STRANGER)
})

test('a body in an unknown encoding is not payable, whatever its header says', async () => {
  await using merchant = openMerchant({ '/v1': () => answer('?', { 'content-encoding': 'dcb' }) })
  const outcome = await probe({ ...listing, endpoint: `${merchant.url}/v1` })
  expect(outcome.outcome).toBe('unpayable')
  expect(codesOf(outcome)).toContain('body_undecodable')
})

test('a response with a truncated body counts as none, whatever its header says', async () => {
  await using merchant = await openHostile(socket =>
    socket.end(`${answerOf('402 Pay', { ...headers, 'Content-Length': '5000' })}${terms(STRANGER)}`),
  )
  const outcome = await probe({ ...listing, endpoint: `${merchant.url}v1` })
  expect(outcome.outcome).toBe('unreachable')
  expect(codesOf(outcome)).toContain('closed_in_answer')
})

test.each([
  ['is too long', () => answer(THIEF), 'body_too_large'],
  [
    'has more ways than are read',
    () =>
      new Response(JSON.stringify({ x402Version: 1, accepts: Array(101).fill(requirements(STRANGER)) }), {
        status: 402,
      }),
    'too_many_ways',
  ],
  [
    'has a way that only others can read',
    () =>
      new Response(
        JSON.stringify({ x402Version: 1, accepts: [{ ...requirements(STRANGER), payTo: null }] }),
        { status: 402 },
      ),
    'field_not_text',
  ],
])('an honest answer to POST does not make up for one to GET that %s', async (_, response, code) => {
  await using merchant = openMerchant({ 'GET /v1': response, 'POST /v1': () => answer('{}') })
  const outcome = await probe({ ...listing, endpoint: `${merchant.url}/v1` })
  expect(outcome.outcome).toBe('unpayable')
  expect(JSON.stringify(outcome.reasons)).toContain(`"${code}"`)
})

test('an unreadable payment option on an unlisted network has no effect', async () => {
  const foreign = { ...requirements(STRANGER), network: 'polygon', payTo: null }
  await using merchant = openMerchant({
    'GET /v1': () => new Response(JSON.stringify({ x402Version: 1, accepts: [foreign] }), { status: 402 }),
    'POST /v1': () => answer('{}'),
  })
  expect((await probe({ ...listing, endpoint: `${merchant.url}/v1` })).outcome).toBe('payable')
})
