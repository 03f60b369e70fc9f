// Webhooks, how far each has come, and who is at it.
import type { WebhookCounts, WebhookProgress, WebhookRecord } from '../domain/webhooks.ts'

export type NewWebhook = Omit<WebhookRecord, 'progress'>

/** A webhook that is ours alone until the lease ends. */
export type ClaimedWebhook = WebhookRecord & { readonly lease: string }

export interface WebhookTable {
  /** Begins after the last event there is. Resolves to undefined where the owner has so many already. */
  insert(webhook: NewWebhook, most: number): Promise<WebhookRecord | undefined>
  /** By age. */
  list(owner: string): Promise<WebhookRecord[]>
  find(id: string): Promise<WebhookRecord | undefined>
  /** Resolves to false where there is none. */
  remove(id: string): Promise<boolean>
  /**
   * Takes webhooks that are due and have events before them, the longest due first, and hides them from other processes
   * until the lease ends.
   */
  claim(now: Date, limit: number, leaseMs: number): Promise<ClaimedWebhook[]>
  /** Writes how far it has come and ends the lease; resolves to false, and writes nothing, where the lease is lost. */
  settle(webhook: Pick<ClaimedWebhook, 'id' | 'lease'>, progress: WebhookProgress): Promise<boolean>
  /** Over those of all owners, for whoever watches the process. */
  count(): Promise<WebhookCounts>
  /** Due at once with a clean record, also where it was disabled; one that is under way is left alone. */
  revive(id: string, now: Date): Promise<void>
}

/** Of a row with the counts in their order. */
export function toWebhookCounts(row: readonly unknown[]): WebhookCounts {
  const [active, failing, disabled, pending, behind] = row as [number, number, number, number, number]
  return { active, failing, disabled, pending, behind }
}
