import { describe, expect, test } from 'bun:test'
import {
  addressKey,
  addressKeys,
  addressProblem,
  addressSpellings,
  sameAddress,
} from '../../../src/domain/chains/addresses.ts'
import { CHAINS } from '../../../src/domain/chains/chains.ts'
import { tellInEnglish } from '../../../src/messages/message.ts'
import { fc } from '../../fast-check.ts'

const EVM = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const SOLANA = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const STELLAR = 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75'

test.each([
  [EVM, 'base'],
  [EVM.toLowerCase(), 'eip155:8453'],
  [` ${EVM} `, 'Base'],
  [EVM, 'eip155:99999999'],
  [SOLANA, 'solana'],
  [STELLAR, 'stellar'],
  ['GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7', 'stellar:pubnet'],
  ['7ZUECA7HFLZTXENRV24SHLU4AVPUTMTTDUFUBNBD64C73F3UHRTHAIOF6Q', 'algorand'],
  ['0x1', 'aptos:1'],
  ['alice.near', 'near'],
  ['17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1', 'near'],
  ['0.0.456858', 'hedera'],
  ['0.0.456858-abcde', 'hedera'],
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'tron'],
  ['anything at all', 'some-new-chain'],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'bitcoin'],
])('a well-formed address has no problem: %s on %s', (address, network) => {
  expect(addressProblem(address, network)).toBeUndefined()
})

describe('a malformed address is reported with its chain and the expected form', () => {
  test.each([
    ['0x123', 'base'],
    [`${EVM}0`, 'base'],
    [EVM.replace('0x', ''), 'base'],
    [`${EVM.slice(0, -1)}g`, '8453'],
    [SOLANA, 'base'],
    ['0x123', 'eip155:99999999'],
    [EVM, 'solana'],
    [SOLANA.slice(0, 30), 'solana'],
    [`${SOLANA.slice(0, -1)}0`, 'solana'],
    ['zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', 'solana'],
    [STELLAR.slice(0, -1), 'stellar'],
    [STELLAR.toLowerCase(), 'stellar'],
    ['', 'base'],
    ['Alice.near', 'near'],
    ['0.0', 'hedera'],
    ['T', 'tron'],
    ['0x', 'aptos'],
  ])('%p on %s', (address, network) => {
    expect(tellInEnglish(addressProblem(address, network)!)).toMatch(
      / is not an address on .+: an address there is .+\.$/,
    )
  })

  test('the message names the address, the chain and the expected form', () => {
    expect(tellInEnglish(addressProblem('0x123', 'base')!)).toBe(
      '"0x123" is not an address on Base: an address there is 0x and 40 hexadecimal digits.',
    )
  })
})

describe('one account in two spellings', () => {
  test('EVM addresses are compared without regard to case', () => {
    expect(sameAddress(EVM, EVM.toLowerCase(), 'base')).toBe(true)
    expect(sameAddress(EVM, EVM.toUpperCase().replace('0X', '0x'), 'eip155:8453')).toBe(true)
    expect(sameAddress(EVM, EVM.toLowerCase(), 'unheard-of')).toBe(true)
    expect(sameAddress(EVM, EVM.replace('0x8', '0x9'), 'base')).toBe(false)
  })

  test('Solana addresses are compared exactly', () => {
    expect(sameAddress(SOLANA, SOLANA, 'solana')).toBe(true)
    expect(sameAddress(SOLANA, SOLANA.toLowerCase(), 'solana')).toBe(false)
  })

  test('leading zeros do not make another account', () => {
    expect(sameAddress('0x01', '0x1', 'aptos')).toBe(true)
  })
})

describe('the family of a chain decides what a spelling means', () => {
  const DIGITS = '833589fcd6edb6e08f4c7c32d4f71b54bda02913'

  test.each(['aptos', 'aptos:2', 'aptos:145'])(
    'an address of 40 digits equals its padded form on %s',
    network => {
      const long = `0x${DIGITS.padStart(64, '0')}`
      expect(sameAddress(EVM, long, network)).toBe(true)
      expect(sameAddress(long.toUpperCase().replace('0X', '0x'), EVM, network)).toBe(true)
      expect(sameAddress(EVM, `0x1${DIGITS}`, network)).toBe(false)
      expect(addressSpellings(EVM, network)).toEqual([long, EVM])
    },
  )

  test('an address of 64 digits never equals one of 40 on an EVM chain', () => {
    expect(sameAddress(EVM, `0x${DIGITS.padStart(64, '0')}`, 'base')).toBe(false)
  })

  test('without a chain, an address has a key for every family of chains', () => {
    const keys = addressKeys(EVM)
    expect(keys).toContain(addressKey(EVM, 'base'))
    expect(keys).toContain(addressKey(EVM, 'aptos'))
    expect(keys.length).toBeLessThan(5)
  })
})

test('any text on any chain is compared without an exception, and equals itself', () => {
  const network = fc.oneof(fc.constantFrom(...CHAINS.map(chain => chain.id)), fc.string())
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), network, (address, on) => {
      addressProblem(address, on)
      return (
        sameAddress(address, address, on) &&
        addressSpellings(address, on).every(spelling => sameAddress(spelling, address, on)) &&
        addressKeys(address).includes(addressKey(address, on))
      )
    }),
    { numRuns: 500 },
  )
})
