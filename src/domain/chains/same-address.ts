/** When two spellings of an address denote the same account, by the family of the chain. */

import { crc16, familyOf } from './addresses.ts'
import { CHAINS, type Chain } from './chains.ts'

type Family = Chain['family'] | undefined

const HEX = /^0x[0-9a-f]+$/i
const HEX_DIGITS = 64
const HEDERA_ID = /^(\d+\.\d+\.\d+)(?:-[a-z]{5})?$/
/** Twelve zero bytes, then the account number: the form in which EVM tools write `0.0.1234`. */
const HEDERA_NUMBER = /^0x0{24}([0-9a-f]{16})$/i
/** Bech32 is entirely in one case; which one does not matter. */
const BECH32_IN_CAPITALS = /^[A-Z]+(?:_TEST)?1[A-Z0-9]{6,}$/
const TON_RAW = /^-?\d+:[0-9a-f]{64}$/i
const TON_FRIENDLY = /^[A-Za-z0-9_-]{48}$/
/** Bounceable or not, for main network or testnet: the account is the same. */
const TON_TAGS = [0x11, 0x51, 0x91, 0xd1]

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

function toKey(address: string, family: Family): string {
  switch (family) {
    case 'aptos':
    case 'starknet':
    case 'sui':
      return toLongHex(address)
    case 'hedera':
      return HEDERA_ID.exec(address)?.[1] ?? toHederaId(address) ?? foldHex(address)
    case 'ton':
      return toTonAccount(address)
    case 'bitcoin':
    case 'cardano':
    case 'cosmos':
      return BECH32_IN_CAPITALS.test(address) ? address.toLowerCase() : address
    default:
      // Mixed case in hexadecimal is only a checksum; no other family has addresses that begin with 0x.
      return foldHex(address)
  }
}

const foldHex = (address: string): string => (HEX.test(address) ? address.toLowerCase() : address)

/** Leading zeros may be omitted: `0x1` is an account of 64 digits. */
const toLongHex = (address: string): string =>
  HEX.test(address) ? `0x${digitsOf(address).padStart(HEX_DIGITS, '0')}` : address

const digitsOf = (address: string): string => address.toLowerCase().replace(/^0x0*/, '')

function toHederaId(address: string): string | undefined {
  const [, number] = HEDERA_NUMBER.exec(address) ?? []
  return number && `0.0.${BigInt(`0x${number}`)}`
}

function toTonAccount(address: string): string {
  if (TON_RAW.test(address)) return address.toLowerCase()
  const text = address.replaceAll('+', '-').replaceAll('/', '_')
  const bytes = TON_FRIENDLY.test(text) ? Buffer.from(text, 'base64url') : undefined
  const isWhole =
    bytes && TON_TAGS.includes(bytes[0]!) && crc16(bytes.subarray(0, 34)) === bytes.readUInt16BE(34)
  return isWhole ? `${bytes.readInt8(1)}:${bytes.toString('hex', 2, 34)}` : text
}

/** Every spelling in which the account may have been stored, without regard to case. */
export function addressSpellings(address: string, network: string): string[] {
  const family = familyOf(network)
  const key = toKey(address.trim(), family)
  switch (family) {
    case 'aptos':
    case 'starknet':
    case 'sui':
      return HEX.test(key) ? toPaddings(digitsOf(key)) : [key]
    case 'hedera':
      return [key, ...toHederaNumber(key)]
    case 'ton':
      return TON_RAW.test(key) ? [key, ...toFriendly(key)] : [key, address.trim()]
    default:
      return [key]
  }
}

const toPaddings = (digits: string): string[] =>
  Array.from(
    { length: HEX_DIGITS + 1 - Math.max(digits.length, 1) },
    (_, more) => `0x${digits.padStart(Math.max(digits.length, 1) + more, '0')}`,
  )

function toHederaNumber(id: string): string[] {
  const [, number] = /^0\.0\.(\d{1,19})$/.exec(id) ?? []
  return number ? [`0x${BigInt(number).toString(16).padStart(40, '0')}`] : []
}

function toFriendly(raw: string): string[] {
  const [workchain, account] = raw.split(':') as [string, string]
  if (Number(workchain) < -128 || Number(workchain) > 127) return []
  return TON_TAGS.flatMap(tag => {
    const bytes = Buffer.alloc(36)
    bytes[0] = tag
    bytes.writeInt8(Number(workchain), 1)
    bytes.write(account, 2, 'hex')
    bytes.writeUInt16BE(crc16(bytes.subarray(0, 34)), 34)
    return [bytes.toString('base64url'), bytes.toString('base64')]
  })
}
