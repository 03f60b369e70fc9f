// Whether a payer has paid: by the chain where it can be asked, else by a receipt that the seller signed.
import { chainKey } from '../domain/chains.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { OutcomeDraft, OutcomeReport } from '../domain/outcomes.ts'
import { isSinceMove } from '../domain/own-payment.ts'
import { addressKey } from '../domain/same-address.ts'
import type { Entry } from '../domain/service.ts'
import type { SignerRole } from '../domain/terms.ts'
import { type Message, say } from '../messages/message.ts'

/** A settlement as the chain shows it, and how it fits the service. */
export type SeenSettlement = {
  /** ISO 8601 UTC. */
  readonly at: string
  /** In whole units. */
  readonly amount: string
  readonly currency: string
  /** dust: less than a tenth of what it asks. others: by its amount it pays for another service of the wallet. */
  readonly fit: 'own' | 'dust' | 'others'
}

export type OutcomeProofs = {
  /** Whether there is a node for the chain. */
  reads(chain: string): boolean
  /** @throws where the node is away */
  settlement(
    entry: Entry,
    payment: {
      readonly chain: string
      readonly transaction: string
      readonly payer: string
      readonly payee: string
    },
  ): Promise<SeenSettlement | 'missing' | 'young' | 'plain'>
  /** Whether the seller signed for a payment by this payer since then. */
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
        /** The same for the same receipt, however it is signed. */
        readonly key: string
      }
  >
}

type Proved = Pick<OutcomeReport, 'proof' | 'payment' | 'chain' | 'transaction' | 'detail'>
type Refused = { readonly path: 'transaction' | 'receipt'; readonly problem: Message }

/** What is older tells nothing of now, and every payment that can be reported still is kept. */
export const MAX_PAID_DAYS = 7
const DAY_MS = 86_400_000

/** @param draft its payer in one spelling */
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
    const found = await seen(proofs, entry, { chain, transaction, payer, payee })
    if (typeof found === 'string') return { path: 'transaction', problem: say(PROBLEMS[found]) }
    const problem = problemOf(found, entry, now)
    if (problem) return { path: 'transaction', problem }
    const { at: paidAt, amount, currency } = found
    const detail = { paidAt, amount, currency, receiptBy }
    return { proof: 'settlement', payment: paymentKey(chain, transaction, payer), chain, transaction, detail }
  }
  if (!receipt) return { path: 'transaction', problem: say('chain_not_read', { network }) }
  if (!isSinceMove(receipt.issuedAt, entry.movedAt, now))
    return { path: 'receipt', problem: say('settlement_old', { days: MAX_PAID_DAYS }) }
  return {
    proof: 'receipt',
    // What the payer alone names is nobody's proof, and must not keep the real one out.
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

/** @throws DirectoryError `not_ready` where the node is away */
async function seen(proofs: OutcomeProofs, ...asked: Parameters<OutcomeProofs['settlement']>) {
  try {
    return await proofs.settlement(...asked)
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

/** In one transaction several wallets can pay. */
const paymentKey = (chain: string, transaction: string, payer: string): string =>
  `${chain} ${addressKey(transaction, chain)} ${payer}`
