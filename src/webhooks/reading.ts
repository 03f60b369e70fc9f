// What the runs of one round read from the store, each page and each service once.

import { paysTo } from '../domain/accounts.ts'
import { type FeedEvent, toFeedEvent } from '../domain/feed.ts'
import type { Entry, Service } from '../domain/service.ts'
import type { Timelines } from '../domain/timelines.ts'
import { toService } from '../domain/views.ts'
import type { Seq, Store } from '../store/store.ts'
import type { Subject } from './interest.ts'
import type { SentenceTurns } from './sentence-turns.ts'

export const PAGE = 500

export type Reading = {
  /** Events after the number, oldest first, as far as they are shown. */
  after(number: number): Promise<readonly FeedEvent[]>
  subject(serviceId: string): Promise<Subject>
  /** Asks whether it belongs to an owner, or is paid at its wallet; nobody owns what was removed. */
  isOf(serviceId: string, owner: string): Promise<boolean>
  /** Asks whether a search for the sentence of the webhook finds it now. @throws NotYet */
  isFound(serviceId: string, sentence: string, webhookId: string): boolean
  /** A registration tells the service itself, which the log does not repeat. */
  tell(event: FeedEvent): Promise<FeedEvent>
}

export function createReading(
  store: Pick<Store, 'events' | 'find'>,
  shown: { readonly seq: Seq; readonly timelines: Timelines },
  sentences: Pick<SentenceTurns, 'find'>,
): Reading {
  // What is shown moves on while the runs of the round read.
  const { seq: shownSeq, timelines } = shown

  const pages = new Map<number, Promise<readonly FeedEvent[]>>()
  const subjects = new Map<
    string,
    Promise<{ readonly subject: Subject; readonly entry: Entry | undefined }>
  >()
  const answers = new Map<string, ReadonlySet<string>>()

  const readPage = async (number: number) => {
    const page = await store.events.after(number, PAGE)
    const hidden = page.findIndex(({ seq }) => seq > shownSeq)
    return (hidden < 0 ? page : page.slice(0, hidden)).map(event => toFeedEvent(event, timelines))
  }

  const find = async (serviceId: string) => {
    const kept = await store.find(serviceId)
    if (kept) return { subject: toService(kept.entry), entry: kept.entry }
    const [last] = await store.events.of(serviceId, 1)
    return { subject: last?.type === 'removed' ? (last.before as Service | null) : null, entry: undefined }
  }

  const known = (serviceId: string) => subjects.getOrInsertComputed(serviceId, find)

  return {
    after: number => pages.getOrInsertComputed(number, readPage),
    subject: async serviceId => (await known(serviceId)).subject,
    async isOf(serviceId, owner) {
      const { entry } = await known(serviceId)
      return entry !== undefined && (entry.owner === owner || paysTo(entry, owner))
    },
    isFound: (serviceId, sentence, webhookId) =>
      answers.getOrInsertComputed(sentence, () => sentences.find(sentence, webhookId)).has(serviceId),
    async tell(event) {
      if (event.type !== 'service.registered' || event.after !== null) return event
      const { subject, entry } = await known(event.serviceId)
      return { ...event, after: entry ? subject : null }
    },
  }
}
