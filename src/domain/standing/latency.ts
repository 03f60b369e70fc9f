// Response times of a service as percentiles of its newest responses: a mean would be dominated by its single worst.

/** Number of newest responses that count: about two days of probes. */
export const LATENCY_ANSWERS = 50

export type Latency = {
  /** Milliseconds within which half of the responses arrived. */
  readonly p50: number
  /** Milliseconds within which nineteen of twenty responses arrived. */
  readonly p95: number
  readonly answers: number
}

/** Above every timeout of a probe. */
export const MAX_LATENCY_MS = 60_000

/** Rounded to two digits, so that entries do not change their order with every probe. */
export const toOrderedLatency = ({ p50 }: Latency): number =>
  Math.min(Math.max(1, Number(p50.toPrecision(2))), MAX_LATENCY_MS)

/** Returns undefined if there was no response. @param latencies newest first; null if there was no response */
export function latencyOf(latencies: readonly (number | null)[]): Latency | undefined {
  const answered = latencies.filter(each => each !== null).slice(0, LATENCY_ANSWERS)
  const sorted = answered.sort((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const within = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1]!)
  return { p50: within(0.5), p95: within(0.95), answers: sorted.length }
}
