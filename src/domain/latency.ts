// How fast a service answers, by percentiles of its newest answers: a mean would tell of its one worst answer.

/** So many of the newest answers are looked at: about two days of probes. */
export const LATENCY_ANSWERS = 50

export type Latency = {
  /** Milliseconds within which half of the answers came. */
  readonly p50: number
  /** Milliseconds within which nineteen of twenty came. */
  readonly p95: number
  readonly answers: number
}

/** No answer is waited for as long. */
export const MAX_LATENCY_MS = 60_000

/** To two digits: what entries are ordered by should not move with every probe. */
export const toOrderedLatency = ({ p50 }: Latency): number =>
  Math.min(Math.max(1, Number(p50.toPrecision(2))), MAX_LATENCY_MS)

/** Returns undefined where there was no answer. @param latencies newest first; null where nothing answered */
export function latencyOf(latencies: readonly (number | null)[]): Latency | undefined {
  const answered = latencies.filter(each => each !== null).slice(0, LATENCY_ANSWERS)
  const sorted = answered.sort((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const within = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1]!)
  return { p50: within(0.5), p95: within(0.95), answers: sorted.length }
}
