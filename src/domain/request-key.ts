import { say } from '../messages/message.ts'
import { invalid, toProblem } from './errors.ts'

/** What may stand in a header: visible characters of Latin-1. */
const REQUEST_KEY = /^[\x21-\x7e\xa1-\xff]{1,255}$/

/** Judges the key that makes a retry safe. @throws DirectoryError `invalid_request` */
export function checkRequestKey(key: string): void {
  if (!REQUEST_KEY.test(key)) throw invalid([toProblem('Idempotency-Key', say('request_key_malformed'))])
}

/** So long the answer to a key is kept. */
export const REQUEST_KEY_KEPT_MS = 24 * 60 * 60_000
