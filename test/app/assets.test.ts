import { describe, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, loadAssets, readConfig } from '../../src/app/config.ts'
import { findAsset, isSameMoney, knownAssets } from '../../src/domain/chains/assets.ts'
import { chainKey, findChain } from '../../src/domain/chains/chains.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { openTestServer } from '../http/directory-server.ts'
import { asksV2, onBase, openMerchant, PAYEE, USDC_ON_BASE } from '../probe/merchant.ts'

const folder = mkdtempSync(join(tmpdir(), 'shirube-assets-'))
let files = 0
function fileOf(content: unknown): string {
  const path = join(folder, `${++files}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const problemsOf = (content: unknown): string => loadAssets(fileOf(content)).join('\n')

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const table = {
  chains: [{ id: 'eip155:31337', name: 'hardhat', label: 'Hardhat', testnet: true, aliases: ['my-laptop'] }],
  assets: [{ chain: 'hardhat', address: TOKEN, symbol: 'LocalUSD', decimals: 6, currency: 'USD' }],
}

describe('chains and assets of the operator', () => {
  test('make services on them verifiable, and are known under every spelling', async () => {
    const way = { ...onBase, network: 'eip155:31337', asset: TOKEN.toLowerCase() }
    await using merchant = openMerchant({ '/v1': asksV2([way]) })
    const probe = createProbe({ fetch: createSafeFetch({ allowPrivate: true }), userAgent: 'test' })
    const ask = () =>
      probe({
        endpoint: `${merchant.url}/v1`,
        paymentAddress: PAYEE,
        network: 'hardhat',
        pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
      })
    expect(await ask()).toMatchObject({
      outcome: 'mismatched',
      reasons: [{ code: 'chain_unknown' }, { code: 'request_was' }],
    })

    expect(loadAssets(fileOf(table))).toEqual([])
    expect(await ask()).toMatchObject({ outcome: 'payable', price: 'same', priceSeen: '0.0025' })
    expect(findChain('31337')?.label).toBe('Hardhat')
    expect(chainKey('My Laptop')).toBe('eip155:31337')
    expect(findAsset('hardhat', TOKEN)).toMatchObject({ symbol: 'LocalUSD', isDefault: false })
    expect(isSameMoney('LocalUSD', 'USDC')).toBe(true)

    // Once more, as each thread does it: nothing changes.
    const count = knownAssets().length
    expect(loadAssets(fileOf(table))).toEqual([])
    expect(knownAssets()).toHaveLength(count)
    expect(loadAssets(undefined)).toEqual([])
  })

  test.each([
    ['no JSON', '{', 'cannot be read as JSON'],
    ['a list', [], 'must be an object with chains and assets'],
    ['a field that nobody knows', { coins: [] }, 'coins'],
    ['a chain without CAIP-2', { chains: [{ id: 'hardhat', name: 'x' }] }, 'chains.0.id must be a CAIP-2 id'],
    [
      'a name that is taken',
      { chains: [{ id: 'eip155:99999', name: 'base' }] },
      'base means eip155:8453 already',
    ],
    [
      'an asset on an unknown chain',
      { assets: [{ ...table.assets[0], chain: 'nowhere' }] },
      'assets.0.chain must be a known chain',
    ],
    [
      'an asset at no address',
      { assets: [{ ...table.assets[0], chain: 'base', address: '0x12' }] },
      'assets.0.address',
    ],
    ['decimals below zero', { assets: [{ ...table.assets[0], decimals: -1 }] }, 'assets.0.decimals'],
    [
      'a currency that is none',
      { assets: [{ ...table.assets[0], currency: 'BTC' }] },
      'must be USD, EUR or JPY',
    ],
    [
      'other decimals for a known asset',
      { assets: [{ chain: 'base', address: USDC_ON_BASE, symbol: 'USDC', decimals: 2, currency: 'USD' }] },
      'is known already, as USDC with 6 decimals',
    ],
  ])('are refused where the file holds %s', (_, content, problem) => {
    expect(problemsOf(content)).toContain(problem)
  })

  test('add nothing where any of them is refused', () => {
    const good = { id: 'eip155:515151', name: 'half-chain', label: 'Half Chain' }
    const own = { ...table.assets[0]!, chain: 'half-chain', symbol: 'HalfUSD' }
    const count = knownAssets().length
    for (const broken of [
      { chains: [good, { id: 'eip155:515152', name: 'base' }], assets: [own] },
      { chains: [good], assets: [own, { ...own, decimals: 2 }] },
      { chains: [good], assets: [own, { ...own, chain: 'nowhere' }] },
      { chains: [good], assets: [own, { ...own, address: '0x12' }] },
    ]) {
      expect(problemsOf(broken)).not.toBe('')
      expect(findChain('half-chain')).toBeUndefined()
      expect(findAsset('eip155:515151', TOKEN)).toBeUndefined()
      expect(isSameMoney('HalfUSD', 'USDC')).toBe(false)
      expect(knownAssets()).toHaveLength(count)
    }
    expect(problemsOf({ chains: [good], assets: [own] })).toBe('')
    expect(findAsset('Half Chain', TOKEN)?.symbol).toBe('HalfUSD')
  })

  test('that cannot be read prevent the start, and are reported with all other problems', () => {
    const settings = { ASSETS: join(folder, 'missing.json'), PORT: 'x' }
    expect(() => readConfig(settings)).toThrow(ConfigError)
    expect(() => readConfig(settings)).toThrow(/PORT[\s\S]*ASSETS: .*missing\.json cannot be read/)
  })

  test('can be read from a node of the operator, and are offered to providers', async () => {
    const chains = [
      { id: 'eip155:424242', name: 'harbour-chain', label: 'Harbour Chain' },
      { id: 'eip155:424243', name: 'harbour-test', testnet: true },
      { id: 'stellar:harbour', name: 'harbour-stellar' },
    ]
    const url = 'http://127.0.0.1:8545'
    expect(() => readConfig({ RPC_URL_HARBOUR_CHAIN: url })).toThrow('names no EVM or Solana network')
    await using server = await openTestServer({
      ASSETS: fileOf({ chains }),
      RPC_URL_HARBOUR_CHAIN: url,
      RPC_URL_HARBOUR_TEST: url,
    })
    expect(readConfig({ RPC_URL_HARBOUR_CHAIN: url }).rpcUrls).toEqual({ 'eip155:424242': url })
    expect(() => readConfig({ RPC_URL_HARBOUR_STELLAR: url })).toThrow('names no EVM or Solana network')
    const form = await (await fetch(`${server.url}/register`)).text()
    const [, networks = ''] = /<datalist id="networks">(.*?)<\/datalist>/s.exec(form) ?? []
    expect(networks).toContain('<option value="Harbour Chain"></option>')
    expect(networks).toContain('<option value="Base"></option>')
    expect(networks).not.toContain('harbour-test')
  })
})
