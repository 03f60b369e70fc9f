/** The table of blockchain networks, with every spelling by which people, x402 v1, x402 v2 and wallets name them. */
import { LANGUAGES } from '../languages/languages.ts'

export type Chain = {
  /** CAIP-2, in the spelling of the specification. */
  readonly id: string
  readonly name: string
  readonly label: string
  readonly family: 'evm' | 'solana' | 'algorand' | 'aptos' | 'hedera' | 'near' | 'stellar' | 'tron' | 'other'
  readonly testnet: boolean
  readonly aliases: readonly string[]
}

const chain =
  (testnet: boolean) =>
  (family: Chain['family'], id: string, name: string, label: string, ...aliases: string[]): Chain =>
    Object.freeze({ id, name, label, family, testnet, aliases: Object.freeze(aliases) })
const main = chain(false)
const test = chain(true)

const evm = (number: number, name: string, label: string, ...aliases: string[]) =>
  main('evm', `eip155:${number}`, name, label, ...aliases)
const evmTest = (number: number, name: string, label: string, ...aliases: string[]) =>
  test('evm', `eip155:${number}`, name, label, ...aliases)

export const CHAINS: readonly Chain[] = Object.freeze([
  evm(8453, 'base', 'Base', 'base-chain'),
  evmTest(84532, 'base-sepolia', 'Base Sepolia', 'base-testnet'),
  main(
    'solana',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'solana',
    'Solana',
    'sol',
    'solana-mainnet-beta',
    'solana:mainnet-beta',
    'solana:101',
  ),
  test(
    'solana',
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    'solana-devnet',
    'Solana Devnet',
    'solana:devnet',
  ),
  test(
    'solana',
    'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
    'solana-testnet',
    'Solana Testnet',
    'solana:testnet',
  ),

  evm(1, 'ethereum', 'Ethereum', 'eth', 'eth-mainnet'),
  evmTest(11155111, 'sepolia', 'Sepolia', 'ethereum-sepolia', 'eth-sepolia'),
  evm(137, 'polygon', 'Polygon', 'matic', 'polygon-pos'),
  evmTest(80002, 'polygon-amoy', 'Polygon Amoy', 'amoy', 'polygon-testnet'),
  evm(43114, 'avalanche', 'Avalanche', 'avax', 'avalanche-c', 'avalanche-c-chain'),
  evmTest(43113, 'avalanche-fuji', 'Avalanche Fuji', 'fuji', 'avalanche-testnet', 'avax-fuji'),
  evm(42161, 'arbitrum', 'Arbitrum One', 'arbitrum-one', 'arb'),
  evmTest(421614, 'arbitrum-sepolia', 'Arbitrum Sepolia', 'arbitrum-testnet'),
  evm(10, 'optimism', 'OP Mainnet', 'op'),
  evm(56, 'bnb', 'BNB Smart Chain', 'bsc', 'bnb-chain', 'bnb-smart-chain', 'binance-smart-chain'),
  evm(42220, 'celo', 'Celo'),
  evmTest(11142220, 'celo-sepolia', 'Celo Sepolia'),
  evm(59144, 'linea', 'Linea'),
  evm(324, 'zksync', 'ZKsync Era', 'zksync-era'),
  evm(480, 'world-chain', 'World Chain', 'world', 'worldchain'),
  evm(130, 'unichain', 'Unichain'),
  evm(4689, 'iotex', 'IoTeX'),
  evm(1329, 'sei', 'Sei', 'sei-network'),
  evmTest(1328, 'sei-testnet', 'Sei Testnet'),
  evm(2741, 'abstract', 'Abstract'),
  evmTest(11124, 'abstract-testnet', 'Abstract Testnet'),
  evm(3338, 'peaq', 'peaq'),
  evm(1514, 'story', 'Story', 'story-protocol'),
  evm(41923, 'educhain', 'EDU Chain'),
  evm(1187947933, 'skale-base', 'SKALE on Base', 'skale'),
  evmTest(324705682, 'skale-base-sepolia', 'SKALE Base Sepolia'),
  evm(143, 'monad', 'Monad'),
  evm(4326, 'megaeth', 'MegaETH'),
  evm(988, 'stable', 'Stable'),
  evmTest(2201, 'stable-testnet', 'Stable Testnet'),
  evm(4217, 'tempo', 'Tempo'),
  evmTest(42431, 'tempo-testnet', 'Tempo Testnet', 'tempo-moderato'),
  evm(50, 'xdc', 'XDC Network'),
  evmTest(51, 'xdc-apothem', 'XDC Apothem', 'xdc-testnet'),
  evm(31612, 'mezo', 'Mezo'),
  evmTest(31611, 'mezo-testnet', 'Mezo Testnet'),
  evm(723487, 'radius', 'Radius'),
  evmTest(72344, 'radius-testnet', 'Radius Testnet'),
  evm(36900, 'adi', 'ADI Chain'),
  evm(190415, 'hpp', 'HPP'),
  evmTest(181228, 'hpp-sepolia', 'HPP Sepolia'),
  evm(38833, 'igra', 'Igra'),
  evm(14, 'flare', 'Flare'),

  // CAIP-2 cuts an Algorand genesis hash to 32 characters; x402 servers send the whole of it. Both are one chain.
  main(
    'algorand',
    'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=',
    'algorand',
    'Algorand',
    'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k',
    'algo',
  ),
  test(
    'algorand',
    'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=',
    'algorand-testnet',
    'Algorand Testnet',
    'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe',
    'algorand:testnet',
  ),
  main('stellar', 'stellar:pubnet', 'stellar', 'Stellar', 'stellar-pubnet', 'xlm'),
  test('stellar', 'stellar:testnet', 'stellar-testnet', 'Stellar Testnet'),
  main('aptos', 'aptos:1', 'aptos', 'Aptos'),
  test('aptos', 'aptos:2', 'aptos-testnet', 'Aptos Testnet', 'aptos:testnet'),
  main('near', 'near:mainnet', 'near', 'NEAR', 'near-protocol'),
  // The same ledger has an EVM interface; both kinds of address reach the same accounts.
  main('hedera', 'hedera:mainnet', 'hedera', 'Hedera', 'eip155:295', '295', 'hbar'),
  test('hedera', 'hedera:testnet', 'hedera-testnet', 'Hedera Testnet', 'eip155:296', '296'),
  main('tron', 'tron:0x2b6653dc', 'tron', 'TRON', 'trx', 'tron:728126428'),

  // Without an asset that is known here: people ask for them by name.
  main('other', 'xrpl:0', 'xrpl', 'XRP Ledger', 'xrp', 'ripple'),
  main('other', 'sui:mainnet', 'sui', 'Sui', 'sui:35834a8a'),
  main('other', 'tvm:-239', 'ton', 'TON', 'ton:-239', 'the-open-network'),
  main('other', 'bip122:000000000019d6689c085ae165831e93', 'bitcoin', 'Bitcoin', 'btc', 'btc-mainnet'),
  // No CAIP-2 namespace is registered for Lightning; this id is the one its directories use.
  main('other', 'lightning:mainnet', 'lightning', 'Bitcoin Lightning', 'lightning-network', 'ln'),
  main('other', 'cosmos:cosmoshub-4', 'cosmos', 'Cosmos Hub', 'cosmoshub'),
  main('other', 'cosmos:noble-1', 'noble', 'Noble'),
  main('other', 'cip34:1-764824073', 'cardano', 'Cardano', 'ada'),
  main('other', 'polkadot:91b171bb158e2d3848fa23a9f1c25182', 'polkadot', 'Polkadot'),
  main('other', 'tezos:NetXdQprcVkpaWU', 'tezos', 'Tezos', 'xtz'),
  main('other', 'starknet:SN_MAIN', 'starknet', 'Starknet'),
  main('other', 'stacks:1', 'stacks', 'Stacks', 'stx'),
])

