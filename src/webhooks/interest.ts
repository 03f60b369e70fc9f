// Which events a webhook wants.
import { categoryKey } from '../domain/categories.ts'
import { chainKey } from '../domain/chains.ts'
import type { FeedEvent } from '../domain/feed.ts'
import type { Service } from '../domain/service.ts'
import type { WebhookDraft } from '../domain/webhooks.ts'

/** A service as it is, or as it was when it was removed; null where nothing is known of it any more. */
export type Subject = Service | null

type Values = string | readonly string[] | undefined

const toList = (value: Values): readonly string[] | undefined => (typeof value === 'string' ? [value] : value)

/** What can be told without the service itself. */
export function isOfInterest({ events, filter }: WebhookDraft, { type, serviceId }: FeedEvent): boolean {
  return events.includes(type) && (toList(filter.serviceId)?.includes(serviceId) ?? true)
}

export const asksForSubject = ({ filter }: WebhookDraft): boolean =>
  filter.category !== undefined || filter.chain !== undefined

/** By what the service is and by what it was before the event: who follows a category learns that one has left it. */
export function isWanted(webhook: WebhookDraft, event: FeedEvent, subject: Subject): boolean {
  if (!isOfInterest(webhook, event)) return false
  const stages = [subject, event.before, event.after].filter(
    (stage): stage is Partial<Service> => typeof stage === 'object' && stage !== null,
  )
  const { category, chain } = webhook.filter
  return (
    meets(category, categoryKey, stages, stage => [stage.category]) &&
    meets(chain, chainKey, stages, stage => [...chainsOf(stage), stage.x402Config?.network])
  )
}

const chainsOf = ({ supportedChains }: Partial<Service>): readonly string[] =>
  Array.isArray(supportedChains) ? supportedChains : []

function meets(
  asked: Values,
  keyOf: (text: string) => string,
  stages: readonly Partial<Service>[],
  read: (stage: Partial<Service>) => readonly (string | undefined)[],
): boolean {
  const keys = toList(asked)?.map(keyOf)
  if (!keys) return true
  return stages.some(stage => read(stage).some(text => text !== undefined && keys.includes(keyOf(text))))
}
