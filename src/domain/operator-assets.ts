// Chains and assets of the operator's, which the tables lack: what is paid there can be compared and verified then.
import { z } from 'zod'
import { addressProblem, familyOf } from './addresses.ts'
import { addAsset } from './assets.ts'
import { addChain, findChain } from './chains.ts'

const MAX_ROWS = 1_000
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

const tableSchema = z.strictObject(
  {
    chains: z.array(chain).max(MAX_ROWS).optional(),
    assets: z.array(asset).max(MAX_ROWS).optional(),
  },
  {
    error: ({ code }) => (code === 'invalid_type' ? 'must be an object with chains and assets' : undefined),
  },
)

const added = new Set<string>()

/** Names what was added: chains are called otherwise with it than without. */
export const operatorAssetsStamp = (): string =>
  added.size === 0 ? '' : Bun.hash([...added].join()).toString(16)

/** Adds what a document holds to the tables. @returns what is wrong with it, field by field; nothing is added after the first fault */
export function addOperatorAssets(document: unknown): string[] {
  const read = tableSchema.safeParse(document)
  if (!read.success)
    return read.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`)
  const { chains = [], assets = [] } = read.data
  try {
    for (const [i, { id, name, label = name, testnet = false, aliases = [] }] of chains.entries()) {
      const family = familyOf(id)
      if (!family)
        return [`chains.${i}.id must be of a kind of chain that is known, like eip155; it is ${id}`]
      addChain({ id, name, label, family, testnet, aliases })
    }
    for (const [i, { chain: network, address, symbol, decimals, currency }] of assets.entries()) {
      const known = findChain(network)
      if (!known) return [`assets.${i}.chain must be a known chain, or one of chains; it is ${network}`]
      if (known.family === 'evm' && addressProblem(address, known.id))
        return [`assets.${i}.address must be an address on ${known.label}; it is ${address}`]
      addAsset({ chain: known.id, address, symbol, decimals, currency, isDefault: false })
    }
  } catch (error) {
    return [(error as Error).message]
  }
  added.add(JSON.stringify(read.data))
  return []
}