/** Case, width (NFKC) and surrounding white space do not distinguish chains. */
const fold = (text: string) => text.normalize('NFKC').toLowerCase().normalize('NFKC').trim()

/** `Base Sepolia`, `base_sepolia` and `base-sepolia` are one spelling. */
const spelling = (text: string) => fold(text).replace(/[\s_-]+/g, '-')

function spellingsOf({ id, name, label, family, testnet, aliases }: Chain): string[] {
  const spellings = [id, name, label, ...aliases]
  for (const { chains } of Object.values(LANGUAGES)) spellings.push(...(chains?.[name] ?? []))
  if (!testnet) spellings.push(`${name}-mainnet`, `${name}:mainnet`)
  if (family === 'evm') {
    const number = id.slice('eip155:'.length)
    // Wallets write the chain number in hexadecimal.
    spellings.push(number, `0x${Number(number).toString(16)}`)
  }
  return spellings.map(spelling)
}

/** Includes the id itself, which may have capitals: the usual spelling is then found without folding. */
const spellingsAndId = (chain: Chain): string[] => [...spellingsOf(chain), chain.id]

/** Chains, and the chain of each spelling. Immutable: to add chains, a new table replaces the whole. */
export type ChainTable = {
  readonly chains: readonly Chain[]
  readonly bySpelling: ReadonlyMap<string, Chain>
}

let current: ChainTable = {
  chains: CHAINS,
  bySpelling: new Map(CHAINS.flatMap(chain => spellingsAndId(chain).map(text => [text, chain] as const))),
}

/** Finds a known chain by any spelling: name, label, alias, CAIP-2 id, bare EVM chain number; case, surrounding space, width folded. */
export const findChain = (network: string, { bySpelling }: ChainTable = current): Chain | undefined =>
  bySpelling.get(network) ?? bySpelling.get(spelling(network))

/** The key that all spellings of a chain share: the CAIP-2 id of a known chain, else the folded text. */
export const chainKey = (network: string): string => findChain(network)?.id ?? fold(network)

/** The built-in chains, then those of the operator. */
export const knownChains = (): readonly Chain[] => current.chains

/**
 * Returns the current table with further chains. One that it has already is not changed.
 * @throws Error if a spelling means another chain
 */
export function withChains(added: readonly Chain[]): ChainTable {
  const chains = [...current.chains]
  const bySpelling = new Map(current.bySpelling)
  for (const chain of added) {
    if (bySpelling.get(chain.id)?.id === chain.id) continue
    const spellings = spellingsAndId(chain)
    const taken = spellings.find(text => bySpelling.has(text))
    if (taken !== undefined)
      throw new Error(`${chain.id}: ${taken} means ${bySpelling.get(taken)?.id} already`)
    chains.push(chain)
    for (const text of spellings) bySpelling.set(text, chain)
  }
  return { chains, bySpelling }
}

/** Makes this the table of the whole thread. It contains the previous one, so earlier lookups remain valid. */
export function setChainTable(table: ChainTable): void {
  current = table
}

/** The name for people; an unknown network as it was given. */
export const chainLabel = (network: string): string => findChain(network)?.label ?? network
