// Chains and assets that the operator adds to the built-in tables, so that payments in them can be compared and verified.

import { z } from 'zod'
import { CURRENCY_FAMILIES, currencyKey } from '../money/money.ts'
import { addressProblem, familyOf, sameAddress } from './addresses.ts'
import { type Chain, type ChainTable, findChain, setChainTable, withChains } from './chains.ts'

/** The stable assets that x402 payments are made in. The decimals of any other asset are unknown, and not guessed. */

export type Asset = {
  /** CAIP-2. */
  readonly chain: string
  readonly address: string
  readonly symbol: string
  readonly decimals: number
  /** The currency that one unit represents. */
  readonly currency: 'USD' | 'EUR' | 'JPY'
  /** Whether the official clients pay in it without configuration. */
  readonly isDefault: boolean
}

type Row = readonly [
  chain: string,
  address: string,
  symbol?: string,
  decimals?: number,
  currency?: Asset['currency'],
]

const USDC_ROWS: readonly Row[] = [
  ['base', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  ['base-sepolia', '0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
  ['ethereum', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
  ['sepolia', '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'],
  ['polygon', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
  ['polygon-amoy', '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'],
  ['avalanche', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'],
  ['avalanche-fuji', '0x5425890298aed601595a70AB815c96711a31Bc65'],
  ['arbitrum', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
  ['arbitrum-sepolia', '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d'],
  ['optimism', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'],
  ['world-chain', '0x79A02482A880bCE3F13e09Da970dC34db4CD24d1'],
  ['unichain', '0x078D782b760474a361dDA0AF3839290b0EF57AD6'],
  ['linea', '0x176211869cA2b568f2A7D4EE941E073a821EE1ff'],
  ['zksync', '0x1d17CBcF0D6D143135aE902365D2E5e2A16538D4'],
  ['celo', '0xcebA9300f2b948710d2653dD7B07f33A8B32118C'],
  ['iotex', '0xcdf79194c6c285077a58da47641d4dbe51f63542'],
  ['sei', '0xe15fc38f6d8c56af07bbcbe3baf5708a2bf42392'],
  ['sei-testnet', '0x4fcf1784b31630811181f670aea7a7bef803eaed'],
  ['abstract', '0x84a71ccd554cc1b02749b35d22f684cc8ec987e1'],
  ['abstract-testnet', '0xe4C7fBB0a626ed208021ccabA6Be1566905E2dFc'],
  ['peaq', '0xbbA60da06c2c5424f03f7434542280FCAd453d10'],
  ['story', '0xF1815bd50389c46847f0Bda824eC8da914045D14'],
  ['educhain', '0x12a272A581feE5577A5dFa371afEB4b2F3a8C2F8'],
  ['skale-base', '0x85889c8c714505E0c94b30fcfcF64fE3Ac8FCb20'],
  ['skale-base-sepolia', '0x2e08028E3C4c2356572E096d8EF835cD5C6030bD'],
  ['monad', '0x754704Bc059F8C67012fEd69BC8A327a5aafb603'],
  ['solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['solana-devnet', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'],
  ['algorand', '31566704'],
  ['aptos', '0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b'],
  ['aptos-testnet', '0x69091fbab5f7d635ee7ac5098cf0c1efbe31d68fec0f2cd565e8d168daf52832'],
  ['near', '17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1'],
  ['hedera', '0.0.456858'],
  ['celo-sepolia', '0x01C5C0122039549AD1493B8220cABEdD739BC44E'],
  ['xdc', '0xfA2958CB79b0491CC627c1557F441eF849Ca8eb1'],
  ['xdc-apothem', '0xb5AB69F7bBada22B28e79C8FFAECe55eF1c771D4'],
  ['igra', '0xA5b8BF902b2844dA17d4506cc827F7F1681735E7'],
  ['solana-testnet', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'],
  ['algorand-testnet', '10458941'],
  ['hedera-testnet', '0.0.429274'],
  ['stellar', 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75', 'USDC', 7],
  ['stellar-testnet', 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA', 'USDC', 7],
  // Bridged by the exchange, not issued by Circle: 18 decimals.
  ['bnb', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 'USDC', 18],
]

const OTHER_ROWS: readonly Row[] = [
  ['megaeth', '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7', 'MegaUSD', 18],
  ['stable', '0x779Ded0c9e1022225f8E0630b35a9b54bE713736', 'USDT0', 6],
  ['stable-testnet', '0x78Cf24370174180738C5B8E352B6D14c83a6c9A9', 'USDT0', 6],
  ['ethereum', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'USDT', 6],
  ['polygon', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', 'USDT', 6],
  ['polygon', '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', 'USDC.e', 6],
  ['arbitrum', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', 'USDT', 6],
  ['bnb', '0x55d398326f99059fF775485246999027B3197955', 'USDT', 18],
  ['solana', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT', 6],
  ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'USDT', 6],
  ['near', 'usdt.tether-token.near', 'USDT', 6],
  ['ethereum', '0x6B175474E89094C44Da98b954EedeAC495271d0F', 'DAI', 18],
  ['celo', '0x765DE816845861e75A25fCA122bb6898B8B1282a', 'cUSD', 18],
  ['base', '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42', 'EURC', 6, 'EUR'],
  ['ethereum', '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c', 'EURC', 6, 'EUR'],
  ['ethereum', '0xE7C3D8C9a439feDe00D2600032D5dB0Be71C3c29', 'JPYC', 18, 'JPY'],
  ['polygon', '0xE7C3D8C9a439feDe00D2600032D5dB0Be71C3c29', 'JPYC', 18, 'JPY'],
  ['avalanche', '0xE7C3D8C9a439feDe00D2600032D5dB0Be71C3c29', 'JPYC', 18, 'JPY'],
  ['sepolia', '0xE7C3D8C9a439feDe00D2600032D5dB0Be71C3c29', 'JPYC', 18, 'JPY'],
  ['polygon-amoy', '0xE7C3D8C9a439feDe00D2600032D5dB0Be71C3c29', 'JPYC', 18, 'JPY'],
  ['flare', '0xe7cd86e13AC4309349F30B3435a9d337750fC82D', 'USDT0'],
  ['celo', '0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e', 'USDT'],
  ['celo', '0xD2ab3C9A02DBBAB236BfEC45D1d755DF4267F771', 'USAT'],
  ['tempo', '0x20C000000000000000000000b9537d11c60E8b50', 'USDC.e'],
  ['tempo', '0x20c0000000000000000000000000000000000000', 'pathUSD'],
  ['tempo-testnet', '0x20c0000000000000000000000000000000000000', 'pathUSD'],
  ['mezo', '0xdD468A1DDc392dcdbEf6db6e34E89AA338F9F186', 'mUSD', 18],
  ['mezo-testnet', '0x118917a40FAF1CD7a13dB0Ef56C86De7973Ac503', 'mUSD', 18],
  ['radius', '0x33ad9e4BD16B69B5BFdED37D8B5D9fF9aba014Fb', 'SBC'],
  ['radius-testnet', '0x33ad9e4BD16B69B5BFdED37D8B5D9fF9aba014Fb', 'SBC'],
  ['adi', '0x9cb8142aEBBcdc60AF7c97Af897A67A8f3CA71C2', 'USDC.e'],
  ['hpp', '0x401eCb1D350407f13ba348573E5630B83638E30D', 'USDC.e'],
  ['hpp-sepolia', '0x401eCb1D350407f13ba348573E5630B83638E30D', 'USDC.e'],
  ['solana', '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH', 'USDG'],
  ['solana', '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', 'PYUSD'],
  ['solana', 'CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH', 'CASH'],
  ['solana-devnet', '4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7', 'USDG'],
  ['solana-devnet', 'CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM', 'PYUSD'],
  ['solana-testnet', '4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7', 'USDG'],
  ['solana-testnet', 'CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM', 'PYUSD'],
]

/** Assets that the official clients pay in without configuration, by chain and symbol; up to a dollar per request. */
const DEFAULTS: ReadonlySet<string> = new Set(
  [
    'base USDC, base-sepolia USDC, ethereum USDC, avalanche USDC, megaeth MegaUSD, monad USDC, stable USDT0, stable-testnet USDT0',
    'polygon USDC, arbitrum USDC, arbitrum-sepolia USDC, mezo mUSD, mezo-testnet mUSD, radius SBC, radius-testnet SBC, adi USDC.e',
    'hpp USDC.e, hpp-sepolia USDC.e, xdc USDC, xdc-apothem USDC, igra USDC, flare USDT0, celo USDC, celo USDT, celo USAT',
    'celo-sepolia USDC, sei USDC, sei-testnet USDC, solana USDC, solana USDT, solana USDG, solana PYUSD, solana CASH',
    'solana-devnet USDC, solana-devnet USDG, solana-devnet PYUSD, solana-testnet USDC, solana-testnet USDG, solana-testnet PYUSD',
  ].flatMap(line => line.split(', ')),
)

function toAsset([name, address, symbol = 'USDC', decimals = 6, currency = 'USD']: Row): Asset {
  const chain = findChain(name)
  if (!chain) throw new Error(`The table of assets names ${name}, which the table of chains does not have.`)
  const isDefault = DEFAULTS.has(`${name} ${symbol}`)
  return Object.freeze({ chain: chain.id, address, symbol, decimals, currency, isDefault })
}

export const ASSETS: readonly Asset[] = Object.freeze([...USDC_ROWS, ...OTHER_ROWS].map(toAsset))

const UNITS = { dollar: 'USD', yen: 'JPY', euro: 'EUR' } as const

/** Assets by chain, and the currency of each symbol. Immutable: to add assets, a new table replaces the whole. */
type AssetTable = {
  readonly assets: readonly Asset[]
  readonly byChain: ReadonlyMap<string, readonly Asset[]>
  readonly unitByKey: ReadonlyMap<string, Asset['currency']>
}

const toTable = (assets: readonly Asset[]): AssetTable => ({
  assets,
  byChain: Map.groupBy(assets, asset => asset.chain),
  // The first asset with a symbol decides its currency, unless the symbol is itself the name of a currency.
  unitByKey: new Map<string, Asset['currency']>([
    ...assets.map(({ symbol, currency }) => [currencyKey(symbol), currency] as const).toReversed(),
    ...Object.entries(CURRENCY_FAMILIES).flatMap(([family, keys]) =>
      keys.map(key => [key, UNITS[family as keyof typeof UNITS]] as const),
    ),
  ]),
})

let current = toTable(ASSETS)

/**
 * Returns the current table with further assets. One that it has already is not changed.
 * @throws Error if the table has other decimals, or another currency, for an address
 */
export function withAssets(added: readonly Asset[]): AssetTable {
  const assets = [...current.assets]
  for (const asset of added) {
    const { chain, address } = asset
    const same = assets.find(each => each.chain === chain && sameAddress(each.address, address, chain))
    if (same === undefined) assets.push(asset)
    else if (same.decimals !== asset.decimals || same.currency !== asset.currency)
      throw new Error(
        `${address} on ${chain} is known already, as ${same.symbol} with ${same.decimals} decimals`,
      )
  }
  return toTable(assets)
}

/** Makes this the table of the whole thread. It contains the previous one, so earlier lookups remain valid. */
export function setAssetTable(table: AssetTable): void {
  current = table
}

/** Every known asset of a chain, those of the operator included. @param chain CAIP-2 id */
export const assetsOn = (chain: string): readonly Asset[] => current.byChain.get(chain) ?? []

/** The assets of all chains: the built-in ones, then those of the operator. */
export const knownAssets = (): readonly Asset[] => current.assets

/** Finds a known asset by its address on a network in any spelling. */
export function findAsset(network: string, asset: string): Asset | undefined {
  const chain = findChain(network)
  return chain && assetsOn(chain.id).find(({ address }) => sameAddress(address, asset, chain.id))
}

/**
 * Finds the asset in which a price in the currency is paid on a network: the asset with that symbol, or else the first one whose
 * unit is that currency.
 */
export function findAssetOf(network: string, currency: string): Asset | undefined {
  const chain = findChain(network)
  const assets = chain && assetsOn(chain.id)
  const key = currencyKey(currency)
  return (
    assets?.find(({ symbol }) => currencyKey(symbol) === key) ??
    assets?.find(asset => currencyKey(asset.currency) === key)
  )
}

/** Returns the currency that one unit represents: USD for every dollar stablecoin, the key itself if it is unknown. */
export const unitOf = (currency: string): string =>
  current.unitByKey.get(currencyKey(currency)) ?? currencyKey(currency)

/** Returns whether amounts in the two currencies are equal, unit for unit. */
export const isSameMoney = (a: string, b: string): boolean => unitOf(a) === unitOf(b)

/** Chains, and assets, in one document. */
const MAX_ROWS = 1_000
/** Decimals of an asset. */
const MAX_DECIMALS = 36
const CAIP_2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9=/+]{1,64}$/

const chain = z.strictObject({
  id: z.string().regex(CAIP_2, 'must be a CAIP-2 id, like "eip155:8453"'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be a name of small letters, digits and hyphens, like "base"'),
  label: z.string().min(1).max(64).optional(),
  testnet: z.boolean().optional(),
  aliases: z.array(z.string().min(1).max(64)).max(16).optional(),
})

const asset = z.strictObject({
  chain: z.string().min(1).max(64),
  address: z.string().min(1).max(256),
  symbol: z.string().regex(/^[\x21-\x7e]{1,32}$/, 'must be a symbol, like "USDC"'),
  decimals: z.int().min(0).max(MAX_DECIMALS),
  currency: z.enum(['USD', 'EUR', 'JPY'], { error: 'must be USD, EUR or JPY: what one unit stands for' }),
})

type ChainRow = z.output<typeof chain>
type AssetRow = z.output<typeof asset>

const tableSchema = z.strictObject(
  {
    chains: z.array(chain).max(MAX_ROWS).optional(),
    assets: z.array(asset).max(MAX_ROWS).optional(),
  },
  {
    error: ({ code }) => (code === 'invalid_type' ? 'must be an object with chains and assets' : undefined),
  },
)

/** Adds the content of a document to the tables, all or nothing. @returns the problems, field by field */
export function addOperatorAssets(document: unknown): string[] {
  const parsed = tableSchema.safeParse(document)
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`)
  try {
    const chains = withChains((parsed.data.chains ?? []).map(toChain))
    const assets = withAssets((parsed.data.assets ?? []).map((row, i) => toOperatorAsset(row, i, chains)))
    setChainTable(chains)
    setAssetTable(assets)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

const toChain = ({ id, name, label = name, testnet = false, aliases = [] }: ChainRow): Chain => ({
  ...{ id, name, label, testnet, aliases },
  family: familyOf(id) ?? 'other',
})

function toOperatorAsset({ chain: network, ...row }: AssetRow, i: number, chains: ChainTable): Asset {
  const added = findChain(network, chains)
  if (!added) throw new Error(`assets.${i}.chain must be a known chain, or one of chains; it is ${network}`)
  if (added.family === 'evm' && addressProblem(row.address, added.id))
    throw new Error(`assets.${i}.address must be an address on ${added.label}; it is ${row.address}`)
  return { ...row, chain: added.id, isDefault: false }
}
