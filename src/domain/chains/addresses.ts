// Addresses of each chain: their form, whether two are the same account, and those that nobody owns.
import type { Word } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'
import { CHAINS, type Chain, chainKey, findChain } from './chains.ts'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Decodes base58; undefined if the text has a character outside the alphabet. */
export function decodeBase58(text: string): Uint8Array<ArrayBuffer> | undefined {
  let number = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return undefined
    number = number * 58n + BigInt(digit)
  }
  let zeros = 0
  while (text[zeros] === ALPHABET[0]) zeros++
  const digits = number === 0n ? '' : number.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const whole = new Uint8Array(zeros + bytes.length)
  whole.set(bytes, zeros)
  return whole
}

export function encodeBase58(bytes: Uint8Array): string {
  let number = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)]! + text
  const zeros = bytes.findIndex(byte => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

// The format of an account address in each family of chains.

/** What an address must match, and how many bytes its base58 form has. */
type Rule = {
  readonly pattern: RegExp
  readonly bytes?: number
  readonly shape: Word<'address_shape'>
}

export const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Only families whose format is certain. Checksums are left to wallets. */
const RULES: Partial<Record<Chain['family'], Rule>> = {
  evm: { pattern: EVM_ADDRESS, shape: 'evm' },
  solana: { pattern: /^.{32,44}$/, bytes: 32, shape: 'solana' },
  algorand: { pattern: /^[A-Z2-7]{58}$/, shape: 'algorand' },
  aptos: { pattern: /^0x[0-9a-fA-F]{1,64}$/, shape: 'hex_account' },
  hedera: { pattern: /^(?:\d+\.\d+\.\d+(?:-[a-z]{5})?|0x[0-9a-fA-F]{40})$/, shape: 'hedera' },
  near: { pattern: /^(?=.{2,64}$)(?:[a-z\d]+[-_.])*[a-z\d]+$/, shape: 'near' },
  stellar: { pattern: /^(?:[GC][A-Z2-7]{55}|M[A-Z2-7]{68})$/, shape: 'stellar' },
  tron: { pattern: /^T.{33}$/, bytes: 25, shape: 'tron' },
}

function isWellFormed(address: string, { pattern, bytes }: Rule): boolean {
  if (!pattern.test(address)) return false
  return bytes === undefined || decodeBase58(address)?.length === bytes
}

/** Why a payment to the address cannot reach anybody; undefined if it can, or if the format of the network is unknown. */
export function addressProblem(address: string, network: string): Message | undefined {
  const family = familyOf(network)
  const rule = family && RULES[family]
  if (!rule) return undefined
  const label = findChain(network)?.label ?? network
  if (isUnownedAddress(address.trim(), family)) return say('address_of_nobody', { address, network: label })
  if (isWellFormed(address.trim(), rule)) return undefined
  return say('address_malformed', { address, network: label, shape: rule.shape })
}

const familyByNamespace: ReadonlyMap<string, Chain['family']> = new Map(
  CHAINS.map(({ id, family }) => [id.slice(0, id.indexOf(':')), family]),
)

/** The namespace gives the family of a chain that is not in the table: `eip155:123456` is EVM. */
export function familyOf(network: string): Chain['family'] | undefined {
  const chain = findChain(network)
  if (chain) return chain.family
  const [namespace = '', reference] = chainKey(network).split(':')
  return reference ? familyByNamespace.get(namespace) : undefined
}

/** Zero, the precompiles and 0x…dEaD are below 2 to the 16th; the others are conventions for "burnt" and for the native coin. */
const UNOWNED_EVM = /^0x(0{36}[\da-f]{4}|dead0{36}|(ee){20})$/i

/** Solana's native programs, system variables and incinerator are names padded with ones. */
const NAMED_SOLANA_PROGRAM = /^[1-9A-HJ-NP-Za-km-z]{1,23}1{20,}$/

const UNOWNED_SOLANA = new Set([
  // The eight points of small order of the curve, in every encoding: anybody can sign for them.
  '11111111111111111111111111111111',
  '11111111111111111111111111111113D',
  '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM',
  '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziohZ',
  'Gx9dDNxzpALCowVuZb7pBceBLJugLA8sPa6TJDXrpfeW',
  'Gx9dDNxzpALCowVuZb7pBceBLJugLA8sPa6TJDXrpfgi',
  '3ctC68zTqpRDQShoondiQKDHwZDAUjRyxiPNdg8cD6Pe',
  '3ctC68zTqpRDQShoondiQKDHwZDAUjRyxiPNdg8cD6Rr',
  'EQAqmjhcsBQhpBv5GJkYgEB7emGHZNoo1j1yAjiFLNvD',
  'EQAqmjhcsBQhpBv5GJkYgEB7emGHZNoo1j1yAjiFLNxR',
  'H242rsh5hzpvDdct56PG5YPQbKUT37EmySQLoQqrYUJr',
  'H242rsh5hzpvDdct56PG5YPQbKUT37EmySQLoQqrYUM4',
  'H5xSWNRAbqKddKjrabehyU8drL3Dk4LgZJiEJc9rGGyC',
  'H5xSWNRAbqKddKjrabehyU8drL3Dk4LgZJiEJc9rGH1Q',
  // The token programs.
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
])

function isUnownedAddress(address: string, family: Chain['family'] | undefined): boolean {
  if (family === 'evm') return UNOWNED_EVM.test(address)
  return family === 'solana' && (UNOWNED_SOLANA.has(address) || NAMED_SOLANA_PROGRAM.test(address))
}

// Spellings of one account, by the family of the chain.

type Family = Chain['family'] | undefined

const HEX = /^0x[0-9a-f]+$/i
const HEX_DIGITS = 64
/** The key that all spellings of an account on the network share. */
export const addressKey = (address: string, network: string): string =>
  toKey(address.trim(), familyOf(network))

/** Returns whether two spellings reach the same account on the network. */
export const sameAddress = (a: string, b: string, network: string): boolean =>
  a === b || addressKey(a, network) === addressKey(b, network)

const FAMILIES: readonly Family[] = [undefined, ...new Set(CHAINS.map(({ family }) => family))]

/** The possible keys if the network is unknown, each once. */
export const addressKeys = (address: string): string[] => [
  ...new Set(FAMILIES.map(family => toKey(address.trim(), family))),
]

/** Mixed case in hexadecimal is only a checksum. */
const toKey = (address: string, family: Family): string =>
  family === 'aptos' ? toLongHex(address) : foldHex(address)

const foldHex = (address: string): string => (HEX.test(address) ? address.toLowerCase() : address)

/** Leading zeros may be omitted: `0x1` is an account of 64 digits. */
const toLongHex = (address: string): string =>
  HEX.test(address) ? `0x${address.toLowerCase().replace(/^0x0*/, '').padStart(HEX_DIGITS, '0')}` : address

/** How the account may have been stored: as it is written here, and by its key. */
export const addressSpellings = (address: string, network: string): string[] => [
  ...new Set([addressKey(address, network), address.trim()]),
]

// Wallets as owners: one name per account, the same on every chain of its family and in every spelling.

/** The families whose signatures can be verified. */
export type WalletFamily = 'evm' | 'solana'

export const isWalletFamily = (family: string | undefined): family is WalletFamily =>
  family === 'evm' || family === 'solana'

/**
 * Like `eip155:0xab…` or `solana:7Xk…`, without the chain: one key holds the same address on every chain of its family.
 * Returns undefined if the address is malformed or signatures of its family cannot be verified.
 */
export function accountOf(address: string, network: string): string | undefined {
  const family = familyOf(network)
  if (!isWalletFamily(family) || addressProblem(address, network)) return undefined
  return family === 'evm' ? `eip155:${address.trim().toLowerCase()}` : `solana:${address.trim()}`
}

/**
 * Returns whether one key holds the same address on both networks, so that the payee on one can be paid on the other. True within
 * EVM, also where a chain of another family takes EVM addresses, and within Solana.
 */
export function isSameKeyspace(
  a: { readonly address: string; readonly network: string },
  b: { readonly address: string; readonly network: string },
): boolean {
  const family = familyOf(a.network)
  if (isWalletFamily(family) && family === familyOf(b.network)) return true
  return EVM_ADDRESS.test(a.address.trim()) && EVM_ADDRESS.test(b.address.trim())
}

type PaidService = { readonly x402Config: { readonly paymentAddress: string; readonly network: string } }

export const paysTo = ({ x402Config }: PaidService, account: string): boolean =>
  accountOf(x402Config.paymentAddress, x402Config.network) === account

/** Returns whether no key exists that could sign for the account. */
export function isUnownedAccount(account: string): boolean {
  const [namespace, address = ''] = account.split(':')
  return isUnownedAddress(address, namespace === 'solana' ? 'solana' : 'evm')
}
