// However a hostile 402 or a misleading link changes a payment, only the listed place, payee, money and scheme are "clear".
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { DirectoryError } from '../../src/domain/errors.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { parseResolveQuery } from '../../src/domain/resolve/resolution.ts'
import { entry } from '../entries.ts'
import { fc } from '../fast-check.ts'

const PAYEE = '0x1111111111111111111111111111111111111111'
const THIEF = '0x2222222222222222222222222222222222222222'
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const now = new Date('2026-06-01T00:00:00Z')
const ENDPOINTS = [
  ...'https://api.shop.dev/v1 https://market.shop.dev/v1?seller=alice'.split(' '),
  ...'https://xn--bcher-kva.dev/v1 http://[2001:db8::1]:8080/v1 https://api.shop.dev:8443/x'.split(' '),
]

const verified = (endpoint: string): Entry => ({
  ...entry(
    {
      endpoint,
      pricing: { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 0 },
      x402Config: { paymentAddress: PAYEE, network: 'base' },
    },
    { standing: { status: 'verified' } },
  ),
  seen: {
    at: now.toISOString(),
    price: 'same',
    asks: { amount: '0.0025', currency: 'USDC' },
    resources: [
      {
        url: endpoint,
        method: 'GET',
        ways: [{ scheme: 'exact', chain: 'eip155:8453', asset: USDC, amount: '2500', payTo: PAYEE }],
      },
    ],
  },
})
const catalog = new Catalog()
catalog.apply(
  ENDPOINTS.map(verified).map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })),
)

const PIECES = [
  ...String.raw`/ // \ .. . %2e %2f %5c %00 %252f @ evil.dev : 443 80 8443 # ? & seller=alice seller=bob %73eller=bob ;`.split(
    ' ',
  ),
  ...'user:pw@ %40 http https:// //evil.dev /v1 V1 %76 [::ffff:1] 0x7f.1 2130706433'.split(' '),
  ...['\t', ' ', '。', '．', 'ｇ', '\u200b'],
]
const url = fc
  .tuple(
    fc.constantFrom(...ENDPOINTS),
    fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...PIECES), fc.nat(2)), { maxLength: 3 }),
  )
  .map(([endpoint, changes]) =>
    changes.reduce((text, [at, piece, cut]) => text.slice(0, at) + piece + text.slice(at + cut), endpoint),
  )
/** The listed value first, and half of the time. */
const given = (right: string, ...others: readonly string[]) =>
  fc.oneof(fc.constant(undefined), fc.constant(right), fc.constantFrom(...others))
const payment = fc.record({
  url,
  payTo: given(
    PAYEE,
    THIEF,
    `${PAYEE}0`,
    PAYEE.slice(0, -1),
    `${PAYEE},${THIEF}`,
    `${PAYEE}\u200b`,
    ` ${PAYEE}`,
  ),
  amount: given(
    '2500',
    '2501',
    '0002500',
    '1e3',
    '0x9',
    '-1',
    ' 1',
    '2500.0',
    '９',
    '9'.repeat(78),
    `${2n ** 256n}`,
  ),
  asset: given(USDC, USDC.toLowerCase(), THIEF, 'USDC', 'native', USDC.slice(0, -1)),
  network: given(
    'base',
    'eip155:8453',
    'eip155:08453',
    'eip155:8453:1',
    'base-sepolia',
    'eip155:1',
    'solana',
  ),
  scheme: given('exact', 'EXACT', 'upto', 'batch-settlement', 'auth-capture'),
})

/** An escape that need not be one is the letter itself (RFC 3986, 6.2.2.2), and doubled slashes are one here. */
const toPath = ({ pathname }: URL): string =>
  pathname
    .replace(/%([46-7][0-9a-f]|3[0-9]|2[de]|5f)/gi, escaped => {
      const letter = decodeURIComponent(escaped)
      return /[\w.~-]/.test(letter) ? letter : escaped
    })
    .replace(/\/{2,}/g, '/')

const isListedPlace = (text: string): boolean => {
  const asked = new URL(text)
  return ENDPOINTS.map(endpoint => new URL(endpoint)).some(
    ({ origin, pathname, searchParams }) =>
      asked.origin === origin &&
      `${toPath(asked)}/`.startsWith(`${pathname}/`) &&
      [...searchParams].every(([name, value]) => String(asked.searchParams.getAll(name)) === value),
  )
}

test('no mutation of a payment is clear', () => {
  let clear = 0
  fc.assert(
    fc.property(payment, asked => {
      let verdict: string
      try {
        verdict = catalog.resolve(parseResolveQuery(asked), now).decode().verdict
      } catch (error) {
        expect(error).toBeInstanceOf(DirectoryError)
        return
      }
      if (verdict !== 'clear') return
      clear++
      const { payTo = PAYEE, amount = '0', asset = USDC, network = 'base', scheme = 'exact' } = asked
      expect(isListedPlace(asked.url)).toBe(true)
      expect(new URL(asked.url)).toMatchObject({ username: '', password: '' })
      expect(payTo).toBe(PAYEE)
      expect(amount).toMatch(/^\d+$/)
      expect(Number(amount)).toBeLessThanOrEqual(2_500)
      expect(asset.toLowerCase()).toBe(USDC.toLowerCase())
      expect(['base', 'eip155:8453']).toContain(network)
      expect(scheme).toBe('exact')
    }),
    { numRuns: 5_000 },
  )
  expect(clear).toBeGreaterThan(50)
})
