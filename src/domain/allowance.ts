import { DirectoryError } from './errors.ts'

const MINUTE_MS = 60_000

/** Lets each caller do something so often a minute; counted per process. @throws DirectoryError `rate_limited` */
export function createAllowance(perMinute: number, what: string): (caller: string, now: Date) => void {
  const counts = new Map<string, number>()
  let window = -1
  return (caller, now) => {
    const current = Math.floor(now.getTime() / MINUTE_MS)
    if (current !== window) counts.clear()
    window = current
    const count = (counts.get(caller) ?? 0) + 1
    counts.set(caller, count)
    if (count > perMinute)
      throw new DirectoryError(
        'rate_limited',
        `You may ${what} ${perMinute} times a minute, with all your keys together; try again in a minute.`,
      )
  }
}
