// Proof that a payer has paid: the settlement on chain.

import { addressKey } from '../domain/chains/addresses.ts'
import { chainKey } from '../domain/chains/chains.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Entry } from '../domain/listing/service.ts'
import type { OutcomeDraft, OutcomeReport } from '../domain/purchases/outcomes.ts'
import { isSinceMove } from '../domain/standing/judge-delivery.ts'
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
}

type Proved = Pick<OutcomeReport, 'proof' | 'payment' | 'chain' | 'transaction' | 'detail'>

/** Older payments say nothing about the present. All payments of this period are still stored. */
export const MAX_PAID_DAYS = 7
const DAY_MS = 86_400_000

/** @param draft with the payer in canonical spelling */
export async function proveOutcome(
  entry: Entry,
  draft: OutcomeDraft,
  proofs: OutcomeProofs,
  now: Date,
): Promise<Proved | Message> {
  const { network, paymentAddress } = entry.x402Config
  const chain = chainKey(network)
  const { payer, transaction } = draft
  if (!proofs.reads(chain)) return say('chain_not_read', { network })
  const payee = addressKey(paymentAddress, network)
  const settlement = await findSettlement(proofs, entry, { chain, transaction, payer, payee })
  if (typeof settlement === 'string') return say(PROBLEMS[settlement])
  const problem = problemOf(settlement, entry, now)
  if (problem) return problem
  const { at: paidAt, amount, currency } = settlement
  const payment = paymentKey(chain, transaction, payer)
  return { proof: 'settlement', payment, chain, transaction, detail: { paidAt, amount, currency } }
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
