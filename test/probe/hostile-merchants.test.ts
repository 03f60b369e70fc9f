// Merchants that lie: each is asked over HTTP like any other, and where the official client would sign something else than what is
// listed, the probe must not call it payable.
import { describe, expect, test } from 'bun:test'
import { type Rates, readRates } from '../../src/domain/money/rates.ts'
import type { Conclusion, Target } from '../../src/probe/conclude.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { answerOf, openHostile } from './hostile.ts'
import { listing, onBase, onSolana, openMerchant, PAYEE, STRANGER, USDC_ON_BASE } from './merchant.ts'
import { type Signed, signedBy } from './official-client.ts'

const probe = createProbe({
  fetch: createSafeFetch({ allowPrivate: true }),
  userAgent: 'Shirube-Prober/1',
  random: () => 1,
})

const LISTED = 2500n
const honest = { ...onBase, extra: { name: 'USD Coin', version: '2' } }
const thief = { ...honest, payTo: STRANGER }
const dear = { ...honest, amount: '5000000' }
const USDC_ON_POLYGON = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const EURC_ON_BASE = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42'
const onPolygon = { ...honest, network: 'eip155:137', asset: USDC_ON_POLYGON }
const { amount: _, ...rest } = honest
const toV1 = (requirements: typeof honest) => ({
  ...requirements,
  network: 'base',
  maxAmountRequired: requirements.amount,
  amount: undefined,
  resource: 'https://weather.test/v1',
  description: '',
  mimeType: '',
})

const USDC_ON_SEPOLIA = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const IN_YEN = readRates({ base: 'USD', date: '2026-11-16', rates: { JPY: 154.2, EUR: 0.86 } }) as Rates
const withFee = (bps: number) => ({
  ...honest.extra,
  captureAuthorizer: PAYEE,
  captureDeadline: 4_000_000_000,
  refundDeadline: 4_000_000_000,
  feeRecipient: STRANGER,
  minFeeBps: bps,
  maxFeeBps: bps,
})

const json = (value: unknown) => JSON.stringify(value)
const encode = (text: string) => Buffer.from(text).toString('base64')
const termsV2 = (...accepts: readonly unknown[]) =>
  json({ x402Version: 2, resource: { url: 'https://weather.test/v1' }, accepts })
const termsV1 = (...accepts: readonly unknown[]) => json({ x402Version: 1, error: 'Pay', accepts })
/** The text of the terms as the header says them; the body may say something else. */
const answer = (header: string | undefined, body: string | Uint8Array<ArrayBuffer> = '{}'): Response =>
  new Response(body, {
    status: 402,
    headers: {
      'content-type': 'application/json',
      ...(header !== undefined && { 'PAYMENT-REQUIRED': header }),
    },
  })
const v2 = (...accepts: readonly unknown[]) => answer(encode(termsV2(...accepts)))
const asks =
  (...accepts: readonly unknown[]) =>
  () =>
    v2(...accepts)
const v1 = (...accepts: readonly unknown[]) => answer(undefined, termsV1(...accepts))
/** The way in the header, and the one in the body. */
const both = (header: typeof honest, body: typeof honest) =>
  answer(encode(termsV2(header)), termsV1(toV1(body)))
const toStranger = { to: STRANGER }
const toStrangerOn = (chainId: number) => ({ ...toStranger, chainId })
const tooMuchOnPolygon = { value: 900_000n, chainId: 137 }
const tooMuch = { value: 5_000_000n }
const fill = (count: number, requirements: object) =>
  Array.from({ length: count }, (_, i) => ({
    ...requirements,
    maxTimeoutSeconds: i + 1,
    amount: String(1000 + i),
  }))
/** A way whose JSON is written by hand. */
const handwritten = (requirements: string) => answer(encode(termsV2('WAY').replace('"WAY"', requirements)))
const bare = json(rest).slice(1, -1)

async function judged(response: () => Response, claims: Partial<Target> = {}) {
  await using merchant = openMerchant({ '/v1': response })
  const endpoint = `${merchant.url}/v1`
  const outcome = await probe({ ...listing, endpoint, ...claims })
  return { outcome, signed: await signedBy(await fetch(endpoint)) }
}

const codesOf = ({ reasons }: Conclusion) => reasons.map(({ code }) => code)

type Case = readonly [
  behaviour: string,
  response: () => Response,
  code: string,
  /** What the official client signs for it. */
  signs?: Partial<Signed> | undefined,
  claims?: Partial<Target> | undefined,
]

