// Everything the directory says, in English.
import { PROBE } from './probe.ts'
import { REQUEST } from './request.ts'
import { RESOLVE } from './resolve.ts'
import { STANDING } from './standing.ts'

export const ENGLISH = { ...STANDING, ...PROBE, ...REQUEST, ...RESOLVE }
