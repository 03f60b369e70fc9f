// Purchases from a service: those that this directory made, and those that payers report. A report needs the settlement on chain and the
// signature of the wallet that paid.

import { accountOf, addressKey } from '../domain/chains/addresses.ts'
import { chainKey, findChain } from '../domain/chains/chains.ts'
import { DirectoryError, invalid, toProblem } from '../domain/errors.ts'
import type { ServiceEvent } from '../domain/feed.ts'
import { blockOf } from '../domain/hosts/endpoint.ts'
import { Encoded } from '../domain/json.ts'
import type { Entry } from '../domain/listing/service.ts'
import { readKnownFields } from '../domain/problems.ts'
import { type Purchase, sellingDomain, toPurchaseId } from '../domain/purchases/purchases.ts'
import {
  type OutcomeDraft,
  type OutcomeProofs,
  outcomeDraftSchema,
  type PurchaseFeed,
  type PurchaseFeedQuery,
  type PurchasesAnswer,
  type PurchasesPageQuery,
  type PurchaseView,
  purchaseFeedQuerySchema,
  purchaseFeedSchema,
  purchaseSchema,
  purchasesQuerySchema,
  purchasesSchema,
  type SeenSettlement,
  toOutcomeMessage,
  toPurchasesAnswer,
  toPurchaseView,
} from '../domain/purchases/purchases-view.ts'
import { toEvidenceSource } from '../domain/standing/judge-delivery.ts'
import { minSpent } from '../domain/standing/trust.ts'
import { DAY_MS } from '../domain/time.ts'
import { type Message, say } from '../messages/message.ts'
import type { OperationDeps, WithIgnored } from './deps.ts'
import type { Operation } from './operation.ts'
import { isSignedByPayee } from './sign-in.ts'

export interface Purchases {
  /** What this directory itself bought, of services that it lists; oldest first. */
  allPurchases(query: PurchaseFeedQuery): Promise<Encoded<PurchaseFeed>>
  /** Newest first. @throws DirectoryError `not_found`, `hidden` */
  purchases(id: string, query: PurchasesPageQuery): Promise<Encoded<PurchasesAnswer>>
  /**
   * Stores the report of a payer, one per payment: sent again, it is returned again. `from` is the network of the caller, if the
   * interface knows it. @throws DirectoryError `invalid_request`, `forbidden`, `not_found`, `hidden`, `rate_limited`, `not_ready`
   */
  reportOutcome(
    id: string,
    body: unknown,
    by?: { readonly from?: string },
  ): Promise<WithIgnored<{ readonly purchase: PurchaseView }>>
}

export const PURCHASE_OPERATIONS = {
  allPurchases: {
    id: 'listPurchases',
    tag: 'feed',
    summary: 'List what this directory bought',
    description:
      'For directories that follow this one: its own purchases with their outcome and transaction, oldest first. Send `next` of each response as `after` of the following request.',
    query: { schema: purchaseFeedQuerySchema },
    answer: 'A page of purchases',
    result: purchaseFeedSchema,
  },
  purchases: {
    id: 'getServicePurchases',
    tag: 'proof',
    summary: 'List purchases from a service',
    description:
      'Who paid, what came back and the transaction, newest first: what this directory itself bought (most directories buy nothing), what payers report, and what followed directories bought. Only the purchases of this directory count in status and trust.',
    query: { schema: purchasesQuerySchema },
    answer: 'A page of purchases',
    result: purchasesSchema,
    cost: 4,
    errors: ['hidden'],
  },
  reportOutcome: {
    id: 'reportOutcome',
    tag: 'proof',
    summary: 'Report the outcome of a payment',
    description:
      'For payers, without a key: the payment is proved by its settlement on chain, and the paying wallet signs the report. One report per payment; sent again, it is returned again. Errors name the field, and for an invalid signature the text to sign. 403 if the directory does not know its public address.',
    body: {
      schema: outcomeDraftSchema,
      example: {
        outcome: 'delivered',
        network: 'base',
        payer: `0x${'2b'.repeat(20)}`,
        transaction: `0x${'5c'.repeat(32)}`,
        at: '2026-11-17T09:30:00.000Z',
        signature: `0x${'5b'.repeat(65)}`,
      },
    },
    answer: 'The purchase as published',
    result: purchaseSchema,
    errors: ['forbidden', 'hidden'],
  },
} satisfies Readonly<Record<keyof Purchases, Operation>>