const told = (code: string, rows: readonly (readonly [string, Case[1], Case[3]?, Case[4]?])[]) =>
  rows.map(([behaviour, response, signs, claims]): Case => [behaviour, response, code, signs, claims])
const LIES: readonly Case[] = [
  ...told('other_payees', [
    ['a thief beside the honest way', asks(honest, thief)],
    ['a thief before the honest way', asks(thief, honest), toStranger],
    ['an honest header and a thief in the body', () => both(honest, thief)],
    ['an honest body and a thief in the header', () => both(thief, honest), toStranger],
    ['a thief by a scheme that nobody knows', asks(honest, { ...thief, scheme: 'batch-settlement' })],
    ['a thief in an asset that nobody knows', asks(honest, { ...thief, asset: STRANGER })],
    [
      'a thief on a chain with a zero before its number',
      asks({ ...thief, network: 'eip155:08453' }, honest),
      toStrangerOn(8453),
    ],
    ['a thief on a network in capitals', asks(honest, { ...thief, network: 'EIP155:8453' })],
    ['a thief on a network by its old name', asks(honest, { ...thief, network: 'base' })],
    ['a thief on a network in wide letters', asks(honest, { ...thief, network: 'ｂａｓｅ' })],
    ['a payee that looks like the listed one', asks(honest, { ...honest, payTo: PAYEE.replace('x', 'х') })],
    ['a payee with an unseen character', asks(honest, { ...honest, payTo: `${PAYEE}\u200d` })],
    [
      'two headers in one, a thief in the second',
      () => answer(`${encode(termsV2(honest))}, ${encode(termsV2(thief))}`, termsV1(toV1(honest))),
    ],
    [
      'a thief behind a character that some decoders skip',
      () => answer(`!${encode(termsV2(thief))}`, termsV1(toV1(honest))),
    ],
    ['a thief in a header of bare JSON', () => answer(termsV2(thief), termsV1(toV1(honest)))],
    [
      'a thief in a body in UTF-16',
      () =>
        answer(
          encode(termsV2(honest)),
          new Uint8Array(Buffer.from(`\ufeff${termsV1(toV1(thief))}`, 'utf16le')),
        ),
    ],
    [
      'a thief in a header behind a byte order mark',
      () => answer(encode(`\ufeff${termsV2(thief)}`), termsV1(toV1(honest))),
      toStranger,
    ],
    [
      'a thief on a chain behind twenty zeros',
      asks({ ...thief, network: `eip155:${'0'.repeat(20)}8453` }, honest),
      toStrangerOn(8453),
    ],
    [
      'a thief on a chain in hexadecimal, behind twenty zeros',
      asks({ ...thief, network: `eip155:0x${'0'.repeat(20)}2105` }, honest),
    ],
    [
      'a thief on another chain before the honest way',
      asks({ ...onPolygon, payTo: STRANGER }, honest),
      toStrangerOn(137),
    ],
    [
      'a thief on an unknown EVM chain',
      asks({ ...thief, network: 'eip155:987654321' }, honest),
      toStrangerOn(987654321),
    ],
    [
      'a thief on another ledger’s EVM door',
      asks({ ...thief, network: 'eip155:295' }, honest),
      toStrangerOn(295),
    ],
    [
      'a thief on the same chain of tests as the listing',
      asks(
        { ...thief, network: 'eip155:80002' },
        { ...honest, network: 'eip155:84532', asset: USDC_ON_SEPOLIA },
      ),
      toStranger,
      { network: 'base-sepolia' },
    ],
    [
      'a fee to a thief of all that is paid',
      asks({ ...honest, scheme: 'auth-capture', extra: withFee(10_000) }),
    ],
    [
      'a fee to a thief, its share no number',
      asks({ ...honest, scheme: 'auth-capture', extra: { ...withFee(0), maxFeeBps: 'all' } }),
    ],
    [
      'a thief in a header with a space in it, beside an honest body',
      () => answer(encode(termsV2(thief)).replace(/^(.{40})/, '$1 '), termsV1(toV1(honest))),
    ],
  ]),
  ['a thief alone', asks(thief), 'other_address', toStranger],
  ['a thief, and the listed address on another network', asks(thief, onPolygon), 'other_address'],
  ['a thief as the 101st way', asks(...fill(100, onSolana), thief), 'too_many_ways', toStranger],
  [
    'sixty ways in the header and sixty others in the body',
    () =>
      answer(encode(termsV2(...fill(60, onSolana))), termsV1(...fill(60, { ...onSolana, scheme: 'upto' }))),
    'too_many_ways',
  ],
  ...told('asks_more', [
    ['a higher price', asks(dear), tooMuch],
    ['a higher price by one smallest unit', asks({ ...honest, amount: '2501' }), { value: 2501n }],
    ['a higher price in version 1', () => v1(toV1(dear)), tooMuch],
    ['a higher price beside the listed one', asks(honest, dear)],
    ['the listed price in the header, a higher one in the body', () => both(honest, dear)],
    ['a maximum above the listed price', asks({ ...dear, scheme: 'upto' })],
    ['the listed price, and a maximum above it', asks(honest, { ...dear, scheme: 'upto' })],
    [
      'a higher price in another dollar',
      asks(onPolygon, {
        ...dear,
        network: 'eip155:137',
        asset: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
      }),
      undefined,
      { network: 'polygon' },
    ],
    ['a higher amount that is a number', asks({ ...rest, amount: 5_000_000 })],
    ['a higher amount that is a number with an exponent', () => handwritten(`{${bare},"amount":5e6}`)],
    ['an amount that no listing can say', asks(honest, { ...rest, amount: `1${'0'.repeat(40)}` })],
    [
      'a higher price, its asset in small letters',
      asks({ ...dear, asset: USDC_ON_BASE.toLowerCase() }),
      tooMuch,
    ],
    [
      'a higher price, its asset with a capital X',
      asks(honest, { ...dear, asset: USDC_ON_BASE.replace('0x', '0X') }),
    ],
    [
      'a listing for nothing that asks for money',
      asks(honest),
      undefined,
      { pricing: { currency: 'USDC', pricePerRequest: '0' } },
    ],
    [
      'a higher price on another chain, first',
      asks({ ...onPolygon, amount: '900000' }, honest),
      tooMuchOnPolygon,
    ],
    ['a higher price on Solana', asks(honest, { ...onSolana, amount: '900000' })],
    ['a higher maximum on another chain', asks(honest, { ...onPolygon, scheme: 'upto', amount: '900000' })],
  ]),
  ...told('way_unreadable', [
    ['a thief on a network that is a number', asks(honest, { ...thief, network: 8453 })],
    ['an amount with an exponent', asks(honest, { ...rest, amount: '5e6' })],
    ['a negative amount', asks(honest, { ...rest, amount: '-1' })],
    ['an amount in hexadecimal', asks({ ...rest, amount: '0x4c4b40' }, honest), tooMuch],
    ['an amount in whole dollars', asks(honest, { ...rest, amount: '5.0' })],
    ['an amount in wide digits', asks(honest, { ...rest, amount: '５０００' })],
    ['an amount beyond 256 bits', asks(honest, { ...rest, amount: '9'.repeat(90) })],
    ['an amount that is missing', asks(honest, rest)],
    ['a payee that is missing', asks(honest, { ...honest, payTo: undefined })],
    ['a payee in a list', asks(honest, { ...honest, payTo: [STRANGER] })],
    ['a payee of some hundred characters', asks(honest, { ...honest, payTo: PAYEE.repeat(20) })],
    ['an asset that is missing', asks(honest, { ...dear, asset: null })],
    [
      'an amount in hexadecimal on Polygon',
      asks({ ...onPolygon, amount: '0xdbba0' }, honest),
      tooMuchOnPolygon,
    ],
    ['an amount in hexadecimal on Solana', asks(honest, { ...onSolana, amount: '0xdbba0' })],
  ]),
  ...told('key_ambiguous', [
    [
      'a payee that is written twice, the thief last',
      () =>
        handwritten(
          `{${bare.replace(`"payTo":"${PAYEE}"`, `"payTo":"${PAYEE}","payTo":"${STRANGER}"`)},"amount":"2500"}`,
        ),
      toStranger,
    ],
    [
      'a payee that is written twice, the thief first',
      () =>
        handwritten(
          `{${bare.replace(`"payTo":"${PAYEE}"`, `"payTo":"${STRANGER}","payTo":"${PAYEE}"`)},"amount":"2500"}`,
        ),
    ],
    ['a payee again in capitals', () => handwritten(`{${bare},"amount":"2500","PAYTO":"${STRANGER}"}`)],
    [
      'an asset again with a long s',
      () => handwritten(`{${bare},"amount":"2500","a\u017f\u017fet":"${STRANGER}"}`),
    ],
    [
      'a payee whose key is escaped',
      () => handwritten(`{${bare},"amount":"2500","pay\\u0054o":"${STRANGER}"}`),
      toStranger,
    ],
    [
      'two lists of ways',
      () => answer(encode(`{"x402Version":2,"accepts":${json([honest])},"accepts":${json([thief])}}`)),
      toStranger,
    ],
    [
      'a second list of ways in other letters',
      () => answer(encode(`{"x402Version":2,"accepts":${json([honest])},"Accepts":${json([thief])}}`)),
    ],
  ]),
  ['two amounts', asks({ ...honest, maxAmountRequired: '5000000' }), 'amounts_differ'],
  [
    'a payee behind the prototype',
    () =>
      handwritten(
        `{${bare.replace(`"payTo":"${PAYEE}"`, `"__proto__":{"payTo":"${PAYEE}"}`)},"amount":"2500"}`,
      ),
    'field_not_text',
  ],
  [
    'a thief in a version that nobody knows',
    () => answer(encode(termsV2(honest)), termsV1(toV1(thief)).replace(':1', ':3')),
    'version_unknown',
  ],
  ...told('header_not_base64', [
    [
      'a thief in a second header that only few can read',
      () => answer(`${encode(termsV2(honest))}, ${encode(`\0${termsV2(thief)}`)}`, termsV1(toV1(honest))),
    ],
    [
      'a thief in a header in front of padding and more',
      () => answer(`${encode(`${termsV2(thief)} `).replace(/=*$/, '==')}AAA`, termsV1(toV1(honest))),
    ],
    [
      'a header with a space in it, which no official client reads',
      () => answer(encode(termsV2(honest)).replace(/^(.{40})/, '$1 ')),
    ],
  ]),
  [
    'a thief in a body in UTF-32',
    () =>
      answer(
        encode(termsV2(honest)),
        new Uint8Array(Uint32Array.from([...termsV1(toV1(thief))], sign => sign.codePointAt(0)!).buffer),
      ),
    'body_not_json',
  ],
  [
    'a thief in a body with a number that only some parsers know',
    () => answer(encode(termsV2(honest)), termsV1(toV1(thief)).replace(/\}$/, ',"rate":NaN}')),
    'body_not_json',
  ],
  ['a price in an unknown asset alone', asks({ ...honest, asset: STRANGER }), 'no_comparable_price'],
  [
    'a price in another currency alone',
    asks({ ...honest, asset: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42' }),
    'no_comparable_price',
  ],
  [
    'a listing on a chain that nobody knows',
    asks({ ...honest, network: 'eip155:987654321' }),
    'chain_unknown',
    undefined,
    { network: 'eip155:987654321' },
  ],
  [
    'a far higher price in euros before the listed one',
    asks(
      { ...honest, asset: EURC_ON_BASE, amount: '900000000', extra: { name: 'EURC', version: '2' } },
      honest,
    ),
    'asks_more_by_rates',
    { value: 900_000_000n },
  ],
  [
    'twice the price in yen on another chain, by rates that are given',
    asks(honest, {
      ...onPolygon,
      asset: '0xE7C3D8C9a439feDe00D2600032D5dB0Be71C3c29',
      amount: `8${'0'.repeat(17)}`,
    }),
    'asks_more_by_rates',
    undefined,
    { rates: IN_YEN },
  ],
  ['a listing on the chain next door', asks({ ...honest, network: 'eip155:84532' }), 'other_network'],
  ...[
    'eip155:+8453',
    'eip155: 8453',
    'eip155:8_453',
    'eip155:0x2105',
    'eip155:8453abc',
    'eip155:８４５３',
    'eip155:8453\u200b',
    // Of these, parsers read 8453, 84532 or nothing.
    'eip155:8453_2',
    'eip155:8453 2',
    'eip155:8453+2',
    'eip155:8453２',
    'eip155:8453\u200b2',
    'eip155:84530e-1',
    'eip155:8.453e3',
    'eip155:0b10000100000101',
    'eip155:0o20405',
    'eip155:٨٤٥٣',
  ].flatMap((network): Case[] => [
    [`a thief on ${network}`, asks(honest, { ...thief, network }), 'way_unreadable'],
    [`a higher price on ${network}`, asks(honest, { ...dear, network }), 'way_unreadable'],
  ]),
  ...['\ufeff\ufeff', '\0', '\u00a0'].map(
    (start): Case => [
      `a thief in a header behind ${json(start)}`,
      () => answer(encode(`${start}${termsV2(thief)}`), termsV1(toV1(honest))),
      'header_not_json',
    ],
  ),
]

describe('not payable:', () => {
  test.each(LIES)('%s', async (_, response, code, signs = undefined, claims = {}) => {
    const { outcome, signed } = await judged(response, claims)
    expect(outcome.outcome).not.toBe('payable')
    expect(json([outcome.reasons, outcome.checks])).toContain(`"${code}"`)
    expect(codesOf(outcome)).not.toContain('price_as_listed')
    if (signs) expect(signed).toMatchObject(signs)
  })
})

const TRUTHS: readonly (readonly [string, () => Response, price: string])[] = [
  ['in version 2', asks(honest), 'same'],
  ['in version 1', () => v1(toV1(honest)), 'same'],
  ['in both', () => both(honest, honest), 'same'],
  ['in another case of letters', asks({ ...honest, payTo: PAYEE.toUpperCase().replace('0X', '0x') }), 'same'],
  ['for less', asks({ ...honest, amount: '1' }), 'lower'],
  ['for nothing', asks({ ...honest, amount: '0' }), 'lower'],
  ['with zeros before the amount', asks({ ...honest, amount: '0002500' }), 'same'],
  ['beside a dear way in an unknown asset', asks(honest, { ...dear, asset: STRANGER }), 'same'],
  ['beside a way of somebody else on another network', asks(honest, onSolana), 'same'],
  ['beside entries that are nobody’s way to pay', asks(null, 'pay', [thief], honest), 'same'],
  ['beside an unreadable way on another network', asks(honest, { ...onSolana, amount: null }), 'same'],
  ['beside the same price on another EVM chain', asks(onPolygon, honest), 'same'],
  ['beside the same price on Solana', asks(onSolana, honest), 'same'],
  [
    'beside any price and payee in money for tests',
    asks(honest, { ...dear, payTo: STRANGER, network: 'eip155:84532', asset: USDC_ON_SEPOLIA }),
    'same',
  ],
  [
    'beside the like price in euros',
    asks(honest, { ...honest, asset: EURC_ON_BASE, extra: { name: 'EURC', version: '2' } }),
    'same',
  ],
  [
    'beside a fee to who carries the payment',
    asks(honest, { ...honest, scheme: 'auth-capture', extra: withFee(100) }),
    'same',
  ],
  ['up to the listed price', asks(honest, { ...honest, scheme: 'upto' }), 'same'],
  [
    'with a body that holds no ways',
    () => answer(encode(termsV2(honest)), '{"x402Version":1,"accepts":[]}'),
    'same',
  ],
  ['beside a page', () => answer(encode(termsV2(honest)), '<html>{Pay}</html>'), 'same'],
  ['beside words', () => answer(encode(termsV2(honest)), 'Payment required'), 'same'],
  ['a hundred times', asks(honest, ...fill(99, onSolana)), 'same'],
]

describe('payable:', () => {
  test.each(TRUTHS)('the listed address %s', async (_, response, price) => {
    const { outcome, signed } = await judged(response)
    expect(outcome).toMatchObject({ outcome: 'payable', price })
    // Null entries make the official client give up; nothing else may be signed than what is listed.
    if (signed) {
      expect(signed.to.toLowerCase()).toBe(PAYEE)
      expect(signed.value <= LISTED).toBe(true)
      expect(signed.chainId).toBeOneOf([8453, 137])
    }
  })
})

test('a thief behind more header lines than are kept is not payable', async () => {
  const body = termsV1(toV1(honest))
  const lines = `${'a: b\r\n'.repeat(1_100)}PAYMENT-REQUIRED: ${encode(termsV2(thief))}\r\n`
  await using merchant = await openHostile(socket =>
    socket.end(
      answerOf('402 Pay', { 'Content-Length': String(body.length) }).replace('\r\n', `\r\n${lines}`) + body,
    ),
  )
  const outcome = await probe({ ...listing, endpoint: `${merchant.url}v1` })
  expect(outcome.outcome).not.toBe('payable')
  expect(json(outcome)).toContain('"headers_too_large"')
})
