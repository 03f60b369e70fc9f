import { describe, expect, test } from 'bun:test'
import { tellInEnglish } from '../../../src/messages/message.ts'
import { type Reading, readTerms } from '../../../src/probe/terms/x402.ts'
import { fc } from '../../fast-check.ts'

const EVM_PAYEE = '0x1111111111111111111111111111111111111111'
const SOLANA_PAYEE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

const entryV1 = {
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: '2500',
  resource: 'https://weather.example.jp/v1/forecast',
  description: 'Forecast',
  mimeType: 'application/json',
  payTo: EVM_PAYEE,
  maxTimeoutSeconds: 60,
  asset: USDC_ON_BASE,
  outputSchema: null,
  extra: { name: 'USD Coin', version: '2' },
}
const entryV2 = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '2500',
  asset: USDC_ON_BASE,
  payTo: EVM_PAYEE,
  maxTimeoutSeconds: 60,
}
const solanaEntry = {
  ...entryV2,
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: USDC_ON_SOLANA,
  payTo: SOLANA_PAYEE,
}
const termsV1 = { x402Version: 1, error: 'X-PAYMENT header is required', accepts: [entryV1] }
const termsV2 = {
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: { url: 'https://weather.example.jp/v1/forecast' },
  accepts: [entryV2, solanaEntry],
}
const onBase = {
  protocol: 'x402' as const,
  scheme: 'exact',
  chain: 'eip155:8453',
  payTo: EVM_PAYEE,
  asset: USDC_ON_BASE,
  amount: 2500n,
  symbol: 'USDC',
  currency: 'USD',
  decimals: 6,
  price: '0.0025',
  upTo: false,
  maxTimeoutSeconds: 60,
  extra: {},
}

const encode = (terms: unknown) => Buffer.from(JSON.stringify(terms)).toString('base64')

function read(parts: { header?: string; body?: unknown; status?: number; authenticate?: string }): Reading {
  const headers = new Headers()
  if (parts.header !== undefined) headers.set('PAYMENT-REQUIRED', parts.header)
  if (parts.authenticate !== undefined) headers.set('WWW-Authenticate', parts.authenticate)
  const body = typeof parts.body === 'string' ? parts.body : JSON.stringify(parts.body ?? {})
  return readTerms({ status: parts.status ?? 402, headers, body: new TextEncoder().encode(body) })
}
const paymentsOf = (reading: Reading) => (reading.readable ? reading.payments : reading.problems)
const notesOf = (reading: Reading) => reading.notes.map(tellInEnglish)
const sentencesOf = (reading: Reading) => (reading.readable ? [] : reading.problems.map(tellInEnglish))

/** The terms of one entry, in the body or in the header. */
const inV1 = (changes: object) => ({ body: { ...termsV1, accepts: [{ ...entryV1, ...changes }] } })
const inV2 = (changes: object) => ({ header: encode({ ...termsV2, accepts: [{ ...entryV2, ...changes }] }) })
const { maxAmountRequired, ...unpriced } = entryV1
const signIn = { 'sign-in-with-x': { info: { domain: 'weather.example.jp' }, supportedChains: [] } }
const onAptos = { network: 'aptos:1', asset: '0xa', payTo: `0x${'ab'.repeat(20)}` }
const alike = { ...entryV2, ...onAptos, payTo: `0x${'ab'.repeat(20).padStart(64, '0')}` }
const v1OnBase = { ...onBase, network: 'base', extra: entryV1.extra }
const v2OnBase = { ...onBase, network: 'eip155:8453' }
const v2OnSolana = {
  ...onBase,
  network: solanaEntry.network,
  chain: solanaEntry.network,
  payTo: SOLANA_PAYEE,
  asset: USDC_ON_SOLANA,
}

