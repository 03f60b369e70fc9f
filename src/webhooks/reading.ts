// Cached reads of one round: each page and each service is read from the store once.

import { paysTo } from '../domain/chains/accounts.ts'
import { type FeedEvent, type Timelines, toFeedEvent } from '../domain/feed.ts'
import { type Entry, type Service, toService } from '../domain/listing/service.ts'
import type { Seq, Store } from '../store/store.ts'
import type { Subject } from './interest.ts'

export const PAGE = 500

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