/** A signed report is accepted within this time. */
const MAX_AGE_MINUTES = 10
/** Tolerance for clocks that differ. */
const MAX_AHEAD_MS = 2 * 60_000
/** Per day: each report queries a node. */
const MAX_PER_NETWORK = 100
const MAX_PER_PAYER = 50
/** Reports stored per day; each has cost its payer a payment. */
const MAX_STORED_PER_SERVICE = 1_000
const MAX_STORED_PER_SERVICE_AND_PAYER = 20
/** Older payments say nothing about the present. All payments of this period are still stored. */
const MAX_PAID_DAYS = 7

export function createPurchases({
  store,
  clock,
  newId,
  publicUrl,
  proofs,
  finder,
  requireCatalog,
}: OperationDeps): Purchases {
  async function spend(budgets: readonly (readonly [name: string, most: number])[]): Promise<void> {
    const named = budgets.map(([name, most]) => ({ name: `outcomes ${name}`, most }))
    const spent = await store.budgets.take(named, clock.now(), DAY_MS)
    const most = named.find(({ name }) => name === spent?.name)?.most
    if (most !== undefined) throw new DirectoryError('rate_limited', say('outcomes_spent', { most }))
  }

  /** Checks that need no requests. @throws DirectoryError `invalid_request` */
  async function check(entry: Entry, draft: OutcomeDraft, directory: string): Promise<void> {
    const { network } = entry.x402Config
    const chain = chainKey(network)
    const ageMs = clock.now().getTime() - Date.parse(draft.at)
    if (ageMs > MAX_AGE_MINUTES * 60_000 || ageMs < -MAX_AHEAD_MS)
      throw refuse('at', say('outcome_stale', { minutes: MAX_AGE_MINUTES }))
    if (!findChain(draft.network) || chainKey(draft.network) !== chain)
      throw refuse('network', say('outcome_network', { network }))
    const message = toOutcomeMessage(directory, entry.id, chain, draft)
    if (!(await isSignedByPayee(draft.payer, network, message, draft.signature)))
      throw refuse('signature', say('outcome_signature', { message }))
    const payer = accountOf(draft.payer, network)
    const payee = accountOf(entry.x402Config.paymentAddress, network)
    if (payer === payee || payer === entry.owner) throw refuse('payer', say('payer_is_seller'))
  }

  async function isRelated({ x402Config, pricing }: Entry, payer: string): Promise<boolean> {
    const { network, paymentAddress } = x402Config
    const payee = addressKey(paymentAddress, network)
    return store.payments.isRing(chainKey(network), payee, payer, minSpent(pricing.currency))
  }

  return {
    async purchases(id, { limit, before, source }) {
      const { entry } = finder.requireVisible(await store.find(id), id)
      const [page, payers, peers] = await Promise.all([
        store.purchases.evidence({ ...toEvidenceSource(entry), of: source, limit: limit + 1, before }),
        store.purchases.outcomeSums(id, 'payer', entry.movedAt),
        store.purchases.outcomeSums(id, 'peer', entry.movedAt),
      ])
      return Encoded.of(toPurchasesAnswer(entry, page, limit, payers, peers))
    },

    async allPurchases({ limit, after }) {
      const catalog = requireCatalog()
      const page = await store.purchases.concluded(limit, after)
      const purchases = page.flatMap(purchase => {
        const serviceId = purchase.serviceId!
        return catalog.service(serviceId) ? [{ ...toPurchaseView(purchase, serviceId), serviceId }] : []
      })
      return Encoded.of<PurchaseFeed>({ purchases, next: page.at(-1)?.id ?? null })
    },

    async reportOutcome(id, body, { from } = {}) {
      const { value: draft, ignored } = readKnownFields(outcomeDraftSchema, body)
      if (publicUrl === undefined || !proofs) throw new DirectoryError('forbidden', say('outcomes_off'))
      const { entry } = finder.requireVisible(await store.find(id), id)
      await check(entry, draft, publicUrl)
      const payer = addressKey(draft.payer, entry.x402Config.network)
      await spend([
        [`by ${payer}`, MAX_PER_PAYER],
        ...(from === undefined ? [] : [[`from ${blockOf(from)}`, MAX_PER_NETWORK] as const]),
      ])
      if (await isRelated(entry, payer)) throw refuse('payer', say('payer_related'))
      const now = clock.now()
      const settlement = await proveSettlement(entry, { ...draft, payer }, proofs, now)
      if ('code' in settlement) throw refuse('transaction', settlement)
      await spend([
        [`about ${id}`, MAX_STORED_PER_SERVICE],
        [`about ${id} by ${payer}`, MAX_STORED_PER_SERVICE_AND_PAYER],
      ])
      const reported = toReported(entry, { ...draft, payer }, settlement, toPurchaseId(newId(now)), now)
      const forgetBefore = new Date(now.getTime() - (MAX_PAID_DAYS + 1) * DAY_MS)
      const stored = await store.purchases.report(reported, toEvent(reported), forgetBefore)
      if (stored.serviceId !== id || stored.outcome !== draft.outcome)
        throw refuse('transaction', say('reported_before', { id: stored.id }))
      return { purchase: toPurchaseView(stored, id), ignored }
    },
  }
}

