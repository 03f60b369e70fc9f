// Well-formed addresses without an owner: payments to them are lost, and a signature for one is forged.
import type { Chain } from './chains.ts'

/** Zero, the precompiles and 0x…dEaD are below 2 to the 16th; the others are conventions for "burnt" and for the native coin. */
const EVM = /^0x(0{36}[\da-f]{4}|dead0{36}|(ee){20})$/i

/** Solana's native programs, system variables and incinerator are names padded with ones. */
const SOLANA_NAMED = /^[1-9A-HJ-NP-Za-km-z]{1,23}1{20,}$/

const SOLANA = new Set([
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

export function isUnownedAddress(address: string, family: Chain['family'] | undefined): boolean {
  if (family === 'evm') return EVM.test(address)
  return family === 'solana' && (SOLANA.has(address) || SOLANA_NAMED.test(address))
}
