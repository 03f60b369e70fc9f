// Limits requests per caller, counted per process in fixed windows of one minute.

const WINDOW_MS = 60_000
/** Bounds the memory; above it the first caller of the window is dropped. */
const MAX_CALLERS = 50_000

export type Allowance = {
  readonly isExceeded: boolean
  readonly remaining: number
  readonly resetSeconds: number
}

export type RateLimiter = {
  readonly policy: string
  take(caller: string, now: Date): Allowance
}

export function createRateLimiter(limit: number, maxCallers = MAX_CALLERS): RateLimiter {
  const counts = new Map<string, number>()
  let window = -1
  return {
    policy: `"default";q=${limit};w=${WINDOW_MS / 1000}`,
    take(caller, now) {
      const ms = now.getTime()
      const current = Math.floor(ms / WINDOW_MS)
      if (current !== window) {
        window = current
        counts.clear()
      }
      const count = (counts.get(caller) ?? 0) + 1
      if (count === 1 && counts.size >= maxCallers) counts.delete(counts.keys().next().value!)
      counts.set(caller, count)
      return {
        isExceeded: count > limit,
        remaining: Math.max(0, limit - count),
        resetSeconds: Math.ceil(((current + 1) * WINDOW_MS - ms) / 1000),
      }
    },
  }
}

export const toRateLimitHeader = ({ remaining, resetSeconds }: Allowance): string =>
  `"default";r=${remaining};t=${resetSeconds}`
