// Webhooks, how far each has come, and who is at it.
import type { WebhookCounts, WebhookPool, WebhookProgress, WebhookRecord } from '../domain/webhooks.ts'

export type NewWebhook = Omit<WebhookRecord, 'progress'>

/** A webhook that is ours alone until the lease ends. */
export type ClaimedWebhook = WebhookRecord & { readonly lease: string }

export type ClaimTerms = {
  readonly pool: WebhookPool
  readonly limit: number
  /** The most of one owner that are claimed at a time. */
  readonly perOwner: number
  readonly leaseMs: number
}

export type WebhookBounds = { readonly most: number; readonly mostUnconfirmed: number }

export interface WebhookTable {
  /** Begins after the last event there is. Resolves to the bound that the owner has reached where there is one. */
  insert(webhook: NewWebhook, bounds: WebhookBounds): Promise<WebhookRecord | keyof WebhookBounds>
  /** By age. */
  list(owner: string): Promise<WebhookRecord[]>
  find(id: string): Promise<WebhookRecord | undefined>
  /** Resolves to false where there is none. */
  remove(id: string): Promise<boolean>
  /**
   * Takes webhooks of a pool that are due and have something before them, a challenge or events, and hides them from other
   * processes until the lease ends. One of each owner comes before a second of any, then the longest due come first.
   * Dates and leases that lie further ahead than they can (`MAX_AHEAD_MS`) are over.
   */
  claim(now: Date, terms: ClaimTerms): Promise<ClaimedWebhook[]>
  /** Writes how far it has come and ends the lease; resolves to false, and writes nothing, where the lease is lost. */
  record(webhook: Pick<ClaimedWebhook, 'id' | 'lease'>, progress: WebhookProgress): Promise<boolean>
  /** Over those of all owners, for whoever watches the process. */
  count(): Promise<WebhookCounts>
  /** Due at once with a clean record, also where it was disabled; one that is under way is left alone. */
  revive(id: string, now: Date): Promise<void>
  /** Its receiver has agreed, at the network: due at once with a clean record. What is under way loses its lease. */
  confirm(id: string, network: string, now: Date): Promise<void>
}

/** Of a row with the counts in their order. */
export function toWebhookCounts(row: readonly unknown[]): WebhookCounts {
  const [unconfirmed, active, failing, disabled, pending, behind] = row as [
    ...[number, number, number, number, number, number],
  ]
  return { unconfirmed, active, failing, disabled, pending, behind }
}
