import { say } from '../messages/message.ts'
import { invalid, toProblem } from './errors.ts'

/** Characters allowed in a header: the visible ones of Latin-1. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e\xa1-\xff]{1,255}$/

/** Validates the key that makes a retry safe. @throws DirectoryError `invalid_request` */
export function checkIdempotencyKey(key: string): void {
  if (!IDEMPOTENCY_KEY.test(key)) throw invalid([toProblem('Idempotency-Key', say('request_key_malformed'))])
}

/** How long the response to a key is stored. */
export const IDEMPOTENCY_KEY_RETENTION_MS = 24 * 60 * 60_000
