import { describe, expect, test } from 'bun:test'
import { CHAINS, chainKey, findChain } from '../../../src/domain/chains/chains.ts'
import { LANGUAGES } from '../../../src/domain/languages/languages.ts'
import { fc } from '../../fast-check.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

describe('finding a chain', () => {
  test.each([
    ['base', 'eip155:8453'],
    ['Base', 'eip155:8453'],
    [' BASE ', 'eip155:8453'],
    ['\uff22\uff41\uff53\uff45', 'eip155:8453'],
    ['base-mainnet', 'eip155:8453'],
    ['Base Mainnet', 'eip155:8453'],
    ['eip155:8453', 'eip155:8453'],
    ['EIP155:8453', 'eip155:8453'],
    ['8453', 'eip155:8453'],
    ['0x2105', 'eip155:8453'],
    ['ベース', 'eip155:8453'],
    ['base-sepolia', 'eip155:84532'],
    ['base_sepolia', 'eip155:84532'],
    ['Base Sepolia', 'eip155:84532'],
    ['solana', SOLANA],
    ['solana-mainnet', SOLANA],
    ['solana:mainnet', SOLANA],
    [SOLANA.toLowerCase(), SOLANA],
    ['ソラナ', SOLANA],
    ['\uff7f\uff97\uff85', SOLANA],
    ['ethereum-mainnet', 'eip155:1'],
    ['イーサリアム', 'eip155:1'],
    ['ポリゴン', 'eip155:137'],
    ['OP Mainnet', 'eip155:10'],
    ['algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k', 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8='],
    ['starknet:SN_MAIN', 'starknet:SN_MAIN'],
    ['near:mainnet', 'near:mainnet'],
    ['xrpl', 'xrpl:0'],
  ])('%p is %s', (spelling, id) => {
    expect(findChain(spelling)?.id).toBe(id)
    expect(chainKey(spelling)).toBe(id)
  })

  test.each(['', ' ', 'bas', 'base-', 'basesepolia2', 'eip155:', 'eip155:84530', 'mainnet', 'constructor'])(
    '%p is not a known chain',
    text => {
      expect(findChain(text)).toBeUndefined()
    },
  )

  test('a main network and its test network are two chains', () => {
    expect(chainKey('base')).not.toBe(chainKey('base-sepolia'))
    expect(chainKey('solana')).not.toBe(chainKey('solana-devnet'))
    expect(findChain('base')?.testnet).toBe(false)
    expect(findChain('base-sepolia')?.testnet).toBe(true)
  })

  test('an unknown chain is known by its folded text', () => {
    expect(chainKey(' My Chain ')).toBe('my chain')
    expect(chainKey('\uff2d\uff59 Chain')).toBe('my chain')
    expect(chainKey('eip155:12345678')).toBe('eip155:12345678')
  })

  test('any text has a key that is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => chainKey(chainKey(text)) === chainKey(text)),
    )
  })
})

describe('the table', () => {
  test('gives every spelling to one chain only', () => {
    for (const chain of CHAINS) {
      for (const text of [chain.id, chain.name, chain.label, ...chain.aliases]) {
        expect(`${text} → ${findChain(text)?.id}`).toBe(`${text} → ${chain.id}`)
        if (!chain.testnet) expect(findChain(`${chain.name}-mainnet`)?.id).toBe(chain.id)
      }
      const number = chain.family === 'evm' ? chain.id.split(':')[1]! : undefined
      if (number) expect(findChain(number)?.id).toBe(chain.id)
    }
  })

  test('has the names that a language gives to chains', () => {
    for (const { chains = {} } of Object.values(LANGUAGES)) {
      for (const [name, spellings] of Object.entries(chains)) {
        for (const text of spellings) expect(`${text} → ${findChain(text)?.name}`).toBe(`${text} → ${name}`)
      }
    }
  })

  test('has unique ids and names', () => {
    expect(new Set(CHAINS.map(chain => chain.id)).size).toBe(CHAINS.length)
    expect(new Set(CHAINS.map(chain => chain.name)).size).toBe(CHAINS.length)
  })
})
