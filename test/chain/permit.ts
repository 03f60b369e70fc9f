// Permits of Permit2 with the witnesses of x402, signed as its clients sign them, and the calls that settle them.
import type { WalletActions } from 'viem'

type Address = `0x${string}`

/** Where the clients of x402 look for them on every chain. */
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
export const EXACT_PROXY = '0x402085c248EeA27D92E8b30b2C58ed07f9E20001'
export const UPTO_PROXY = '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002'

const PERMIT_FIELDS = [
  { name: 'permitted', type: 'TokenPermissions' },
  { name: 'spender', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
  { name: 'witness', type: 'Witness' },
] as const
const TOKEN_FIELDS = [
  { name: 'token', type: 'address' },
  { name: 'amount', type: 'uint256' },
] as const
const WITNESS_FIELDS = {
  exact: [
    { name: 'to', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
  upto: [
    { name: 'to', type: 'address' },
    { name: 'facilitator', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const

export type Permit = {
  readonly permitted: { readonly token: Address; readonly amount: bigint }
  readonly nonce: bigint
  readonly deadline: bigint
}
type Signer = Pick<WalletActions, 'signTypedData'>
type Permission = { readonly from: Address; readonly value: bigint; readonly token: Address }
type Witness = Readonly<Record<string, Address | bigint>>

let nonces = 0n

async function sign(
  client: Signer,
  scheme: keyof typeof WITNESS_FIELDS,
  { from, value: amount, token }: Permission,
  spender: Address,
  witness: Witness,
): Promise<{ permit: Permit; signature: Address }> {
  const permit = { permitted: { token, amount }, nonce: ++nonces, deadline: 2n ** 63n }
  const signature = await client.signTypedData({
    account: from,
    domain: { name: 'Permit2', chainId: 8453, verifyingContract: PERMIT2 },
    types: {
      PermitWitnessTransferFrom: PERMIT_FIELDS,
      TokenPermissions: TOKEN_FIELDS,
      Witness: WITNESS_FIELDS[scheme],
    },
    primaryType: 'PermitWitnessTransferFrom',
    message: { ...permit, spender, witness } as never,
  })
  return { permit, signature }
}

/** What a payer of the scheme exact has signed. */
export async function signExact(
  client: Signer,
  payment: Permission & { readonly to: Address },
  spender: Address = EXACT_PROXY,
) {
  const witness = { to: payment.to, validAfter: 0n }
  return { ...(await sign(client, 'exact', payment, spender, witness)), witness, owner: payment.from }
}

/** The call of the proxy that settles a permit of the scheme upto, at the whole of what was permitted. */
export async function signUpto(
  client: Signer,
  payment: Permission & { readonly to: Address; readonly facilitator: Address },
) {
  const { from, to, value: amount, facilitator } = payment
  const witness = { to, facilitator, validAfter: 0n }
  const { permit, signature } = await sign(client, 'upto', payment, UPTO_PROXY, witness)
  return { functionName: 'settle', args: [permit, amount, from, witness, signature] }
}
