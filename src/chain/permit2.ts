// Reads the Permit2 payment of a transaction through an x402 contract.
import { decodeFunctionData, parseAbi } from 'viem'
import type { Hex } from './node.ts'

/** Addresses in lower case, the value in the smallest unit. */
export type PermitPayment = {
  readonly asset: string
  readonly payer: string
  readonly payee: string
  readonly value: bigint
}

const PERMIT = 'struct Permit { Permitted permitted; uint256 nonce; uint256 deadline; }'
const PERMITTED = 'struct Permitted { address token; uint256 amount; }'
const EIP_2612 = 'struct Eip2612 { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }'

const EXACT = parseAbi([
  PERMITTED,
  PERMIT,
  EIP_2612,
  'struct Witness { address to; uint256 validAfter; }',
  'function settle(Permit permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(Eip2612 permit2612, Permit permit, address owner, Witness witness, bytes signature)',
])
const UPTO = parseAbi([
  PERMITTED,
  PERMIT,
  EIP_2612,
  'struct Witness { address to; address facilitator; uint256 validAfter; }',
  'function settle(Permit permit, uint256 amount, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(Eip2612 permit2612, Permit permit, uint256 amount, address owner, Witness witness, bytes signature)',
])

type Settling = {
  readonly permit: { readonly permitted: { readonly token: Hex } }
  readonly owner: Hex
  readonly payee: Hex
  readonly value: bigint
}

const withoutFirst = <T extends readonly unknown[]>([, ...others]: readonly [unknown, ...T]): T => others

/** The x402 contracts that move money by Permit2 with the payee as signed witness: the same on every chain. */
const PROXIES: Readonly<Record<string, (data: Hex) => Settling>> = {
  '0x402085c248eea27d92e8b30b2c58ed07f9e20001': data => {
    const call = decodeFunctionData({ abi: EXACT, data })
    const [permit, owner, { to: payee }] =
      call.functionName === 'settle' ? call.args : withoutFirst(call.args)
    return { permit, owner, payee, value: permit.permitted.amount }
  },
  '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002': data => {
    const call = decodeFunctionData({ abi: UPTO, data })
    const [permit, value, owner, { to: payee }] =
      call.functionName === 'settle' ? call.args : withoutFirst(call.args)
    return { permit, owner, payee, value }
  },
}

/**
 * @returns undefined if the transaction does not call an x402 proxy to settle. A proxy called by another contract, or a settlement in
 * its logs, proves nothing: it settles any token, even one that moves nothing and makes someone else pay meanwhile. Only the
 * transaction's own input names token, payer and payee, and Permit2 has verified the signature over them or the transaction has failed.
 * @param called the contract that the transaction calls, in lower case
 */
export async function readPermitCall(
  called: string | undefined,
  input: () => Promise<Hex>,
): Promise<PermitPayment | undefined> {
  const decode = called === undefined ? undefined : PROXIES[called]
  if (!decode) return undefined
  const data = await input()
  try {
    const { permit, owner, payee, value } = decode(data)
    return {
      asset: permit.permitted.token.toLowerCase(),
      payer: owner.toLowerCase(),
      payee: payee.toLowerCase(),
      value,
    }
  } catch {
    return undefined
  }
}