const refuse = (path: string, problem: Message): DirectoryError => invalid([toProblem(path, problem)])

type Reported = Purchase & { readonly serviceId: string; readonly outcome: OutcomeDraft['outcome'] }

/** @param draft with the payer in canonical spelling */
function toReported(
  { id: serviceId, endpoint, x402Config }: Entry,
  { payer, transaction, outcome }: OutcomeDraft,
  { asset, amount, price, currency }: SeenSettlement,
  id: string,
  now: Date,
): Reported {
  const chain = chainKey(x402Config.network)
  return {
    id,
    source: 'payer',
    // Several wallets can pay in one transaction.
    purpose: `paid ${chain} ${addressKey(transaction, chain)} ${payer}`,
    serviceId,
    host: sellingDomain(endpoint),
    at: now.toISOString(),
    state: 'settled',
    microUsd: 0,
    chain,
    asset,
    payTo: x402Config.paymentAddress,
    payer,
    amount,
    nonce: null,
    validBefore: null,
    charged: amount,
    transaction,
    outcome,
    detail: { url: endpoint, price, currency, reasons: [] },
  }
}

const toEvent = ({ id, at, source, outcome, amount, charged, transaction }: Reported): ServiceEvent => ({
  type: 'purchase',
  at,
  reason: say('outcome_reported', { outcome }),
  before: null,
  after: { id, source, outcome, amount, charged, transaction },
})

// Proof that a payer has paid: the settlement on chain.

/** @param draft with the payer in canonical spelling */
async function proveSettlement(
  entry: Entry,
  draft: OutcomeDraft,
  proofs: OutcomeProofs,
  now: Date,
): Promise<SeenSettlement | Message> {
  const { network, paymentAddress } = entry.x402Config
  const chain = chainKey(network)
  const { payer, transaction } = draft
  if (!proofs.reads(chain)) return say('chain_not_read', { network })
  const payee = addressKey(paymentAddress, network)
  const settlement = await findSettlement(proofs, entry, { chain, transaction, payer, payee })
  if (typeof settlement === 'string') return say(PROBLEMS[settlement])
  return problemOf(settlement, entry, now) ?? settlement
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
  { at, price, currency, fit }: SeenSettlement,
  entry: Entry,
  now: Date,
): Message | undefined {
  const isOld = now.getTime() - Date.parse(at) > MAX_PAID_DAYS * DAY_MS
  if (isOld || at < (entry.movedAt ?? '')) return say('settlement_old', { days: MAX_PAID_DAYS })
  if (fit === 'dust') return say('settlement_dust', { amount: `${price} ${currency}` })
  return fit === 'others' ? say('settlement_of_others') : undefined
}