describe('terms that servers really send', () => {
  /** What is read: the version, the payment options, and a part of each note. */
  type Read = readonly [version: number, payments: readonly object[], notes?: readonly string[]]
  test.each<[string, Parameters<typeof read>[0], Read]>([
    ['version 2 in the header', { header: encode(termsV2) }, [2, [v2OnBase, v2OnSolana]]],
    ['version 1 in the body', { body: termsV1 }, [1, [v1OnBase]]],
    [
      'the same object in header and body',
      { header: encode(termsV2), body: termsV2 },
      [2, [v2OnBase, v2OnSolana]],
    ],
    ['version 2 in the header, version 1 in the body', { ...inV2({}), body: termsV1 }, [2, [v2OnBase]]],
    [
      'one address in two spellings of its chain: one payment option',
      { ...inV2(onAptos), body: { ...termsV2, accepts: [alike] } },
      [2, [{ payTo: onAptos.payTo }]],
    ],
    [
      'other terms in the body than in the header: both count, and it is noted',
      { ...inV2({}), ...inV1({ payTo: `0x${'2'.repeat(40)}` }) },
      [2, [v2OnBase, { payTo: `0x${'2'.repeat(40)}` }], ['header and the body have different terms']],
    ],
    ['a version 1 object inside the version 2 header', { header: encode(termsV1) }, [1, [v1OnBase], ['']]],
    ['a version 2 object in the body alone', { body: termsV2 }, [2, [{}, {}], ['PAYMENT-REQUIRED']]],
    ...[2500, 0].map((amount): [string, object, Read] => [
      `an amount as the JSON number ${amount}`,
      inV2({ amount }),
      [2, [{ amount: BigInt(amount) }], ['should be an integer string']],
    ]),
    ...['1', ' 1 '].map((x402Version): [string, object, Read] => [
      `x402Version as the text ${x402Version}`,
      { body: { ...termsV1, x402Version } },
      [1, [v1OnBase], ['x402Version should be the number 1.']],
    ]),
    [
      'no x402Version, in words of version 1',
      { body: { accepts: [entryV1] } },
      [1, [v1OnBase], ['the number 1']],
    ],
    [
      'no x402Version, in words of version 2',
      { header: encode({ accepts: [entryV2] }) },
      [2, [v2OnBase], ['the number 2']],
    ],
    [
      'the other version’s name for the amount',
      { body: { ...termsV1, accepts: [{ ...unpriced, amount: maxAmountRequired }] } },
      [1, [onBase], ['maxAmountRequired']],
    ],
    [
      'a header far over 16 KB',
      { header: encode({ ...termsV2, extensions: { bazaar: { info: 'x'.repeat(90_000) } } }) },
      [2, [v2OnBase, v2OnSolana]],
    ],
    [
      'base64 of the other alphabet, without padding',
      {
        header: Buffer.from(JSON.stringify({ ...termsV2, error: '支払いが必要です?>~' })).toString(
          'base64url',
        ),
      },
      [2, [v2OnBase, v2OnSolana]],
    ],
    [
      'the scheme upto: the amount is a maximum',
      inV2({ scheme: 'upto' }),
      [2, [{ upTo: true, price: '0.0025' }]],
    ],
    [
      'one bad entry among good ones: it is noted, and the good ones are used',
      { header: encode({ ...termsV2, accepts: [{ ...entryV2, amount: '0.01' }, solanaEntry] }) },
      [2, [v2OnSolana], ['accepts[0].amount must be an integer string']],
    ],
    [
      'a broken header beside a good body',
      { header: '{"x402Version":2}', body: termsV1 },
      [1, [v1OnBase], ['it contains plain JSON']],
    ],
  ])('%s', (_, parts, [version, payments, notes = []]) => {
    const reading = read(parts)
    expect(reading).toMatchObject({ readable: true, version, signIn: false, otherRails: [] })
    expect(paymentsOf(reading)).toMatchObject(payments as never)
    expect(notesOf(reading)).toEqual(notes.map(note => expect.stringContaining(note)))
  })

  test('no x402Version in the body alone, in words of version 2', () => {
    expect(read({ body: { accepts: [entryV2] } })).toMatchObject({ readable: true, version: 2 })
  })

  test.each([
    ['in place of payment', [], 0],
    ['beside payment', termsV2.accepts, 2],
  ])('sign-in %s', (_, accepts, count) => {
    const reading = read({ header: encode({ ...termsV2, accepts, extensions: signIn }) })
    expect(reading).toMatchObject({ readable: true, signIn: true })
    expect(paymentsOf(reading)).toHaveLength(count)
  })

  test.each([
    ['L402 macaroon="a", invoice="b"', ['L402']],
    ['LSAT macaroon="a"', ['L402']],
    ['Payment id="1", method="tempo", intent="session"', ['MPP tempo/session']],
    [
      'Bearer realm="x", L402 token="a", Payment id="b", method="evm", intent="subscription"',
      ['L402', 'MPP evm/subscription'],
    ],
    ['Bearer realm="Payment portal"', []],
    ['', []],
  ])('other rails: %s', (authenticate, rails) => {
    expect(read({ body: termsV1, authenticate }).otherRails).toEqual(rails)
  })
})

