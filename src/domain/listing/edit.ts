// How an entry changes after its registration: edits by its owner or its source, retiring, hiding; pure. Each returns the new entry with its
// events.
import type { Word } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'
import { sameAddress } from '../chains/addresses.ts'
import { chainKey } from '../chains/chains.ts'
import { DirectoryError, invalid, toProblem } from '../errors.ts'
import type { EventType, ServiceEvent } from '../feed.ts'
import { withoutProof } from '../hosts/domain-proof.ts'
import { mergePatch } from '../json.ts'
import { compareDecimals, currencyKey } from '../money/money.ts'
import { bodySchema } from '../problems.ts'
import { initialStanding, type Standing, type Status } from '../standing/standing.ts'
import { TRUST_POINTS } from '../standing/trust.ts'
import { comparePrice, type Price } from '../terms/terms.ts'
import { prose, updateWording } from '../text/text.ts'
import {
  type DraftPolicy,
  type Entry,
  laterOf,
  type ParsedDraft,
  readDraft,
  type ServiceDraft,
  toService,
} from './service.ts'

// What an owner may change about an entry, and the consequences; pure.

/** Probes: their facts, finding and days; single ones stay in the history and are judged no more. Payments are detached. */
type StoredData = 'probes' | 'payments'

export type EditResult = {
  readonly entry: Entry
  readonly events: readonly ServiceEvent[]
  /** First probe at its present endpoint; null: never again. A running probe is discarded. Left out: the schedule is unchanged. */
  readonly dueAt?: Date | null
  /** Earliest time of an additional probe, within `MAX_EXTRA_PROBES`; a running probe and the drawn date are unaffected. */
  readonly extraProbeAt?: Date
  readonly forget?: readonly StoredData[]
}

/** Who makes the change, and when. */
export type EditContext = { readonly by: Word<'party'>; readonly now: Date }

/** What was registered of an entry, or of a service as it is shown. */
export const toDraft = ({
  name,
  description,
  endpoint,
  category,
  pricing,
  x402Config,
}: ServiceDraft): ServiceDraft => ({
  name,
  description,
  endpoint,
  category,
  pricing,
  x402Config,
})

/** Reads a merge patch (RFC 7396) of a registration body. @throws DirectoryError `invalid_request` with every problem */
export function readEdit(entry: Entry, patch: unknown, policy: DraftPolicy): ParsedDraft {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw invalid([toProblem('body', say('not_json_object'))])
  return readDraft(mergePatch(toDraft(entry), patch), policy)
}

/** Returns undefined if nothing changes. */
export function editEntry(entry: Entry, draft: ServiceDraft, act: EditContext): EditResult | undefined {
  if (JSON.stringify(toDraft(entry)) === JSON.stringify(draft)) return undefined
  const events = editEvents(entry, draft, act)
  return isMoved(entry, draft) ? moveEntry(entry, draft, act, events) : editInPlace(entry, draft, act, events)
}

const priceOf = ({ pricing: { pricePerRequest, currency } }: Pick<Entry, 'pricing'>): Price => ({
  amount: pricePerRequest,
  currency,
})

function editInPlace(
  entry: Entry,
  draft: ServiceDraft,
  act: EditContext,
  events: readonly ServiceEvent[],
): EditResult {
  const [, ...furtherChains] = entry.supportedChains
  const isOtherCurrency = currencyKey(entry.pricing.currency) !== currencyKey(draft.pricing.currency)
  const price = entry.seen && comparePrice(entry.seen.asks, draft.pricing)
  const isWithinListing = price === undefined || price === 'same' || price === 'lower'
  // A price below the one that the endpoint requests, or one that cannot be compared with it, is unverified until the next probe.
  const { status, trustScore } =
    isRepriced(entry, draft) && !isWithinListing ? withoutVerification(entry) : entry.standing
  const reason = say('edited', { by: act.by, what: 'price' })
  const { worded: _, ...unworded } = entry
  const worded = updateWording(entry, draft, act.now.toISOString())
  return {
    entry: {
      ...unworded,
      ...draft,
      ...(worded && { worded }),
      supportedChains: [draft.x402Config.network, ...furtherChains],
      standing: {
        ...entry.standing,
        status,
        trustScore,
        ...(isOtherCurrency && { txCount: 0, totalRevenue: '0' }),
      },
      updatedAt: laterOf(entry.updatedAt, act.now),
      ...(entry.seen && price && { seen: { ...entry.seen, price } }),
    },
    events: [...events, ...statusEvent(entry, status, reason, act)],
    ...(isOtherCurrency && { forget: ['payments'] }),
    ...(isRepriced(entry, draft) && entry.retired === null && !entry.hidden && { extraProbeAt: act.now }),
  }
}

