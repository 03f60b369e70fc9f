// Chains and assets that the operator adds to the built-in tables, so that payments in them can be compared and verified.
import { z } from 'zod'
import { addressProblem, familyOf } from './addresses.ts'
import { ASSETS, type Asset, knownAssets, setAssetTable, withAssets } from './assets.ts'
import {
  CHAINS,
  type Chain,
  type ChainTable,
  findChain,
  knownChains,
  setChainTable,
  withChains,
} from './chains.ts'

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

/** Identifies the additions to the built-in tables, because they change the keys of chains. */
export function operatorAssetsStamp(): string {
  const added = [knownChains().slice(CHAINS.length), knownAssets().slice(ASSETS.length)]
  return added.every(rows => rows.length === 0) ? '' : Bun.hash(JSON.stringify(added)).toString(16)
}

/** Adds the content of a document to the tables, all or nothing. @returns the problems, field by field */
export function addOperatorAssets(document: unknown): string[] {
  const parsed = tableSchema.safeParse(document)
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`)
  try {
    const chains = withChains((parsed.data.chains ?? []).map(toChain))
    const assets = withAssets((parsed.data.assets ?? []).map((row, i) => toAsset(row, i, chains)))
    setChainTable(chains)
    setAssetTable(assets)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

function toChain({ id, name, label = name, testnet = false, aliases = [] }: ChainRow, i: number): Chain {
  const family = familyOf(id)
  if (!family) throw new Error(`chains.${i}.id must be of a known kind of chain, like eip155; it is ${id}`)
  return { id, name, label, family, testnet, aliases }
}

function toAsset({ chain: network, ...row }: AssetRow, i: number, chains: ChainTable): Asset {
  const added = findChain(network, chains)
  if (!added) throw new Error(`assets.${i}.chain must be a known chain, or one of chains; it is ${network}`)
  if (added.family === 'evm' && addressProblem(row.address, added.id))
    throw new Error(`assets.${i}.address must be an address on ${added.label}; it is ${row.address}`)
  return { ...row, chain: added.id, isDefault: false }
}
