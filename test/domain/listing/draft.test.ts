import { describe, expect, test } from 'bun:test'
import { DirectoryError } from '../../../src/domain/errors.ts'
import { readDraft } from '../../../src/domain/listing/service.ts'
import { draft } from '../../entries.ts'

const OPEN = { allowPrivateEndpoints: false, strictAddresses: false }

function problemsOf(body: unknown, policy = OPEN): Record<string, string> {
  try {
    readDraft(body, policy)
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'invalid_request') {
      return Object.fromEntries(error.problems.map(({ path, message }) => [path, message]))
    }
    throw error
  }
  return {}
}
const badPaths = (body: unknown, policy = OPEN) => Object.keys(problemsOf(body, policy)).sort()
const pricing = (parts: object) => ({
  ...draft(),
  pricing: { currency: 'USDC', pricePerRequest: '0.01', ...parts },
})
const payment = (parts: object) => ({
  ...draft(),
  x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base', ...parts },
})

describe('accepted:', () => {
  test('text is trimmed and line ends become LF', () => {
    const read = readDraft(
      { ...draft(), name: '  Sora\u3000', description: 'one\r\ntwo\rthree\n' },
      OPEN,
    ).draft
    expect(read.name).toBe('Sora')
    expect(read.description).toBe('one\ntwo\nthree')
  })

  test('lengths count code points', () => {
    expect(badPaths({ ...draft(), name: '😀'.repeat(255) })).toEqual([])
    expect(badPaths({ ...draft(), name: '😀'.repeat(256) })).toEqual(['name'])
    expect(badPaths({ ...draft(), description: '気'.repeat(2000) })).toEqual([])
    expect(badPaths({ ...draft(), description: '気'.repeat(2001) })).toEqual(['description'])
  })

  test('a description may hold newlines and tabs, a name may not', () => {
    expect(badPaths({ ...draft(), description: 'a\n\tb' })).toEqual([])
    expect(badPaths({ ...draft(), name: 'a\nb' })).toEqual(['name'])
    expect(badPaths({ ...draft(), name: 'a\tb' })).toEqual(['name'])
  })

  test.each(['0', '0.0001', '000.10', '999999999999999999.999999999999999999', '25'])(
    'the price %p, as given',
    price => {
      expect(readDraft(pricing({ pricePerRequest: price }), OPEN).draft.pricing.pricePerRequest).toBe(price)
    },
  )

  test.each([undefined, null])('an absent free quota (%p) is 0', freeQuota => {
    expect(readDraft(pricing({ freeQuota }), OPEN).draft.pricing.freeQuota).toBe(0)
  })

  test.each(['USDC', 'usdc', '円', 'JPYC', 'US Dollar', 'x'.repeat(32)])('the currency %p', currency => {
    expect(readDraft(pricing({ currency }), OPEN).draft.pricing.currency).toBe(currency)
  })

  test.each([
    'base',
    'Base Sepolia',
    'eip155:8453',
    'my-own-chain',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'ソラナ',
  ])('the network %p, as given', network =>
    expect(readDraft(payment({ network }), OPEN).draft.x402Config.network).toBe(network),
  )

  test.each([
    'https://api.example.com',
    'HTTP://Api.Example.com:8080/V1?x=1#y',
    'https://日本語.example/道',
    'https://93.184.216.34/v1',
    `https://api.example/${'a'.repeat(2048 - 20)}`,
  ])('the endpoint %p, exactly as given', endpoint => {
    expect(readDraft({ ...draft(), endpoint }, OPEN).draft.endpoint).toBe(endpoint)
  })

  test.each(['ai', 'Image Generation', '天気', 'data/feeds:live & more'])('the category %p', category => {
    expect(readDraft({ ...draft(), category }, OPEN).draft.category).toBe(category)
  })

  test('unknown fields and those the directory assigns are ignored and named', () => {
    const body = {
      ...draft(),
      id: 'mine',
      trustScore: 100,
      extra: 1,
      pricing: { ...draft().pricing, tax: 1 },
    }
    const { draft: read, ignored } = readDraft(body, OPEN)
    expect(ignored.toSorted()).toEqual(['extra', 'id', 'pricing.tax', 'trustScore'])
    expect(read).toEqual(draft())
  })

  test('an address that is malformed for its chain is accepted with a notice', () => {
    const { notices } = readDraft(payment({ paymentAddress: '0x123' }), OPEN)
    expect(notices).toHaveLength(1)
    expect(notices[0]).toStartWith('x402Config.paymentAddress: ')
    expect(
      readDraft(payment({ paymentAddress: 'whatever', network: 'unknown-chain' }), OPEN).notices,
    ).toEqual([])
  })
})

