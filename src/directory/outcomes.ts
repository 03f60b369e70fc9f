// Outcomes of payments: payers report them, and they are public. A report needs the settlement on chain and
// the signature of the wallet that paid.
import { accountOf, addressKey } from '../domain/chains/addresses.ts'
import { chainKey, findChain } from '../domain/chains/chains.ts'
import { DirectoryError, invalid, toProblem } from '../domain/errors.ts'
import { blockOf } from '../domain/hosts/ip-address.ts'
import { Encoded } from '../domain/json.ts'
import type { Entry } from '../domain/listing/service.ts'
import {
  type OutcomeDraft,
  type OutcomeReport,
  type OutcomesAnswer,
  type OutcomesPageQuery,
  type OutcomeView,
  outcomeDraftSchema,
  outcomeSchema,
  outcomesQuerySchema,
  outcomesSchema,
  parseOutcomesQuery,
  readOutcomeDraft,
  toOutcomeId,
  toOutcomeMessage,
  toOutcomesAnswer,
  toOutcomeView,
} from '../domain/purchases/outcomes.ts'
import { minSpent } from '../domain/standing/trust.ts'
import { type Message, say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'
import { outcomeDraftExample, outcomeExample, outcomesExample } from './examples.ts'
import type { Finder } from './finder.ts'
import { BODY_ERRORS, type Operation, READ_ERRORS } from './operation.ts'
import { MAX_PAID_DAYS, type OutcomeProofs, proveOutcome } from './outcome-proof.ts'
import { isSignedByPayee } from './sign-in.ts'

export interface Outcomes {
  /** Newest first, without the purchases of the directory. @throws DirectoryError `not_found`, `hidden` */
  outcomes(id: string, query: OutcomesPageQuery): Promise<Encoded<OutcomesAnswer>>
  /**
   * Stores the report of a payer, one per payment: sent again, it is returned again. `from` is the network of the caller, if the
   * interface knows it. @throws DirectoryError `invalid_request`, `forbidden`, `not_found`, `hidden`, `rate_limited`, `not_ready`
   */
  reportOutcome(
    id: string,
    body: unknown,
    by?: { readonly from?: string },
  ): Promise<{
    readonly outcome: OutcomeView
    /** Paths of the fields that were sent and ignored. */
    readonly ignored: readonly string[]
  }>
}

export const OUTCOME_OPERATIONS = {
  outcomes: {
    id: 'getServiceOutcomes',
    tag: 'proof',
    summary: 'List outcomes reported by payers',
    description:
      'Newest first, apart from what the directory bought itself. Of each payer the newest report counts in the sums, and neither status nor trust follows from them: a payment costs little.',
    query: { schema: outcomesQuerySchema, parse: parseOutcomesQuery },
    answer: 'A page of reports',
    result: outcomesSchema,
    example: outcomesExample,
    errors: ['invalid_request', 'not_found', 'hidden'],
  },
  reportOutcome: {
    id: 'reportOutcome',
    tag: 'proof',
    summary: 'Report the outcome of a payment',
    description:
      'For payers, without a key: the payment is proved by its settlement on chain, and the paying wallet signs the report. One report per payment; sent again, it is returned again. Errors name the field, and for an invalid signature the text to sign. 403 if the directory does not know its public address.',
    body: { schema: outcomeDraftSchema, example: outcomeDraftExample },
    answer: 'The report as published',
    result: outcomeSchema,
    example: outcomeExample,
    errors: [...BODY_ERRORS, 'forbidden', 'not_found', 'hidden', ...READ_ERRORS],
  },
} satisfies Readonly<Record<keyof Outcomes, Operation>>

const DAY_MS = 86_400_000
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

export function createOutcomes({
  store,
  clock,
  newId,
  publicUrl,
  proofs,
  finder,
}: {
  readonly store: Pick<Store, 'find' | 'outcomes' | 'budgets' | 'payments'>
  readonly clock: Clock
  readonly newId: (now: Date) => string
  /** undefined: reporting is off, because a message that names no directory could have been signed for another one. */
  readonly publicUrl: string | undefined
  readonly proofs: OutcomeProofs | undefined
  readonly finder: Finder
}): Outcomes {
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
    async outcomes(id, { limit, before }) {
      const { entry } = finder.requireVisible(await store.find(id), id)
      const since = entry.movedAt
      const [page, sums] = await Promise.all([
        store.outcomes.list({ serviceId: id, limit: limit + 1, before, since }),
        store.outcomes.sums(id, since),
      ])
      return Encoded.of(toOutcomesAnswer(id, sums, page, limit))
    },

    async reportOutcome(id, body, { from } = {}) {
      const { draft, ignored } = readOutcomeDraft(body)
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
      const proved = await proveOutcome(entry, { ...draft, payer }, proofs, now)
      if ('code' in proved) throw refuse('transaction', proved)
      await spend([
        [`about ${id}`, MAX_STORED_PER_SERVICE],
        [`about ${id} by ${payer}`, MAX_STORED_PER_SERVICE_AND_PAYER],
      ])
      const report: OutcomeReport = {
        id: toOutcomeId(newId(now)),
        serviceId: id,
        at: now.toISOString(),
        outcome: draft.outcome,
        payer,
        ...proved,
      }
      const forgetBefore = new Date(now.getTime() - (MAX_PAID_DAYS + 1) * DAY_MS)
      const stored = await store.outcomes.add(report, toEvent(report), forgetBefore)
      if (stored.serviceId !== id || stored.outcome !== draft.outcome)
        throw refuse('transaction', say('reported_before', { id: stored.id }))
      return { outcome: toOutcomeView(stored), ignored }
    },
  }
}

const refuse = (path: string, problem: Message): DirectoryError => invalid([toProblem(path, problem)])

const toEvent = (report: OutcomeReport) => {
  const { id, at, outcome, proof, transaction } = report
  return {
    type: 'outcome',
    at,
    reason: say('outcome_reported', { outcome, proof }),
    before: null,
    after: { id, outcome, proof, transaction },
  } as const
}
