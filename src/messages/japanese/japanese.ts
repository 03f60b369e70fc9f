// Everything the directory says, in Japanese.
import { PROBE } from './probe.ts'
import { PURCHASE } from './purchase.ts'
import { REQUEST } from './request.ts'
import { RESOLVE } from './resolve.ts'
import { STANDING } from './standing.ts'
import { STORE } from './store.ts'

export const JAPANESE = { ...STANDING, ...PROBE, ...REQUEST, ...RESOLVE, ...PURCHASE, ...STORE }
