import type { Part } from '../messages/kinds.ts'
import { say } from '../messages/message.ts'
import { DirectoryError } from './errors.ts'

const MINUTE_MS = 60_000

/** Limits how often each caller does something per minute; counted per process. @throws DirectoryError `rate_limited` */
export function createAllowance(
  perMinute: number,
  what: Part<'allowance'>,
): (caller: string, now: Date) => void {
  const counts = new Map<string, number>()
  let window = -1
  return (caller, now) => {
    const current = Math.floor(now.getTime() / MINUTE_MS)
    if (current !== window) counts.clear()
    window = current
    const count = (counts.get(caller) ?? 0) + 1
    counts.set(caller, count)
    if (count > perMinute)
      throw new DirectoryError('rate_limited', say('allowance_spent', { what, perMinute }))
  }
}
