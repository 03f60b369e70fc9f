// How far ahead a time can lie that something waits for. What lies further ahead was set by a clock that has been put back
// since: nobody waits for it.

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** With room for the clocks of several machines, which differ. */
export const MAX_AHEAD_MS = {
  /** The longest pause between two probes is 79 hours. */
  probe: 4 * DAY_MS,
  /** Of 5 minutes. */
  probeLease: 10 * MINUTE_MS,
  /** A receiver can ask for a day. */
  webhook: 2 * DAY_MS,
  /** Of a minute. */
  webhookLease: 5 * MINUTE_MS,
  /** To be signed within 5 minutes. */
  challenge: 10 * MINUTE_MS,
  /** What has happened already. */
  past: 10 * MINUTE_MS,
} as const

/** @param mostMs how far ahead it can have been set */
export const isAhead = (atMs: number, nowMs: number, mostMs: number): boolean =>
  atMs > nowMs && atMs <= nowMs + mostMs

/**
 * The latest time that something can lie ahead, in milliseconds.
 * @param now as whoever asks had it
 * @param clock asked once more: who stood still since then must not take what others hold for too far ahead
 */
export const furthest = (now: Date, clock: { now(): Date }, mostMs: number): number =>
  Math.max(now.getTime(), clock.now().getTime()) + mostMs

/** Of a lease that is renewed before it ends. With 0 ms it is let go, and nobody else's is taken. */
export const furthestEnd = (now: Date, clock: { now(): Date }, leaseMs: number): number =>
  leaseMs > 0 ? furthest(now, clock, 2 * leaseMs) : Number.MAX_SAFE_INTEGER
