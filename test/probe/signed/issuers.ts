// Sellers that sign offers and receipts with the official package, by every kind of key.
import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/nist'
import { secp256k1 } from '@noble/curves/secp256k1'
import {
  createEIP712OfferReceiptIssuer,
  createJWSOfferReceiptIssuer,
  type OfferReceiptIssuer,
} from '@x402/extensions/offer-receipt'
import { sha256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { encodeBase58 } from '../../../src/domain/chains/base58.ts'

export const byWallet = (key: `0x${string}`): OfferReceiptIssuer => {
  const account = privateKeyToAccount(key)
  return createEIP712OfferReceiptIssuer(`did:pkh:eip155:1:${account.address}`, data =>
    account.signTypedData(data as never),
  )
}

const CURVES = {
  ES256K: { curve: secp256k1, codec: [0xe7, 0x01], crv: 'secp256k1' },
  ES256: { curve: p256, codec: [0x80, 0x24], crv: 'P-256' },
  EdDSA: { curve: ed25519, codec: [0xed, 0x01], crv: 'Ed25519' },
} as const
export type Algorithm = keyof typeof CURVES
export const ALGORITHMS = Object.keys(CURVES) as Algorithm[]

export type Keys = {
  readonly jwk: Readonly<Record<string, string>>
  /** As did:key and DID documents write it. */
  readonly multibase: string
  /** Signs under the name. */
  issuer(kid: string): OfferReceiptIssuer
  /** In base64url. */
  sign(bytes: Uint8Array): string
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

export function createKeys(algorithm: Algorithm): Keys {
  const { codec, crv } = CURVES[algorithm]
  const { publicKey, jwk, sign } = algorithm === 'EdDSA' ? onEdwards() : onWeierstrass(algorithm)
  return {
    jwk: { ...jwk, crv },
    multibase: `z${encodeBase58(new Uint8Array([...codec, ...publicKey]))}`,
    sign: bytes => toText(sign(bytes)),
    issuer: kid =>
      createJWSOfferReceiptIssuer(kid, {
        kid,
        format: 'jws',
        algorithm,
        sign: async bytes => toText(sign(bytes)),
      }),
  }
}

function onEdwards() {
  const key = ed25519.utils.randomPrivateKey()
  const publicKey = ed25519.getPublicKey(key)
  return {
    publicKey,
    jwk: { kty: 'OKP', x: toText(publicKey) },
    sign: (bytes: Uint8Array) => ed25519.sign(bytes, key),
  }
}

function onWeierstrass(algorithm: 'ES256K' | 'ES256') {
  const { curve } = CURVES[algorithm]
  const key = curve.utils.randomPrivateKey()
  const point = curve.getPublicKey(key, false)
  const jwk = { kty: 'EC', x: toText(point.slice(1, 33)), y: toText(point.slice(33)) }
  return {
    publicKey: curve.getPublicKey(key, true),
    jwk,
    sign: (bytes: Uint8Array) => curve.sign(sha256(bytes, 'bytes'), key).toCompactRawBytes(),
  }
}
