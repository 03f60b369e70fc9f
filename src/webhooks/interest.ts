// Matches events against the filter of a webhook.

import { chainKey } from '../domain/chains/chains.ts'
import type { FeedEvent } from '../domain/feed.ts'
import { categoryKey } from '../domain/listing/categories.ts'
import type { Service } from '../domain/listing/service.ts'
import type { WebhookDraft } from '../domain/webhooks.ts'

/** A service as it is, or as it was when it was removed; null if it is unknown. */
export type Subject = Service | null

type Values = string | readonly string[] | undefined

const toList = (value: Values): readonly string[] | undefined => (typeof value === 'string' ? [value] : value)

/** The part of the filter that needs no service. */
export function isOfInterest({ events, filter }: WebhookDraft, { type, serviceId }: FeedEvent): boolean {
  return events.includes(type) && (toList(filter.serviceId)?.includes(serviceId) ?? true)
}

export const needsSubject = ({ filter }: WebhookDraft): boolean =>
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
