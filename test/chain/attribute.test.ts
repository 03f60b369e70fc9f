import { describe, expect, test } from 'bun:test'
import { attribute } from '../../src/chain/attribute.ts'
import type { Claim } from '../../src/chain/claims.ts'
import { ASSETS, type Asset } from '../../src/domain/assets.ts'

const [usdc] = ASSETS as [Asset]
const jpyc = ASSETS.find(({ symbol }) => symbol === 'JPYC')!
const claim = (serviceId: string, parts: Partial<Claim> = {}): Claim => ({
  serviceId,
  currency: 'USDC',
  price: '0.01',
  isVerified: false,
  ...parts,
})

describe('a payment belongs to', () => {
  test('the only service at its address, whatever was paid', () => {
    expect(attribute('0.5', usdc, [claim('a')])).toBe('a')
  })

  test('nobody where nobody sells for that money', () => {
    expect(attribute('0.01', jpyc, [claim('a')])).toBeNull()
    expect(attribute('0.01', usdc, [claim('a', { currency: 'ETH' })])).toBeNull()
    expect(attribute('0.01', usdc, [])).toBeNull()
  })

  test('a service that names the money by another name', () => {
    for (const currency of ['USD', 'usdc', 'ＵＳＤＣ', 'USDT'])
      expect(attribute('0.01', usdc, [claim('a', { currency })])).toBe('a')
    expect(attribute('100', jpyc, [claim('a', { currency: 'JPY' })])).toBe('a')
  })

  test('the service whose price was paid, where several share the address', () => {
    const claims = [
      claim('a'),
      claim('b', { price: '0.020' }),
      claim('c', { currency: 'JPY', price: '0.02' }),
    ]
    expect(attribute('0.02', usdc, claims)).toBe('b')
    expect(attribute('0.03', usdc, claims)).toBeNull()
  })

  test('the verified one of several at that price, and to nobody where that does not decide', () => {
    const [impostor, owner] = [claim('impostor'), claim('owner', { isVerified: true })]
    expect(attribute('0.01', usdc, [impostor, owner])).toBe('owner')
    expect(attribute('0.01', usdc, [impostor, claim('other')])).toBeNull()
    expect(attribute('0.01', usdc, [owner, claim('other', { isVerified: true })])).toBeNull()
  })
})
