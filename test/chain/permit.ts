// Permits of Permit2 with the witness of the scheme upto, signed as the clients of x402 sign them.
import type { WalletActions } from 'viem'

type Address = `0x${string}`

/** Where the clients of x402 look for them on every chain. */
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
export const UPTO_PROXY = '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002'

const TYPES = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'Witness' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  Witness: [
    { name: 'to', type: 'address' },
    { name: 'facilitator', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const

let nonces = 0n

/** The call of the proxy that settles it, at the whole of what was permitted. */
export async function signUpto(
  client: Pick<WalletActions, 'signTypedData'>,
  payment: { from: Address; to: Address; value: bigint; token: Address; facilitator: Address },
) {
  const { from, to, value: amount, token, facilitator } = payment
  const permit = { permitted: { token, amount }, nonce: ++nonces, deadline: 2n ** 63n }
  const witness = { to, facilitator, validAfter: 0n }
  const signature = await client.signTypedData({
    account: from,
    domain: { name: 'Permit2', chainId: 8453, verifyingContract: PERMIT2 },
    types: TYPES,
    primaryType: 'PermitWitnessTransferFrom',
    message: { ...permit, spender: UPTO_PROXY, witness },
  })
  return { functionName: 'settle', args: [permit, amount, from, witness, signature] }
}