/** The standing of an entry that is verified no longer. */
function withoutVerification({ standing }: Entry): Pick<Standing, 'status' | 'trustScore'> {
  const { status, trustScore } = standing
  if (status !== 'verified') return standing
  return {
    status: 'unverified',
    trustScore: Math.max(0, trustScore - TRUST_POINTS.verification),
  }
}

const isRepriced = ({ pricing: a }: Entry, { pricing: b }: ServiceDraft): boolean =>
  currencyKey(a.currency) !== currencyKey(b.currency) ||
  compareDecimals(a.pricePerRequest, b.pricePerRequest) !== 0

/** Findings hold for the endpoint and payee where they were made: elsewhere the entry starts again, like a registration. */
function moveEntry(
  entry: Entry,
  draft: ServiceDraft,
  act: EditContext,
  events: readonly ServiceEvent[],
): EditResult {
  const at = act.now.toISOString()
  const status: Status = entry.retired === null ? 'unverified' : 'inactive'
  const standing: Standing = { ...initialStanding(at), status }
  return {
    entry: {
      ...withoutFindings(entry),
      ...draft,
      supportedChains: [draft.x402Config.network],
      standing,
      updatedAt: laterOf(entry.updatedAt, act.now),
      movedAt: at,
    },
    events: [...events, ...statusEvent(entry, status, say('edited', { by: act.by, what: 'place' }), act)],
    forget: ['probes', 'payments'],
    ...(entry.retired === null && { dueAt: act.now }),
  }
}

/** Without the findings of its previous endpoint and payee. */
const withoutFindings = (entry: Entry): Entry => {
  const {
    seen: _,
    latencyMs: __,
    delivery: ___,
    worded: ____,
    declinesProbes: _____,
    ...rest
  } = withoutProof(entry)
  return rest
}

type PaidEndpoint = Pick<ServiceDraft, 'endpoint' | 'x402Config'>

/** Returns whether the payee or the endpoint differs; another spelling of either is not a move. */
export const isMoved = (from: PaidEndpoint, to: PaidEndpoint): boolean =>
  from.endpoint !== to.endpoint || isOtherPayee(from, to)

const isOtherPayee = ({ x402Config: a }: PaidEndpoint, { x402Config: b }: PaidEndpoint): boolean =>
  chainKey(a.network) !== chainKey(b.network) || !sameAddress(a.paymentAddress, b.paymentAddress, b.network)

function editEvents(entry: Entry, draft: ServiceDraft, act: EditContext): ServiceEvent[] {
  const { x402Config: from } = entry
  const { x402Config: to } = draft
  const isOtherPrice = isRepriced(entry, draft)
  const isRepaid = !sameAddress(from.paymentAddress, to.paymentAddress, to.network)
  const events: ServiceEvent[] = []
  const addEvent = (type: EventType, what: Word<'change'>, before: unknown, after: unknown) =>
    events.push({
      type,
      at: act.now.toISOString(),
      reason: say('edited', { by: act.by, what }),
      before,
      after,
    })
  // The same shapes as those of a probe that sees another price or address.
  if (isRepaid) addEvent('pay_to', 'payment_address', [from.paymentAddress], [to.paymentAddress])
  if (isOtherPrice) {
    addEvent('price', 'price', priceOf(entry), priceOf(draft))
  }
  const reported = [
    ...(isOtherPrice ? ['pricing.currency', 'pricing.pricePerRequest'] : []),
    ...(isRepaid ? ['x402Config.paymentAddress'] : []),
  ]
  const [before, after] = difference(toDraft(entry), draft, reported)
  if (Object.keys(after).length > 0) addEvent('updated', 'listing', before, after)
  return events
}

type Fields = Readonly<Record<string, unknown>>

/** The fields that differ, on both sides. Only differing nested fields are included, and none that another event reports. */
function difference(a: Fields, b: Fields, reported: readonly string[], path = ''): [Fields, Fields] {
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  for (const name of Object.keys(b)) {
    if (a[name] === b[name] || reported.includes(path + name)) continue
    if (typeof b[name] !== 'object') {
      before[name] = a[name]
      after[name] = b[name]
      continue
    }
    const [inner, outer] = difference(a[name] as Fields, b[name] as Fields, reported, `${path}${name}.`)
    if (Object.keys(outer).length === 0) continue
    before[name] = inner
    after[name] = outer
  }
  return [before, after]
}