describe('refused:', () => {
  test('every problem is listed at once, with its path', () => {
    const body = {
      name: '',
      endpoint: 'ftp://x',
      pricing: { currency: 'USDC', pricePerRequest: 1 },
      x402Config: 'base',
    }
    expect(badPaths(body)).toEqual([
      'category',
      'description',
      'endpoint',
      'name',
      'pricing.pricePerRequest',
      'x402Config',
    ])
    expect(problemsOf(body).description).toStartWith('is required')
  })

  test.each([[null], [[]], ['text'], [1], [true]])('a body that is %p', body =>
    expect(Object.keys(problemsOf(body))).toEqual(['']),
  )

  test.each([
    '',
    '   ',
    '\u3000\n',
    '\u200b\u200d',
    'a\u0000b',
    'a\u007fb',
    'a\u202eb',
    'a\u2066b',
    'a\ud800',
    7,
    null,
  ])('the name %p', name => expect(badPaths({ ...draft(), name })).toEqual(['name']))

  test.each([
    '',
    '-1',
    '+1',
    '1.',
    '.5',
    '1e3',
    ' 1',
    '1,5',
    '0x1',
    'free',
    '１',
    `${'1'.repeat(19)}`,
    `0.${'1'.repeat(19)}`,
    1,
    null,
  ])('the price %p', pricePerRequest =>
    expect(badPaths(pricing({ pricePerRequest }))).toEqual(['pricing.pricePerRequest']),
  )

  test.each([-1, 1.5, '3', Number.MAX_VALUE, true])('the free quota %p', freeQuota => {
    expect(badPaths(pricing({ freeQuota }))).toEqual(['pricing.freeQuota'])
  })

  test.each(['', ' ', 'US\nD', 'x'.repeat(33), ' USDC', 'a\u202eb'])('the currency %p', currency => {
    expect(badPaths(pricing({ currency }))).toEqual(['pricing.currency'])
  })

  test.each(['', 'a b', 'x'.repeat(129), '0x1\u0000', 1])('the payment address %p', paymentAddress => {
    expect(badPaths(payment({ paymentAddress }))).toEqual(['x402Config.paymentAddress'])
  })

  test.each(['', 'a  b', 'x'.repeat(65), '\t'])('the network %p', network => {
    expect(badPaths(payment({ network }))).toEqual(['x402Config.network'])
  })

  test.each([
    'api.example.com',
    '/v1',
    'ftp://api.example.com',
    'javascript:alert(1)',
    'https:/api.example.com',
    'https://',
    'https://user@api.example.com',
    'https://user:secret@api.example.com',
    ' https://api.example.com',
    'https://api.exa mple.com',
    'https://api.example.com/\u0000',
    'http://[::zz]/',
    `https://api.example/${'a'.repeat(2048)}`,
  ])('the endpoint %p', endpoint => expect(badPaths({ ...draft(), endpoint })).toEqual(['endpoint']))

  const PRIVATE = [
    'http://localhost:3000',
    'http://api.localhost',
    'http://127.0.0.1',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://10.0.0.8',
    'http://192.168.1.1',
    'http://172.16.0.1',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:127.0.0.1]/',
  ]
  test.each(PRIVATE)('the private endpoint %p, unless the policy opens it', endpoint => {
    expect(badPaths({ ...draft(), endpoint })).toEqual(['endpoint'])
    expect(badPaths({ ...draft(), endpoint }, { ...OPEN, allowPrivateEndpoints: true })).toEqual([])
  })

  test.each(['', '-x', '!', 'a\nb', 'x'.repeat(65)])('the category %p', category => {
    expect(badPaths({ ...draft(), category })).toEqual(['category'])
  })

  test('a malformed address, if the policy is strict about addresses', () => {
    const strict = { ...OPEN, strictAddresses: true }
    expect(badPaths(payment({ paymentAddress: '0x123' }), strict)).toEqual(['x402Config.paymentAddress'])
    expect(badPaths({ ...payment({ paymentAddress: '0x123' }), name: '' }, strict)).toEqual([
      'name',
      'x402Config.paymentAddress',
    ])
  })
})
