// Where a wallet on Solana holds a token: an account of its own, at an address that follows from wallet and mint.
import { ed25519 } from '@noble/curves/ed25519'
import { decodeBase58, encodeBase58 } from '../../domain/base58.ts'

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** Mints of the newer token program: PYUSD. */
const TOKEN_2022_MINTS: ReadonlySet<string> = new Set(['2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'])

/** The associated token account, which x402 pays to. undefined where wallet or mint is no address. */
export function tokenAccountOf(wallet: string, mint: string): string | undefined {
  const program = TOKEN_2022_MINTS.has(mint) ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const seeds = [wallet, program, mint].map(decodeBase58)
  if (!seeds.every(seed => seed?.length === 32)) return undefined
  const owner = decodeBase58(ASSOCIATED_TOKEN_PROGRAM)!
  // An address of a program is one that no key can have: the first that is no point of the curve.
  for (let bump = 255; bump >= 0; bump--) {
    const hasher = new Bun.CryptoHasher('sha256')
    for (const part of [...(seeds as Uint8Array[]), Uint8Array.of(bump), owner, MARKER]) hasher.update(part)
    const address = new Uint8Array(hasher.digest())
    if (!isOnCurve(address)) return encodeBase58(address)
  }
  return undefined
}

const MARKER = new TextEncoder().encode('ProgramDerivedAddress')

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromHex(bytes)
    return true
  } catch {
    return false
  }
}
