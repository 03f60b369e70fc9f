// All messages, by their code. The client bundles for-client.ts in place of this file.
//
// Which file a message belongs to:
// - probe.ts: what a probe or a check found at an endpoint, a URL or a connection;
// - standing.ts: what happened to an entry, where its trust comes from, and why it ranks where it does;
// - purchase.ts: whether to pay, why a payment or a report of one was refused, and how a purchase ended;
// - request.ts: why this directory refuses a request, a field of it, or a write; and webhook deliveries;
// - base.ts: messages around others, and those that the client creates.
// A form on a page that should say it more simply than the API does has its own wording by code: `register.plain` in
// `web/languages/*/words.ts`.
import { BASE } from './base.ts'
import { PROBE } from './probe.ts'
import { PURCHASE } from './purchase.ts'
import { REQUEST } from './request.ts'
import { STANDING } from './standing.ts'

export { WORD_LISTS } from './kinds.ts'

export const MESSAGES = {
  ...BASE,
  ...STANDING,
  ...PROBE,
  ...REQUEST,
  ...PURCHASE,
} as const
