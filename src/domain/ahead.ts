// How far in the future a stored time may lie. A time further ahead was written by a clock that has been set back since, and is
// ignored.

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Each bound leaves room for the clocks of several machines, which differ. */
export const MAX_AHEAD_MS = {
  /** The longest interval between two probes is 79 hours. */
  probe: 4 * DAY_MS,
  /** The lease lasts 5 minutes. */
  probeLease: 10 * MINUTE_MS,
  /** A receiver can request a pause of a day. */
  webhook: 2 * DAY_MS,
  /** The lease lasts a minute. */
  webhookLease: 5 * MINUTE_MS,
  /** It must be signed within 5 minutes. */
  challenge: 10 * MINUTE_MS,
  /** It lasts 12 hours. */
  session: DAY_MS,
  /** A time in the past, like that of the last probe. */
  past: 10 * MINUTE_MS,
} as const

/** @param maxAheadMs how far ahead it can have been set */
export const isAhead = (atMs: number, nowMs: number, maxAheadMs: number): boolean =>
  atMs > nowMs && atMs <= nowMs + maxAheadMs

/**
 * The latest plausible time, in milliseconds since 1970.
 * @param now the time that the caller read
 * @param clock read again: a process that was suspended since `now` must not take the leases of others for too far ahead
 */
export const latestPlausibleMs = (now: Date, clock: { now(): Date }, maxAheadMs: number): number =>
  Math.max(now.getTime(), clock.now().getTime()) + maxAheadMs

/** The latest plausible end of a lease that is renewed before it ends. With 0 ms a lease is released, and none is taken over. */
export const latestPlausibleEndMs = (now: Date, clock: { now(): Date }, leaseMs: number): number =>
  leaseMs > 0 ? latestPlausibleMs(now, clock, 2 * leaseMs) : Number.MAX_SAFE_INTEGER
