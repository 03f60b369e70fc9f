// All messages, by their code. The client bundles for-client.ts in place of this file.
import { BASE } from './base.ts'
import { PROBE } from './probe.ts'
import { PURCHASE } from './purchase.ts'
import { REQUEST } from './request.ts'
import { STANDING } from './standing.ts'

export { PARTS } from './kinds.ts'

export const MESSAGES = {
  ...BASE,
  ...STANDING,
  ...PROBE,
  ...REQUEST,
  ...PURCHASE,
} as const
