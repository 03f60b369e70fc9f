import { describe, expect, test } from 'bun:test'
import { addressProblem } from '../../../src/domain/chains/addresses.ts'
import { ASSETS, findAsset } from '../../../src/domain/chains/assets.ts'
import { findChain } from '../../../src/domain/chains/chains.ts'

const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

describe('finding an asset', () => {
  test.each(['base', 'Base', 'eip155:8453', '8453'])('USDC on %s, in any case', network => {
    expect(findAsset(network, USDC_ON_BASE)).toMatchObject({ symbol: 'USDC', decimals: 6, currency: 'USD' })
    expect(findAsset(network, USDC_ON_BASE.toLowerCase())?.symbol).toBe('USDC')
  })

  test('the same address on another chain is another asset', () => {
    expect(findAsset('ethereum', USDC_ON_BASE)).toBeUndefined()
    expect(findAsset('base-sepolia', USDC_ON_BASE)).toBeUndefined()
  })

  test('Solana mints are found exactly', () => {
    expect(findAsset('solana', USDC_ON_SOLANA)?.decimals).toBe(6)
    expect(findAsset('solana', USDC_ON_SOLANA.toLowerCase())).toBeUndefined()
  })

  test.each([
    ['stellar', 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75', 'USDC', 7],
    ['megaeth', '0xfafddbb3fc7688494971a79cc65dca3ef82079e7', 'MegaUSD', 18],
    ['bnb', '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', 'USDC', 18],
    ['polygon', '0xe7c3d8c9a439fede00d2600032d5db0be71c3c29', 'JPYC', 18],
    ['algorand', '31566704', 'USDC', 6],
  ])('decimals are not always six: %s %s', (network, address, symbol, decimals) => {
    expect(findAsset(network, address)).toMatchObject({ symbol, decimals })
  })

  test.each([
    ['base', '0x0000000000000000000000000000000000000001'],
    ['base', 'USDC'],
    ['unheard-of', USDC_ON_BASE],
    ['base', ''],
  ])('%s %p is unknown, and nothing is assumed about it', (network, address) => {
    expect(findAsset(network, address)).toBeUndefined()
  })
})

test('every asset is on a known chain at a well-formed address, once', () => {
  for (const { chain, address } of ASSETS) {
    expect(findChain(chain)?.id).toBe(chain)
    // An Algorand asset is a number, not an account.
    if (!chain.startsWith('algorand:')) expect(addressProblem(address, chain)).toBeUndefined()
  }
  expect(new Set(ASSETS.map(asset => `${asset.chain} ${asset.address.toLowerCase()}`)).size).toBe(
    ASSETS.length,
  )
})
