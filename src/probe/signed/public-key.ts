// Public keys in JWK and multibase form, and their signatures. The curves are loaded with the first signature.
import { decodeBase58, encodeBase58 } from '../../domain/chains/base58.ts'

type Curve = 'secp256k1' | 'P-256' | 'Ed25519'

export type PublicKey = {
  readonly curve: Curve
  /** Hexadecimal, in one spelling: an uncompressed EC point, or the bytes of an Ed25519 key. */
  readonly hex: string
}

const ALGORITHMS: Readonly<Record<string, Curve>> = {
  ES256K: 'secp256k1',
  ES256: 'P-256',
  EdDSA: 'Ed25519',
  Ed25519: 'Ed25519',
}

/** Multicodec prefixes of public keys. */
const CODECS: readonly (readonly [prefix: string, curve: Curve])[] = [
  ['ed01', 'Ed25519'],
  ['e701', 'secp256k1'],
  ['8024', 'P-256'],
]
const MAX_MULTIBASE = 128

const loadCurves = async () => {
  const [{ secp256k1 }, { p256 }, { ed25519 }, { sha256 }] = await Promise.all([
    import('@noble/curves/secp256k1'),
    import('@noble/curves/nist'),
    import('@noble/curves/ed25519'),
    import('viem/utils'),
  ])
  return { secp256k1, p256, ed25519, sha256 }
}

/** @returns undefined if the bytes are not a point of the curve, or a weak one that anyone can sign for */
async function toKey(curve: Curve, bytes: Uint8Array): Promise<PublicKey | undefined> {
  const { secp256k1, p256, ed25519 } = await loadCurves()
  try {
    if (curve === 'Ed25519') {
      const point = ed25519.Point.fromBytes(bytes, false)
      return point.isSmallOrder() || !point.isTorsionFree() ? undefined : { curve, hex: bytes.toHex() }
    }
    const { Point } = curve === 'secp256k1' ? secp256k1 : p256
    return { curve, hex: Point.fromHex(bytes).toHex(false) }
  } catch {
    return undefined
  }
}

export async function keyFromJwk(jwk: unknown): Promise<PublicKey | undefined> {
  const { kty, crv, x, y } = (jwk ?? {}) as Readonly<Record<string, unknown>>
  const [a, b] = [coordinate(x), coordinate(y)]
  if (kty === 'OKP' && crv === 'Ed25519') return a && toKey('Ed25519', a)
  if (kty !== 'EC' || (crv !== 'secp256k1' && crv !== 'P-256') || !a || !b) return undefined
  return toKey(crv, new Uint8Array([4, ...a, ...b]))
}

function coordinate(value: unknown): Uint8Array | undefined {
  const bytes = typeof value === 'string' && value.length <= 64 ? Buffer.from(value, 'base64url') : undefined
  return bytes?.length === 32 ? new Uint8Array(bytes) : undefined
}

/** @param text z and base58, as in did:key */
export async function keyFromMultibase(text: unknown): Promise<PublicKey | undefined> {
  if (typeof text !== 'string' || text.length > MAX_MULTIBASE || !text.startsWith('z')) return undefined
  const bytes = decodeBase58(text.slice(1))
  const codec = CODECS.find(([prefix]) => bytes?.subarray(0, 2).toHex() === prefix)
  return bytes && codec && toKey(codec[1], bytes.slice(2))
}

export async function isSignedBy(
  { curve, hex }: PublicKey,
  alg: string,
  signed: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (!Object.hasOwn(ALGORITHMS, alg) || ALGORITHMS[alg] !== curve || signature.length !== 64) return false
  const { secp256k1, p256, ed25519, sha256 } = await loadCurves()
  const bytes = Uint8Array.fromHex(hex)
  try {
    if (curve === 'Ed25519') return ed25519.verify(signature, signed, bytes, { zip215: false })
    const { verify } = curve === 'secp256k1' ? secp256k1 : p256
    return verify(signature, sha256(signed, 'bytes'), bytes, { lowS: false })
  } catch {
    return false
  }
}

/** The wallet of the same key, on EVM networks or Solana. */
export async function walletOf({ curve, hex }: PublicKey): Promise<string | undefined> {
  if (curve === 'Ed25519') return encodeBase58(Uint8Array.fromHex(hex))
  if (curve !== 'secp256k1') return undefined
  const { keccak256 } = await import('viem/utils')
  return `0x${keccak256(`0x${hex.slice(2)}`).slice(-40)}`
}
