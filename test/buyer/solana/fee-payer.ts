// A facilitator that hands in what it was given, by hand: when it likes, and as often as it likes.
import { ed25519 } from '@noble/curves/ed25519'
import { messageIn } from '../../../packages/buyer/src/solana-message.ts'
import { decodeBase58 } from '../../../src/domain/chains/addresses.ts'
import { FEE_PAYER } from '../../chain/solana/facilitator.ts'

/** The facilitator's signature, with other random numbers each time: the message stays the same. */
export function signAsFeePayer(transaction: string, salt: number): Uint8Array {
  const wire = Buffer.from(transaction, 'base64')
  const seed = decodeBase58(FEE_PAYER.key)!.subarray(0, 32)
  const message = messageIn(wire)!
  const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(seed)
  const modulus = ed25519.Point.Fn.ORDER
  const random =
    BigInt(`0x${new Bun.CryptoHasher('sha512').update(`${salt}`).update(message).digest('hex')}`) % modulus
  const commitment = ed25519.Point.BASE.multiply(random).toBytes()
  const digest = new Bun.CryptoHasher('sha512').update(commitment).update(pointBytes).update(message).digest()
  const challenge = Buffer.from(digest).reverse().toString('hex')
  const answer = (random + (BigInt(`0x${challenge}`) % modulus) * scalar) % modulus
  const bytes = Buffer.from(answer.toString(16).padStart(64, '0'), 'hex').reverse()
  wire.set(commitment, 1)
  wire.set(bytes, 33)
  return wire
}
