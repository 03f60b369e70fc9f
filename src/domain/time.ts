// Times: how long, which day, and the later of two.

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The day (UTC) of an ISO 8601 time. */
export const dayOf = (at: string): string => at.slice(0, 10)
