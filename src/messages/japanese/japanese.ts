// All messages in Japanese.
import { BASE } from './base.ts'
import { OUTCOME_WORDS } from './outcome.ts'
import { PROBE } from './probe.ts'
import { PURCHASE } from './purchase.ts'
import { REQUEST } from './request.ts'
import { RESOLVE } from './resolve.ts'
import { STANDING } from './standing.ts'
import { STORE } from './store.ts'
import { WEBHOOK } from './webhook.ts'

export const JAPANESE = {
  ...BASE,
  ...STANDING,
  ...PROBE,
  ...REQUEST,
  ...RESOLVE,
  ...PURCHASE,
  ...OUTCOME_WORDS,
  ...STORE,
  ...WEBHOOK,
}
