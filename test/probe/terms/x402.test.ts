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

describe('terms that servers really send', () => {
  test('version 2 in the header', () => {
    const reading = read({ header: encode(termsV2) })
    expect(reading).toMatchObject({
      readable: true,
      version: 2,
      signIn: false,
      otherRails: [],
    })
    expect(paymentsOf(reading)).toEqual([
      { ...onBase, network: 'eip155:8453' },
      {
        ...onBase,
        network: solanaEntry.network,
        chain: solanaEntry.network,
        payTo: SOLANA_PAYEE,
        asset: USDC_ON_SOLANA,
      },
    ])
    expect(reading.notes).toEqual([])
  })

  test('version 1 in the body', () => {
    const reading = read({ body: termsV1 })
    expect(reading).toMatchObject({ readable: true, version: 1 })
    expect(paymentsOf(reading)).toEqual([{ ...onBase, network: 'base', extra: entryV1.extra }])
    expect(reading.notes).toEqual([])
  })

  test('the same object in header and body', () => {
    const reading = read({ header: encode(termsV2), body: termsV2 })
    expect(reading).toMatchObject({ readable: true, version: 2 })
    expect(paymentsOf(reading)).toHaveLength(2)
    expect(reading.notes).toEqual([])
  })

  test('version 2 in the header and version 1 in the body, for clients of both', () => {
    const reading = read({ header: encode({ ...termsV2, accepts: [entryV2] }), body: termsV1 })
    expect(reading).toMatchObject({ readable: true, version: 2, notes: [] })
    expect(paymentsOf(reading)).toEqual([{ ...onBase, network: 'eip155:8453' }])
  })

  test('one address in two spellings of its chain is one payment option', () => {
    const digits = 'ab'.repeat(20)
    const onAptos = { ...entryV2, network: 'aptos:1', asset: '0xa', payTo: `0x${digits}` }
    const long = { ...onAptos, payTo: `0x${digits.padStart(64, '0')}` }
    const reading = read({
      header: encode({ ...termsV2, accepts: [onAptos] }),
      body: { ...termsV2, accepts: [long] },
    })
    expect(paymentsOf(reading)).toHaveLength(1)
    expect(reading.notes).toEqual([])
  })

  test('other terms in the body than in the header: both count, and it is noted', () => {
    const other = { ...termsV1, accepts: [{ ...entryV1, payTo: `0x${'2'.repeat(40)}` }] }
    const reading = read({ header: encode({ ...termsV2, accepts: [entryV2] }), body: other })
    expect(paymentsOf(reading)).toMatchObject([{ payTo: EVM_PAYEE }, { payTo: `0x${'2'.repeat(40)}` }])
    expect(notesOf(reading)).toEqual(['The PAYMENT-REQUIRED header and the body have different terms.'])
  })

  test('a version 1 object inside the version 2 header', () => {
    const reading = read({ header: encode(termsV1) })
    expect(reading).toMatchObject({ readable: true, version: 1 })
    expect(paymentsOf(reading)).toMatchObject([onBase])
    expect(reading.notes).toHaveLength(1)
  })

  test('a version 2 object in the body alone', () => {
    const reading = read({ body: termsV2 })
    expect(reading).toMatchObject({ readable: true, version: 2 })
    expect(notesOf(reading)[0]).toContain('PAYMENT-REQUIRED')
  })

  test.each([2500, 0])('an amount as the JSON number %p', amount => {
    const reading = read({ header: encode({ ...termsV2, accepts: [{ ...entryV2, amount }] }) })
    expect(paymentsOf(reading)).toMatchObject([{ amount: BigInt(amount) }])
    expect(notesOf(reading)[0]).toContain('should be an integer string')
  })

  test.each([
    ['eip155:8453', 'eip155:8453'],
    ['base-mainnet', 'eip155:8453'],
    ['Base', 'eip155:8453'],
    ['8453', 'eip155:8453'],
    ['solana:mainnet', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    [
      'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=',
      'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=',
    ],
    ['Somewhere-New', 'somewhere-new'],
  ])('the network %s inside version 1', (network, chain) => {
    const reading = read({ body: { ...termsV1, accepts: [{ ...entryV1, network }] } })
    expect(paymentsOf(reading)).toMatchObject([{ network, chain }])
  })

  test.each(['1', ' 1 '])('x402Version as the text %p', x402Version => {
    const reading = read({ body: { ...termsV1, x402Version } })
    expect(reading).toMatchObject({ readable: true, version: 1 })
    expect(notesOf(reading)).toEqual(['x402Version should be the number 1.'])
  })

  test('no x402Version: the words decide', () => {
    expect(read({ body: { accepts: [entryV1] } })).toMatchObject({ readable: true, version: 1 })
    expect(read({ body: { accepts: [entryV2] } })).toMatchObject({ readable: true, version: 2 })
    expect(read({ header: encode({ accepts: [entryV2] }) })).toMatchObject({ readable: true, version: 2 })
  })

  test('the other version’s name for the amount', () => {
    const { maxAmountRequired, ...rest } = entryV1
    const reading = read({ body: { ...termsV1, accepts: [{ ...rest, amount: maxAmountRequired }] } })
    expect(paymentsOf(reading)).toMatchObject([onBase])
    expect(notesOf(reading)[0]).toContain('maxAmountRequired')
  })

  test('a header far over 16 KB', () => {
    const header = encode({ ...termsV2, extensions: { bazaar: { info: 'x'.repeat(90_000) } } })
    expect(header.length).toBeGreaterThan(100_000)
    expect(read({ header })).toMatchObject({ readable: true, version: 2 })
  })

  test('base64 of the other alphabet, without padding', () => {
    const header = Buffer.from(JSON.stringify({ ...termsV2, error: '支払いが必要です?>~' })).toString(
      'base64url',
    )
    expect(header).toMatch(/[-_]/)
    expect(read({ header })).toMatchObject({ readable: true, version: 2 })
  })

  test('the scheme upto: the amount is a maximum', () => {
    const reading = read({ header: encode({ ...termsV2, accepts: [{ ...entryV2, scheme: 'upto' }] }) })
    expect(paymentsOf(reading)).toMatchObject([{ upTo: true, price: '0.0025' }])
  })

  test('sign-in in place of payment', () => {
    const extensions = { 'sign-in-with-x': { info: { domain: 'weather.example.jp' }, supportedChains: [] } }
    const reading = read({ header: encode({ ...termsV2, accepts: [], extensions }) })
    expect(reading).toMatchObject({ readable: true, payments: [], signIn: true })
  })

  test('sign-in beside payment', () => {
    const reading = read({ header: encode({ ...termsV2, extensions: { 'sign-in-with-x': { info: {} } } }) })
    expect(reading).toMatchObject({ readable: true, signIn: true })
    expect(paymentsOf(reading)).toHaveLength(2)
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

  test('one bad entry among good ones is noted, and the good ones are used', () => {
    const reading = read({
      header: encode({ ...termsV2, accepts: [{ ...entryV2, amount: '0.01' }, solanaEntry] }),
    })
    expect(paymentsOf(reading)).toMatchObject([{ payTo: SOLANA_PAYEE }])
    expect(notesOf(reading)[0]).toStartWith('accepts[0].amount must be an integer string')
  })

  test('a broken header beside a good body is noted', () => {
    const reading = read({ header: '{"x402Version":2}', body: termsV1 })
    expect(reading).toMatchObject({ readable: true, version: 1 })
    expect(notesOf(reading)[0]).toContain('it contains plain JSON')
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
    const reading = read({
      body: { ...termsV1, accepts: [{ ...entryV1, network, asset, maxAmountRequired: amount }] },
    })
    expect(paymentsOf(reading)).toMatchObject([{ price }])
  })

  test.each([
    ['an unknown asset', 'base', `0x${'3'.repeat(40)}`],
    ['a currency code as asset', 'base', 'USD'],
    ['an unknown chain', 'unheard-of', USDC_ON_BASE],
  ])('%s has no price', (_, network, asset) => {
    const reading = read({ body: { ...termsV1, accepts: [{ ...entryV1, network, asset }] } })
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
    [
      'dollars for atomic units',
      { body: { ...termsV1, accepts: [{ ...entryV1, maxAmountRequired: '0.01' }] } },
      'amount_malformed',
    ],
    [
      'dollars with a sign',
      { body: { ...termsV1, accepts: [{ ...entryV1, maxAmountRequired: '$0.01' }] } },
      'amount_malformed',
    ],
    [
      'a fraction',
      { body: { ...termsV1, accepts: [{ ...entryV1, maxAmountRequired: 0.01 }] } },
      'amount_malformed',
    ],
    [
      'a number past exactness',
      { body: { ...termsV1, accepts: [{ ...entryV1, maxAmountRequired: 2 ** 53 }] } },
      'amount_malformed',
    ],
    [
      'a negative amount',
      { body: { ...termsV1, accepts: [{ ...entryV1, maxAmountRequired: '-1' }] } },
      'amount_malformed',
    ],
    [
      'hexadecimal',
      { body: { ...termsV1, accepts: [{ ...entryV1, maxAmountRequired: '0x10' }] } },
      'amount_malformed',
    ],
    [
      'an amount past 256 bits',
      { body: { ...termsV1, accepts: [{ ...entryV1, maxAmountRequired: '9'.repeat(79) }] } },
      'amount_malformed',
    ],
    ['no payee', { body: { ...termsV1, accepts: [{ ...entryV1, payTo: undefined }] } }, 'field_not_text'],
    ['an empty payee', { body: { ...termsV1, accepts: [{ ...entryV1, payTo: ' ' }] } }, 'field_not_text'],
    [
      'a numeric network',
      { body: { ...termsV1, accepts: [{ ...entryV1, network: 8453 }] } },
      'field_not_text',
    ],
    ['an entry that is no object', { body: { ...termsV1, accepts: ['pay'] } }, 'entry_not_an_object'],
  ])('%s', (_, parts, code) => {
    const reading = read(parts)
    expect(reading.readable).toBe(false)
    expect(paymentsOf(reading)).toMatchObject([{ code }])
    expect(sentencesOf(reading)).toEqual([expect.stringMatching(/^\S.*\.$/)])
  })

  test('the message about an amount names its path, what is expected and what was found', () => {
    const reading = read({ body: { ...termsV1, accepts: [{ ...entryV1, maxAmountRequired: '0.01' }] } })
    expect(sentencesOf(reading)).toEqual([
      'accepts[0].maxAmountRequired must be an integer string of the asset\'s smallest units, such as "2500"; it is "0.01".',
    ])
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

  const nested = '['.repeat(100_000) + ']'.repeat(100_000)
  test.each([
    `{"x402Version":${nested},"accepts":[]}`,
    `{"x402Version":1,"accepts":${nested}}`,
    `{"x402Version":1,"accepts":[{"scheme":${nested}}]}`,
    `{"x402Version":1,"accepts":[{"scheme":"exact","maxAmountRequired":${nested}}]}`,
    `{"x402Version":2,"extensions":{"sign-in-with-x":${nested}},"accepts":[]}`,
    nested,
  ])('however deeply it is nested', body => {
    const reading = readTerms({ status: 402, headers: new Headers(), body })
    expect(reading.readable).toBe(false)
    expect(sentencesOf(reading).every(sentence => sentence.length < 300)).toBe(true)
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
