// Every default asset and network of the official x402 packages is known, with the same values.
import { describe, expect, test } from 'bun:test'
import { DEFAULT_ASSETS as EVM_ASSETS } from '@x402/evm'
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1'
import { DEFAULT_ASSETS as SOLANA_ASSETS } from '@x402/svm'
import { ASSETS, findAsset } from '../../src/domain/chains/assets.ts'
import { findChain } from '../../src/domain/chains/chains.ts'
import { tokenProgramOf } from '../../src/domain/solana.ts'

const official = Object.entries({ ...EVM_ASSETS, ...SOLANA_ASSETS }).flatMap(([network, assets]) =>
  (assets ?? []).map(({ asset, symbol, decimals }) => ({ network, asset, symbol, decimals })),
)

describe('the official packages', () => {
  test('have more than 30 default assets', () => {
    expect(official.length).toBeGreaterThan(30)
  })

  test.each(official)('pay in $symbol on $network by default', ({ network, asset, symbol, decimals }) => {
    expect(findChain(network)?.id).toBe(network)
    expect(findAsset(network, asset)).toMatchObject({ symbol, decimals, currency: 'USD', isDefault: true })
  })

  test('pay in nothing else by default', () => {
    const keys = official.map(({ network, asset }) => `${network} ${asset.toLowerCase()}`)
    const ours = ASSETS.filter(({ isDefault }) => isDefault).map(
      ({ chain, address }) => `${chain} ${address.toLowerCase()}`,
    )
    expect(ours.sort()).toEqual(keys.sort())
  })

  test.each(Object.values(SOLANA_ASSETS).flatMap(assets => assets ?? []))(
    'pay in $symbol through the program that holds $asset',
    ({ asset, tokenProgram }) => {
      expect(tokenProgramOf(asset)).toBe(tokenProgram)
    },
  )

  test.each(Object.entries(EVM_NETWORK_CHAIN_ID_MAP))(
    'call a known network %s in version 1',
    (name, number) => {
      expect(findChain(name)?.id).toBe(`eip155:${number}`)
    },
  )
})
