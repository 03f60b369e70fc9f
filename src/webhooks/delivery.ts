// One run of one webhook: its next events that match its filter, several services concurrently, in order per service.
import { paysTo } from '../domain/chains/addresses.ts'
import { chainKey } from '../domain/chains/chains.ts'
import { type FeedEvent, type Timelines, toFeedEvent } from '../domain/feed.ts'
import { categoryKey } from '../domain/listing/categories.ts'
import { type Entry, type Service, toService } from '../domain/listing/service.ts'
import type { WebhookDraft, WebhookRecord } from '../domain/webhooks.ts'
import { type Message, say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Seq, Store } from '../store/store.ts'
import { toMessage } from './message.ts'
import type { DeliveryRun } from './progress.ts'
import { type Attempt, Postponed, type Sender, UnconfirmedAddress } from './send.ts'

/** Messages per run; a process that dies midway may cause as many to be sent twice. */
const MAX_MESSAGES = 64
/** Services whose events are sent to one receiver concurrently. */
const MAX_LANES = 4

type RunParts = {
  readonly reading: Reading
  readonly send: Sender['message']
  readonly clock: Clock
  /** No message is started after this time. */
  readonly until: Date
  readonly signal: AbortSignal
}

type Task = {
  readonly end: number
  readonly wanted: readonly FeedEvent[]
  readonly isWholePage: boolean
}

/** The cheapest tests first. */
async function isForWebhook(webhook: WebhookRecord, event: FeedEvent, reading: Reading): Promise<boolean> {
  const { serviceId } = event
  if (!isOfInterest(webhook, event)) return false
  if (webhook.filter.mine && !(await reading.isOf(serviceId, webhook.owner))) return false
  return !needsSubject(webhook) || isWanted(webhook, event, await reading.subject(serviceId))
}

export async function findTask(webhook: WebhookRecord, reading: Reading): Promise<Task> {
  const { cursor } = webhook.progress
  const page = await reading.after(cursor)
  const wanted: FeedEvent[] = []
  let end = cursor
  for (const event of page) {
    const isMatch = await isForWebhook(webhook, event, reading)
    if (isMatch && wanted.length === MAX_MESSAGES) return { end, wanted, isWholePage: true }
    if (isMatch) wanted.push(event)
    end = event.number
  }
  return { end, wanted, isWholePage: page.length === PAGE }
}

export async function runDelivery(webhook: WebhookRecord, task: Task, parts: RunParts): Promise<DeliveryRun> {
  const { reading, send, clock, until, signal } = parts
  const alreadySent = new Set(webhook.progress.ahead)
  const lanes = [
    ...Map.groupBy(
      task.wanted.filter(({ number }) => !alreadySent.has(number)),
      ({ serviceId }) => serviceId,
    ).values(),
  ]
  const delivered: number[] = []
  let failure: Attempt | undefined
  let unconfirmed: Message | undefined
  const canContinue = () => !failure && !unconfirmed && !signal.aborted && clock.now() < until

  async function sendOne(event: FeedEvent): Promise<boolean> {
    const message = toMessage(webhook.id, await reading.complete(event))
    if (!canContinue()) return false
    try {
      const attempt = await send(webhook, message, signal)
      if (attempt.delivered) delivered.push(event.number)
      else failure ??= attempt
      return attempt.delivered
    } catch (error) {
      if (error instanceof UnconfirmedAddress) unconfirmed ??= say('receiver_moved')
      // Aborted by our own shutdown; the receiver may have it, but it is sent again.
      else if (!signal.aborted && !(error instanceof Postponed)) throw error
      return false
    }
  }

  async function work(): Promise<void> {
    for (let lane = lanes.shift(); lane && canContinue(); lane = lanes.shift()) {
      for (const event of lane) if (!(await sendOne(event))) return
    }
  }

  const workers = await Promise.allSettled(Array.from({ length: MAX_LANES }, work))
  const rejected = workers.find(({ status }) => status === 'rejected')
  if (rejected) throw (rejected as PromiseRejectedResult).reason
  const wanted = task.wanted.map(({ number }) => number)
  return {
    at: clock.now(),
    end: task.end,
    wanted,
    delivered,
    failure,
    hasMore:
      task.isWholePage || wanted.some(number => !alreadySent.has(number) && !delivered.includes(number)),
    unconfirmed,
  }
}

