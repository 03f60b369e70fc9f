// Judges a signed receipt against the payment it is for.
import { chainKey } from '../../domain/chains/chains.ts'
import { sameAddress } from '../../domain/chains/same-address.ts'
import type { SignedReceipt } from '../../domain/purchases/purchases.ts'
import type { SignerRole } from '../../domain/terms/terms.ts'
import { type Message, say } from '../../messages/message.ts'
import { shown } from '../untrusted/untrusted-text.ts'
import { type KeySource, memoizeKeySource } from './key-source.ts'
import { isSamePlace } from './place.ts'
import { type ReceiptPayload, readReceipt, readSigned } from './signed-object.ts'
import { findSigner, roleOf } from './signer.ts'

export type PaidFor = {
  /** The requested URL. */
  readonly url: string
  /** Set for a tool of an MCP server. */
  readonly tool?: string | undefined
  readonly chain: string
  readonly payTo: string
  /** undefined if any payer is accepted. */
  readonly payer?: string
  /** If known. */
  readonly transaction?: string | null
  /** The receipt must be issued between these, in milliseconds since the epoch. */
  readonly since: number
  readonly until: number
}

export type JudgedReceipt =
  | {
      readonly valid: true
      readonly signer: string
      readonly speaksFor: SignerRole
      readonly receipt: ReceiptPayload
      /** Only the signed fields. */
      readonly signed: SignedReceipt
    }
  | { readonly valid: false; readonly problem: Message; readonly signer?: string }

/** Allows for differing clocks. */
const SLACK_MS = 2 * 60_000

export async function judgeReceipt(sent: unknown, paid: PaidFor, source: KeySource): Promise<JudgedReceipt> {
  const object = readSigned(sent)
  if ('code' in object) return refuse(object)
  const receipt = readReceipt(object)
  if ('code' in receipt) return refuse(receipt)
  const place = new URL(paid.url)
  const problem = compare(receipt, paid, place)
  if (problem) return refuse(problem)
  const keys = memoizeKeySource(source)
  const signer = await findSigner(object, toTypedData(receipt), place, keys)
  if ('code' in signer) return refuse(signer)
  const role = await roleOf(signer, paid, place, keys)
  if (!role) return refuse(say('signed_by_others', { signer: signer.name }), signer.name)
  const { signature } = sent as SignedReceipt
  const signed =
    object.format === 'jws'
      ? ({ format: 'jws', signature } as const)
      : ({ format: 'eip712', payload: receipt, signature } as const)
  return { valid: true, signer: signer.name, speaksFor: role, receipt, signed }
}

const refuse = (problem: Message, signer?: string): JudgedReceipt => ({
  valid: false,
  problem,
  ...(signer !== undefined && { signer }),
})

function compare(receipt: ReceiptPayload, paid: PaidFor, place: URL): Message | undefined {
  const { resourceUrl, network, payer, transaction = '', issuedAt } = receipt
  const { chain } = paid
  if (!isSamePlace(resourceUrl, place, paid.tool))
    return say('signed_other_resource', { url: shown(resourceUrl) })
  if (chainKey(network) !== chain) return say('signed_other_network', { network: shown(network) })
  if (paid.payer !== undefined && !sameAddress(payer, paid.payer, chain))
    return say('signed_other_payer', { payer: shown(payer) })
  const known = paid.transaction ?? ''
  if (transaction !== '' && known !== '' && !isSameHash(transaction, known))
    return say('signed_other_payment', { transaction: shown(transaction) })
  const at = issuedAt * 1_000
  if (at + SLACK_MS < paid.since || at - SLACK_MS > paid.until) return say('signed_other_time')
  return undefined
}

/** Hexadecimal ignores case; Solana's base58 does not. */
const isSameHash = (a: string, b: string): boolean =>
  a === b || (/^0x/i.test(a) && a.toLowerCase() === b.toLowerCase())

const toTypedData = ({ version, issuedAt, transaction = '', ...receipt }: ReceiptPayload) => ({
  domain: { name: 'x402 receipt', version: '1', chainId: 1 } as const,
  primaryType: 'Receipt',
  types: {
    Receipt: [
      { name: 'version', type: 'uint256' },
      { name: 'network', type: 'string' },
      { name: 'resourceUrl', type: 'string' },
      { name: 'payer', type: 'string' },
      { name: 'issuedAt', type: 'uint256' },
      { name: 'transaction', type: 'string' },
    ],
  },
  message: { ...receipt, version: BigInt(version), issuedAt: BigInt(issuedAt), transaction },
})
