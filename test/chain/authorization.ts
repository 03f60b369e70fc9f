// Authorizations of EIP-3009, signed as the clients of x402 sign them.
import { type LocalAccount, parseSignature, type WalletActions } from 'viem'

type Address = `0x${string}`
export type Authorization = 'transferWithAuthorization' | 'receiveWithAuthorization'

const FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** The arguments of the function that uses it up. */
export async function signAuthorization(
  client: Pick<WalletActions, 'signTypedData'>,
  token: Address,
  { from, to, value }: { from: Address | LocalAccount; to: Address; value: bigint },
  functionName: Authorization,
): Promise<readonly unknown[]> {
  const nonce = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}` as const
  const payer = typeof from === 'string' ? from : from.address
  const message = { from: payer, to, value, validAfter: 0n, validBefore: 2n ** 63n, nonce }
  const primaryType = functionName.replace(/^./, first => first.toUpperCase())
  const typed = {
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: token },
    types: { [primaryType]: FIELDS },
    primaryType,
    message,
  }
  const signature =
    typeof from === 'string'
      ? await client.signTypedData({ account: from, ...typed })
      : await from.signTypedData(typed)
  const { r, s, v, yParity } = parseSignature(signature)
  return [payer, to, value, 0n, 2n ** 63n, nonce, Number(v ?? BigInt(yParity + 27)), r, s]
}