describe('prices', () => {
  test.each([
    ['base', USDC_ON_BASE, '1', '0.000001'],
    ['base', USDC_ON_BASE, '1000000', '1'],
    ['base', USDC_ON_BASE.toLowerCase(), '0', '0'],
    ['base', USDC_ON_BASE, '123456789012345678901234567890', '123456789012345678901234.56789'],
    ['stellar:pubnet', 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75', '25000', '0.0025'],
    ['megaeth', '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7', '2500000000000000', '0.0025'],
  ])('on %s %s, %s is %s', (network, asset, amount, price) => {
    const reading = read(inV1({ network, asset, maxAmountRequired: amount }))
    expect(paymentsOf(reading)).toMatchObject([{ price }])
  })

  test.each([
    ['an unknown asset', 'base', `0x${'3'.repeat(40)}`],
    ['a currency code as asset', 'base', 'USD'],
    ['an unknown chain', 'unheard-of', USDC_ON_BASE],
  ])('%s has no price', (_, network, asset) => {
    const reading = read(inV1({ network, asset }))
    const [payment] = reading.readable ? reading.payments : []
    expect(payment?.amount).toBe(2500n)
    expect(payment?.price).toBeUndefined()
    expect(payment?.decimals).toBeUndefined()
  })
})

describe('terms that cannot be read are refused with the exact reason', () => {
  test.each([
    ['bare requirements in the header', { header: encode(entryV2) }, 'bare_requirements'],
    ['bare requirements in the body', { body: { x402Version: 1, ...entryV1 } }, 'bare_requirements'],
    ['bare requirements without a version', { body: entryV1 }, 'bare_requirements'],
    ['no accepts', { body: { x402Version: 1, error: 'pay' } }, 'no_accepts'],
    ['accepts that is no list', { body: { ...termsV1, accepts: { 0: entryV1 } } }, 'no_accepts'],
    ['empty accepts', { body: { ...termsV1, accepts: [] } }, 'empty_accepts'],
    ['version 3', { body: { ...termsV1, x402Version: 3 } }, 'version_unknown'],
    ['a version of words', { body: { ...termsV1, x402Version: 'two' } }, 'version_unknown'],
    ['a header of bare JSON', { header: JSON.stringify(termsV2) }, 'header_not_base64'],
    ['a header of something else', { header: 'pay me, please!' }, 'header_not_base64'],
    ['a header of base64 of text', { header: btoa('pay me') }, 'header_not_json'],
    ['a header of base64 of a list', { header: btoa('[]') }, 'header_not_json'],
    ['an empty body', { body: '' }, 'no_terms'],
    ['a web page', { body: '<html>Pay!</html>' }, 'no_terms'],
    ['another JSON', { body: { message: 'payment required' } }, 'no_terms'],
    ['a JSON list', { body: '[1]' }, 'no_terms'],
    ['dollars for atomic units', inV1({ maxAmountRequired: '0.01' }), 'amount_malformed'],
    ['dollars with a sign', inV1({ maxAmountRequired: '$0.01' }), 'amount_malformed'],
    ['a fraction', inV1({ maxAmountRequired: 0.01 }), 'amount_malformed'],
    ['a number past exactness', inV1({ maxAmountRequired: 2 ** 53 }), 'amount_malformed'],
    ['a negative amount', inV1({ maxAmountRequired: '-1' }), 'amount_malformed'],
    ['hexadecimal', inV1({ maxAmountRequired: '0x10' }), 'amount_malformed'],
    ['an amount past 256 bits', inV1({ maxAmountRequired: '9'.repeat(79) }), 'amount_malformed'],
    ['no payee', inV1({ payTo: undefined }), 'field_not_text'],
    ['an empty payee', inV1({ payTo: ' ' }), 'field_not_text'],
    ['a numeric network', inV1({ network: 8453 }), 'field_not_text'],
    ['an entry that is no object', { body: { ...termsV1, accepts: ['pay'] } }, 'entry_not_an_object'],
  ])('%s', (_, parts, code) => {
    const reading = read(parts)
    expect(reading.readable).toBe(false)
    expect(paymentsOf(reading)).toMatchObject([{ code }])
    expect(sentencesOf(reading)).toEqual([expect.stringMatching(/^\S.*\.$/)])
  })

  test('every problem of every entry is named once, even if it is in header and body', () => {
    const terms = { ...termsV2, accepts: [{ ...entryV2, payTo: 1, amount: 'x' }, {}] }
    expect(sentencesOf(read({ header: encode(terms), body: terms }))).toHaveLength(7)
  })

  test.each([200, 400, 401, 404, 500])('status %i is not 402, whatever the rest says', status => {
    const reading = read({ status, header: encode(termsV2) })
    expect(reading.readable).toBe(false)
    expect(sentencesOf(reading)[0]).toStartWith(`It answered with ${status}, without asking for payment.`)
    expect(sentencesOf(reading)[0]).toContain('contains payment terms')
    expect(sentencesOf(read({ status }))[0]).toBe(`It answered with ${status}, without asking for payment.`)
  })

  test('402 with another rail alone says which', () => {
    const reading = read({ body: '', authenticate: 'L402 macaroon="x"' })
    expect(sentencesOf(reading)[0]).toEndWith('It offers L402 instead.')
  })
})

describe('no response makes it throw', () => {
  const anything = fc.anything({
    withBigInt: false,
    withDate: false,
    withMap: false,
    withSet: false,
    maxDepth: 3,
  })
  // An object whose own properties are named as those that every object has cannot be made into text or a number.
  const misnamed = fc.dictionary(
    fc.constantFrom('toString', 'valueOf', 'toJSON', 'constructor', '__proto__', 'length'),
    fc.jsonValue({ maxDepth: 1 }),
  )
  const value = fc.oneof(fc.jsonValue(), misnamed)
  const mangled = fc
    .tuple(
      fc.constantFrom(termsV1, termsV2),
      fc.dictionary(fc.constantFrom('x402Version', 'accepts', 'extensions'), value),
    )
    .map(([terms, changes]) => ({ ...terms, ...changes }))
  const mangledEntry = fc
    .tuple(
      fc.constantFrom(entryV1, entryV2),
      fc.dictionary(fc.constantFrom(...Object.keys({ ...entryV1, ...entryV2 })), value),
    )
    .map(([entry, changes]) => ({ x402Version: 2, accepts: [{ ...entry, ...changes }] }))
  const json = fc
    .oneof(anything, mangled, mangledEntry, fc.jsonValue())
    .map(value => JSON.stringify(value) ?? '')
  const text = fc.oneof(fc.string({ unit: 'binary' }), json)
  const header = fc.oneof(
    text,
    json.map(value => Buffer.from(value).toString('base64')),
  )

  test('whatever status, headers and body are', () => {
    fc.assert(
      fc.property(
        fc.nat(999),
        fc.option(header),
        fc.option(text),
        text,
        (status, required, authenticate, body) => {
          const headers = new Map([
            ['payment-required', required],
            ['www-authenticate', authenticate],
          ])
          const reading = readTerms({ status: status % 3 === 0 ? status : 402, headers, body })
          return reading.readable
            ? reading.signIn || reading.payments.length > 0
            : reading.problems.length > 0 &&
                reading.problems.every(problem => tellInEnglish(problem).endsWith('.'))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('and the message stays short for any number of faults', () => {
    const entry = { scheme: 1, network: [], payTo: {}, asset: null, amount: 'x'.repeat(1_000) }
    const body = JSON.stringify({ x402Version: 2, accepts: Array(100).fill(entry) })
    const sentences = sentencesOf(readTerms({ status: 402, headers: new Headers(), body }))
    expect(sentences).toHaveLength(9)
    expect(sentences.at(-1)).toBe('There are 492 more such faults.')
    const odd = { ...entryV2, network: 'base', amount: 5 }
    const long = JSON.stringify({ x402Version: 2, accepts: Array(100).fill(odd) })
    const reading = readTerms({ status: 402, headers: new Headers(), body: long })
    expect(reading.notes.length).toBeLessThan(12)
  })

  test('whatever bytes the body contains', () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        body => !readTerms({ status: 402, headers: new Headers(), body }).readable,
      ),
    )
  })
})
