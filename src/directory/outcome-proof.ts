// Proof that a payer has paid: from the chain if it is read, else from a receipt that the seller signed.
import { chainKey } from '../domain/chains/chains.ts'
import { addressKey } from '../domain/chains/same-address.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Entry } from '../domain/listing/service.ts'
import type { OutcomeDraft, OutcomeReport } from '../domain/purchases/outcomes.ts'
import { isSinceMove } from '../domain/standing/own-payment.ts'
import type { SignerRole } from '../domain/terms/terms.ts'
import { type Message, say } from '../messages/message.ts'

/** A settlement on chain, and whether it is a payment for the service. */
export type SeenSettlement = {
  /** ISO 8601 UTC. */
  readonly at: string
  /** In whole units. */
  readonly amount: string
  readonly currency: string
  /** dust: less than a tenth of the price. others: by its amount it pays for another service of the wallet. */
  readonly fit: 'own' | 'dust' | 'others'
}

export type OutcomeProofs = {
  /** Whether a node reads the chain. */
  reads(chain: string): boolean
  /** @throws if the node is unavailable */
  settlement(
    entry: Entry,
    payment: {
      readonly chain: string
      readonly transaction: string
      readonly payer: string
      readonly payee: string
    },
  ): Promise<SeenSettlement | 'missing' | 'young' | 'plain'>
  /** Verifies that the seller signed for a payment of this payer within the period. */
  receipt(
    entry: Entry,
    sent: unknown,
    paid: {
      readonly payer: string
      readonly transaction: string | null
      readonly since: number
      readonly until: number
    },
  ): Promise<
    | { readonly problem: Message }
    | {
        readonly by: SignerRole
        readonly issuedAt: string
        readonly transaction: string | null
        /** Equal for the same receipt, however it is signed. */
        readonly key: string
      }
  >
}

type Proved = Pick<OutcomeReport, 'proof' | 'payment' | 'chain' | 'transaction' | 'detail'>
type Refused = { readonly path: 'transaction' | 'receipt'; readonly problem: Message }

/** Older payments say nothing about the present. All payments of this period are still stored. */
export const MAX_PAID_DAYS = 7
const DAY_MS = 86_400_000

/** @param draft with the payer in canonical spelling */
export async function proveOutcome(
  entry: Entry,
  draft: OutcomeDraft,
  proofs: OutcomeProofs,
  now: Date,
): Promise<Proved | Refused> {
  const { network, paymentAddress } = entry.x402Config
  const chain = chainKey(network)
  const { payer } = draft
  const until = now.getTime()
  const paid = { payer, transaction: draft.transaction ?? null, since: until - MAX_PAID_DAYS * DAY_MS, until }
  const receipt = draft.receipt ? await proofs.receipt(entry, draft.receipt, paid) : undefined
  if (receipt && 'problem' in receipt)
    return { path: 'receipt', problem: say('receipt_invalid', { problem: receipt.problem }) }
  const transaction = draft.transaction ?? receipt?.transaction ?? null
  const receiptBy = receipt?.by ?? null
  if (transaction !== null && proofs.reads(chain)) {
    const payee = addressKey(paymentAddress, network)
    const settlement = await findSettlement(proofs, entry, { chain, transaction, payer, payee })
    if (typeof settlement === 'string') return { path: 'transaction', problem: say(PROBLEMS[settlement]) }
    const problem = problemOf(settlement, entry, now)
    if (problem) return { path: 'transaction', problem }
    const { at: paidAt, amount, currency } = settlement
    const detail = { paidAt, amount, currency, receiptBy }
    return { proof: 'settlement', payment: paymentKey(chain, transaction, payer), chain, transaction, detail }
  }
  // A receipt that names no transaction cannot be told from another report of the same payment.
  if (proofs.reads(chain)) return { path: 'transaction', problem: say('transaction_needed', { network }) }
  if (!receipt) return { path: 'transaction', problem: say('chain_not_read', { network }) }
  if (!isSinceMove(receipt.issuedAt, entry.movedAt, now))
    return { path: 'receipt', problem: say('settlement_old', { days: MAX_PAID_DAYS }) }
  return {
    proof: 'receipt',
    // A transaction that only the payer names proves nothing, and must not block the report of the real payer.
    payment:
      receipt.transaction === null ? `receipt ${receipt.key}` : paymentKey(chain, receipt.transaction, payer),
    chain,
    transaction: receipt.transaction,
    detail: { paidAt: receipt.issuedAt, amount: null, currency: null, receiptBy },
  }
}

const PROBLEMS = {
  missing: 'settlement_not_found',
  young: 'settlement_young',
  plain: 'settlement_plain',
} as const

/** @throws DirectoryError `not_ready` if the node is unavailable */
async function findSettlement(proofs: OutcomeProofs, ...payment: Parameters<OutcomeProofs['settlement']>) {
  try {
    return await proofs.settlement(...payment)
  } catch (error) {
    throw new DirectoryError('not_ready', say('chain_away'), [], { cause: error })
  }
}

function problemOf(
  { at, amount, currency, fit }: SeenSettlement,
  entry: Entry,
  now: Date,
): Message | undefined {
  const isOld = now.getTime() - Date.parse(at) > MAX_PAID_DAYS * DAY_MS
  if (isOld || !isSinceMove(at, entry.movedAt, now)) return say('settlement_old', { days: MAX_PAID_DAYS })
  if (fit === 'dust') return say('settlement_dust', { amount: `${amount} ${currency}` })
  return fit === 'others' ? say('settlement_of_others') : undefined
}

/** Several wallets can pay in one transaction. */
const paymentKey = (chain: string, transaction: string, payer: string): string =>
  `${chain} ${addressKey(transaction, chain)} ${payer}`
