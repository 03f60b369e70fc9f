// Webhooks, the delivery progress of each, and their leases.
import type { WebhookCounts, WebhookPool, WebhookProgress, WebhookRecord } from '../domain/webhooks.ts'

export type NewWebhook = Omit<WebhookRecord, 'progress'>

/** A webhook that the caller holds exclusively until the lease ends. */
export type ClaimedWebhook = WebhookRecord & { readonly lease: string }

export type ClaimTerms = {
  readonly pool: WebhookPool
  readonly limit: number
  /** Maximum claimed of one owner at a time. */
  readonly perOwner: number
  readonly leaseMs: number
}

export type WebhookBounds = { readonly most: number; readonly mostUnconfirmed: number }

export interface WebhookTable {
  /** Delivers from the next event on. Resolves to the name of the bound if the owner has reached one. */
  insert(webhook: NewWebhook, bounds: WebhookBounds): Promise<WebhookRecord | keyof WebhookBounds>
  /** Oldest first. */
  list(owner: string): Promise<WebhookRecord[]>
  find(id: string): Promise<WebhookRecord | undefined>
  /** Resolves to false if there is none. */
  remove(id: string): Promise<boolean>
  /**
   * Claims due webhooks of a pool that have a challenge or events to send, and hides them from other processes until the lease
   * ends. One of each owner comes before a second of any; then the longest overdue first.
   * Dates and leases further ahead than they can be (`MAX_AHEAD_MS`) count as passed.
   */
  claim(now: Date, terms: ClaimTerms): Promise<ClaimedWebhook[]>
  /** Stores the progress and ends the lease; resolves to false and writes nothing if the lease is lost. */
  record(webhook: Pick<ClaimedWebhook, 'id' | 'lease'>, progress: WebhookProgress): Promise<boolean>
  /** Counts over all owners, for monitoring. */
  count(): Promise<WebhookCounts>
  /** Makes it due at once without failures, even if it was disabled; does nothing during a delivery. */
  revive(id: string, now: Date): Promise<void>
  /** Records the receiver's consent for the network, and makes it due at once without failures. A delivery in progress loses its lease. */
  confirm(id: string, network: string, now: Date): Promise<void>
}

/** @param row the counts in the order of the destructuring */
export function toWebhookCounts(row: readonly unknown[]): WebhookCounts {
  const [unconfirmed, active, failing, disabled, pending, behind] = row as [
    ...[number, number, number, number, number, number],
  ]
  return { unconfirmed, active, failing, disabled, pending, behind }
}
