// Solana: its token programs, and the token account of a wallet.
import { ed25519 } from '@noble/curves/ed25519'
import { decodeBase58, encodeBase58 } from './chains/addresses.ts'

// Addresses of Solana programs.
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** Mints of the Token-2022 program. */
const TOKEN_2022_MINTS: ReadonlySet<string> = new Set([
  // PYUSD, USDG and CASH; then PYUSD and USDG on test networks.
  '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo',
  '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH',
  'CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH',
  'CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM',
  '4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7',
])

export const tokenProgramOf = (mint: string): string =>
  TOKEN_2022_MINTS.has(mint) ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM

/** The associated token account, to which x402 pays; undefined if wallet or mint is not an address. */
export function tokenAccountOf(
  wallet: string,
  mint: string,
  program = tokenProgramOf(mint),
): string | undefined {
  const seeds = [wallet, program, mint].map(text => decodeBase58(text))
  if (!seeds.every(seed => seed?.length === 32)) return undefined
  const owner = decodeBase58(ASSOCIATED_TOKEN_PROGRAM)!
  // A program-derived address is one that no key can have: the first that is not a point on the curve.
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
