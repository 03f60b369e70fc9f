// Common spellings are read by fast paths, which must agree with the full parser.
import { expect, test } from 'bun:test'
import { endpointKey, endpointSchema, isSameOrigin } from '../../src/domain/hosts/endpoint.ts'
import { visible } from '../../src/domain/text/text.ts'
import { fc } from '../fast-check.ts'

const part = fc.constantFrom(
  ...'api xn-- xn--a xn--wgv71a 日本 A 0x7f 127 1 - _ %41 %2f . ..'.split(' '),
  ...[
    'shop.example',
    'user@',
    'user:word@',
    ':443',
    ':80',
    ':8443',
    '/',
    '//',
    '\\',
    '?q=1',
    '#f',
    ' ',
    '[::1]',
  ],
)
const url = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:/', 'ftp://'),
    fc.array(part, { maxLength: 6 }),
  )
  .map(([scheme, parts]) => scheme + parts.join(''))

test('an endpoint is accepted if the URL parser accepts it', () => {
  fc.assert(
    fc.property(url, text => {
      const parsed = URL.parse(text)
      const isGood =
        /^https?:\/\/[^/?#\\]/i.test(text) &&
        !/[\p{Z}\p{C}]/u.test(text) &&
        parsed !== null &&
        parsed.username === '' &&
        parsed.password === ''
      expect(endpointSchema.safeParse(text).success).toBe(isGood)
    }),
    { numRuns: 2_000 },
  )
})

test('two spellings of an endpoint are equal if the URL parser makes them equal', () => {
  fc.assert(
    fc.property(url, text => {
      const parsed = URL.parse(text)
      if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '')
        expect(endpointKey(text)).toBe(endpointKey(parsed.href.replace(/#.*/, '')))
    }),
    { numRuns: 2_000 },
  )
})

test('two URLs have the same origin if the URL parser says so', () => {
  const good = url.filter(text => endpointSchema.safeParse(text).success)
  fc.assert(
    fc.property(good, good, part, (a, b, more) => {
      expect(isSameOrigin(a, b)).toBe(URL.parse(a)?.origin === URL.parse(b)?.origin)
      const longer = a + more
      expect(isSameOrigin(longer, a)).toBe(URL.parse(longer)?.origin === URL.parse(a)?.origin)
    }),
    { numRuns: 1_000 },
  )
})

test('the same rules of visible text apply to ASCII and other text', () => {
  const schema = visible(8, 'asset')
  for (const [text, isGood] of [
    ['12345678', true],
    ['123456789', false],
    ['', false],
    ['a b', false],
    ['a\n', false],
    ['\u007f', false],
    ['日本', true],
    ['日'.repeat(9), false],
    ['\u200b', false],
  ] as const)
    expect([text, schema.safeParse(text).success]).toEqual([text, isGood])
})