// Cached reads of one round: each page and each service is read from the store once.

const PAGE = 500

export type Reading = {
  /** Visible events after the number, oldest first. */
  after(number: number): Promise<readonly FeedEvent[]>
  subject(serviceId: string): Promise<Subject>
  /** Whether it belongs to an owner, or pays the owner's wallet; a removed service has no owner. */
  isOf(serviceId: string, owner: string): Promise<boolean>
  /** Adds the service to a registration, which the log does not store. */
  complete(event: FeedEvent): Promise<FeedEvent>
}

export function createReading(
  store: Pick<Store, 'events' | 'find'>,
  visible: { readonly seq: Seq; readonly timelines: Timelines },
): Reading {
  // Fixed for the round: the visible state advances while its runs read.
  const { seq: visibleSeq, timelines } = visible

  const pages = new Map<number, Promise<readonly FeedEvent[]>>()
  const subjects = new Map<
    string,
    Promise<{ readonly subject: Subject; readonly entry: Entry | undefined }>
  >()

  const readPage = async (number: number) => {
    const page = await store.events.after(number, PAGE)
    const hidden = page.findIndex(({ seq }) => seq > visibleSeq)
    return (hidden < 0 ? page : page.slice(0, hidden)).map(event => toFeedEvent(event, timelines))
  }

  const find = async (serviceId: string) => {
    const stored = await store.find(serviceId)
    if (stored) return { subject: toService(stored.entry), entry: stored.entry }
    const [last] = await store.events.of(serviceId, 1)
    return { subject: last?.type === 'removed' ? (last.before as Service | null) : null, entry: undefined }
  }

  const lookUp = (serviceId: string) => subjects.getOrInsertComputed(serviceId, find)

  return {
    after: number => pages.getOrInsertComputed(number, readPage),
    subject: async serviceId => (await lookUp(serviceId)).subject,
    async isOf(serviceId, owner) {
      const { entry } = await lookUp(serviceId)
      return entry !== undefined && (entry.owner === owner || paysTo(entry, owner))
    },
    async complete(event) {
      if (event.type !== 'service.registered' || event.after !== null) return event
      const { subject, entry } = await lookUp(event.serviceId)
      return { ...event, after: entry ? subject : null }
    },
  }
}

// Matches events against the filter of a webhook.

/** A service as it is, or as it was when it was removed; null if it is unknown. */
type Subject = Service | null

type Values = string | readonly string[] | undefined

const toList = (value: Values): readonly string[] | undefined => (typeof value === 'string' ? [value] : value)

/** The part of the filter that needs no service. */
function isOfInterest({ events, filter }: WebhookDraft, { type, serviceId }: FeedEvent): boolean {
  return events.includes(type) && (toList(filter.serviceId)?.includes(serviceId) ?? true)
}

const needsSubject = ({ filter }: WebhookDraft): boolean =>
  filter.category !== undefined || filter.chain !== undefined

/** Matches the service as it is and as it was before the event, so that a follower of a category learns that a service left it. */
export function isWanted(webhook: WebhookDraft, event: FeedEvent, subject: Subject): boolean {
  if (!isOfInterest(webhook, event)) return false
  const stages = [subject, event.before, event.after].filter(
    (stage): stage is Partial<Service> => typeof stage === 'object' && stage !== null,
  )
  const { category, chain } = webhook.filter
  return (
    matches(category, categoryKey, stages, stage => [stage.category]) &&
    matches(chain, chainKey, stages, stage => [...chainsOf(stage), stage.x402Config?.network])
  )
}

const chainsOf = ({ supportedChains }: Partial<Service>): readonly string[] =>
  Array.isArray(supportedChains) ? supportedChains : []

function matches(
  filter: Values,
  toKey: (text: string) => string,
  stages: readonly Partial<Service>[],
  read: (stage: Partial<Service>) => readonly (string | undefined)[],
): boolean {
  const keys = toList(filter)?.map(toKey)
  if (!keys) return true
  return stages.some(stage => read(stage).some(text => text !== undefined && keys.includes(toKey(text))))
}