/** Returns undefined if the account owns it already. */
export function claimEntry(entry: Entry, owner: string, now: Date): EditResult | undefined {
  if (entry.owner === owner) return undefined
  const reason = say('claimed')
  return {
    entry: { ...entry, owner },
    events: [{ type: 'updated', at: now.toISOString(), reason, before: {}, after: {} }],
  }
}

/** The event of another status; none if it is the same. */
function statusEvent(entry: Entry, after: Status, reason: Message, { now }: EditContext): ServiceEvent[] {
  const before = entry.standing.status
  return before === after ? [] : [{ type: 'status', at: now.toISOString(), reason, before, after }]
}

// Retiring a service and restoring it; pure.

/** Minimum time between the last probe and the first one after a restore. */
const RESTORED_APART_MS = 60_000

export const retirementSchema = bodySchema({
  message: prose(500, { lines: true }).describe('What users of the service should know'),
}).meta({ id: 'Retirement', title: 'Why a service is retired' })

/**
 * Returns undefined if it is already retired with the same message.
 * @param reason of the event; by default who retired it, with the message
 */
export function retireEntry(
  entry: Entry,
  message: string,
  act: EditContext,
  reason: Message = say('retired_by', { by: act.by, message }),
): EditResult | undefined {
  if (entry.retired === message) return undefined
  const at = act.now.toISOString()
  const isSeen = entry.standing.status !== 'inactive'
  const { trustScore } = withoutVerification(entry)
  return {
    entry: {
      ...entry,
      retired: message,
      standing: { ...entry.standing, status: 'inactive', trustScore },
      updatedAt: isSeen ? laterOf(entry.updatedAt, act.now) : entry.updatedAt,
    },
    events: isSeen
      ? statusEvent(entry, 'inactive', reason, act)
      : [{ type: 'updated', at, reason, before: { retired: entry.retired }, after: { retired: message } }],
    dueAt: null,
  }
}

/** Returns undefined if it is not retired. */
export function restoreEntry(entry: Entry, act: EditContext): EditResult | undefined {
  if (entry.retired === null) return undefined
  return {
    entry: {
      ...entry,
      retired: null,
      standing: { ...entry.standing, status: 'unverified' },
      updatedAt: laterOf(entry.updatedAt, act.now),
    },
    events: statusEvent(entry, 'unverified', say('restored_by', { by: act.by }), act),
    dueAt: restoredDue(entry, act.now),
  }
}

/** Retiring and restoring by turns must not trigger a probe each time: the schedule retains nothing about retired entries. */
function restoredDue({ standing }: Entry, now: Date): Date {
  const earliestMs = Date.parse(standing.lastChecked) + RESTORED_APART_MS
  return earliestMs > now.getTime() ? new Date(earliestMs) : now
}

// Hiding by the operator: of an impostor, of malware, of a listing that defrauds its customers.

/**
 * Published as a removal, so that followers of the catalog drop the entry. Its findings are retained, and it is not probed.
 * Returns undefined if it is already hidden for the same reason.
 */
export function hideEntry(entry: Entry, why: string, now: Date): EditResult | undefined {
  if (entry.hidden?.why === why) return undefined
  const at = now.toISOString()
  return {
    entry: { ...entry, hidden: { at, why } },
    events: [
      {
        type: 'removed',
        at,
        reason: say('hidden_by_operator', { why }),
        before: toService(entry),
        after: null,
      },
    ],
    dueAt: null,
  }
}

/** Published as a registration, so that followers that dropped it add it again. Returns undefined if it is not hidden. */
export function unhideEntry(hidden: Entry, now: Date): EditResult | undefined {
  if (hidden.hidden === undefined) return undefined
  const { hidden: _, ...entry } = hidden
  const reason = say('unhidden_by_operator')
  return {
    entry,
    events: [{ type: 'registered', at: now.toISOString(), reason, before: null, after: null }],
    ...(entry.retired === null && { dueAt: now }),
  }
}

export const hiddenError = ({ why }: { readonly why: string }): DirectoryError =>
  new DirectoryError('hidden', say('hidden_by_operator', { why }))
