/** The format of an account address in each family of chains. */

import type { Part } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'
import { CHAINS, type Chain, chainKey, findChain } from './chains.ts'
import { isUnownedAddress } from './unowned-addresses.ts'

type Rule = { readonly isWellFormed: (address: string) => boolean; readonly shape: Part<'address_shape'> }

const BITCOIN_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const RIPPLE_ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'

export const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const HEX_ACCOUNT = /^0x[0-9a-fA-F]{1,64}$/
const HEDERA_ID = /^(\d+\.\d+\.\d+)(?:-[a-z]{5})?$/

/** Of many formats, none of which is that of EVM chains. */
const NOT_EVM: Rule = { isWellFormed: address => !EVM_ADDRESS.test(address), shape: 'not_evm' }

/** Only families whose format is certain. Checksums that need a hash are left to wallets. */
const RULES: Partial<Record<Chain['family'], Rule>> = {
  evm: { isWellFormed: address => EVM_ADDRESS.test(address), shape: 'evm' },
  solana: {
    isWellFormed: address => /^.{32,44}$/.test(address) && base58Length(address, BITCOIN_ALPHABET) === 32,
    shape: 'solana',
  },
  algorand: {
    isWellFormed: address => /^[A-Z2-7]{58}$/.test(address),
    shape: 'algorand',
  },
  aptos: {
    isWellFormed: address => HEX_ACCOUNT.test(address),
    shape: 'hex_account',
  },
  bitcoin: NOT_EVM,
  cardano: NOT_EVM,
  cosmos: NOT_EVM,
  lightning: NOT_EVM,
  stacks: NOT_EVM,
  tezos: NOT_EVM,
  hedera: {
    isWellFormed: address => HEDERA_ID.test(address) || EVM_ADDRESS.test(address),
    shape: 'hedera',
  },
  near: {
    isWellFormed: address =>
      address.length >= 2 && address.length <= 64 && /^(?:[a-z\d]+[-_.])*[a-z\d]+$/.test(address),
    shape: 'near',
  },
  starknet: {
    isWellFormed: address => HEX_ACCOUNT.test(address),
    shape: 'hex_account',
  },
  stellar: {
    isWellFormed: isStellarAddress,
    shape: 'stellar',
  },
  sui: { isWellFormed: address => HEX_ACCOUNT.test(address), shape: 'hex_account' },
  ton: {
    isWellFormed: address =>
      /^-?\d+:[0-9a-fA-F]{64}$/.test(address) || /^[A-Za-z0-9_-]{48}$|^[A-Za-z0-9+/]{48}$/.test(address),
    shape: 'ton',
  },
  tron: {
    isWellFormed: address => /^T.{33}$/.test(address) && base58Length(address, BITCOIN_ALPHABET) === 25,
    shape: 'tron',
  },
  xrpl: {
    isWellFormed: address =>
      (/^r.{24,34}$/.test(address) && base58Length(address, RIPPLE_ALPHABET) === 25) ||
      (/^[XT].{46}$/.test(address) && base58Length(address, RIPPLE_ALPHABET) !== undefined),
    shape: 'xrpl',
  },
}

/** Why a payment to the address cannot reach anybody; undefined if it can, or if the format of the network is unknown. */
export function addressProblem(address: string, network: string): Message | undefined {
  const family = familyOf(network)
  const rule = family && RULES[family]
  if (!rule) return undefined
  const label = findChain(network)?.label ?? network
  if (isUnownedAddress(address.trim(), family)) return say('address_of_nobody', { address, network: label })
  if (rule.isWellFormed(address.trim())) return undefined
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

/** Digits per step. 58 to the ninth is below 2 to the 53rd. */
const DIGITS_PER_STEP = 9

/** Number of bytes that a base58 text encodes; undefined if it has a character outside the alphabet. */
function base58Length(text: string, alphabet: string): number | undefined {
  let number = 0n
  // In steps that a float holds exactly: one BigInt operation per digit would cost more than all other checks of an entry.
  for (let start = 0; start < text.length; start += DIGITS_PER_STEP) {
    const step = text.slice(start, start + DIGITS_PER_STEP)
    let digits = 0
    for (const character of step) {
      const digit = alphabet.indexOf(character)
      if (digit < 0) return undefined
      digits = digits * 58 + digit
    }
    number = number * 58n ** BigInt(step.length) + BigInt(digits)
  }
  let zeros = 0
  while (text[zeros] === alphabet[0]) zeros++
  const bytes = number === 0n ? 0 : Math.ceil(number.toString(16).length / 2)
  return zeros + bytes
}

/** Length in bytes by the letter that the version byte gives: account (G), contract (C), multiplexed account (M). */
const STELLAR_LENGTHS: Record<string, number> = { G: 35, C: 35, M: 43 }

function isStellarAddress(address: string): boolean {
  const bytes = base32Bytes(address)
  if (!bytes || bytes.length !== STELLAR_LENGTHS[address[0]!]) return false
  return (bytes.at(-2)! | (bytes.at(-1)! << 8)) === crc16(bytes.slice(0, -2))
}

function base32Bytes(text: string): number[] | undefined {
  if (!/^[A-Z2-7]+$/.test(text)) return undefined
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const character of text) {
    value = (value << 5) | 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character)
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((value >> bits) & 0xff)
    }
    value &= (1 << bits) - 1
  }
  return bytes
}

/** CRC-16/XMODEM, the checksum at the end of a Stellar or TON address. */
export function crc16(bytes: Iterable<number>): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}
