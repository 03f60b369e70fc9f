// A logarithmic scale for latencies, from a step below the fastest to a step above the slowest.
import type { View } from '../view.ts'

export type Scale = {
  /** Milliseconds, from the lowest line to the highest. */
  readonly ticks: readonly number[]
  /** Pixels from the top. */
  readonly toY: (ms: number) => number
}

/** 1, 3, 10, 30 …: about the same distance on a logarithmic scale. */
const STEPS = Array.from({ length: 13 }, (_, i) => (i % 2 === 0 ? 1 : 3) * 10 ** Math.floor(i / 2))
/** With fewer steps a few milliseconds would look like a large difference. */
const MIN_STEPS = 2
/** With more of them only powers of ten are labelled. */
const MAX_TICKS = 5

export function toScale(values: readonly number[], height: number): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const first = Math.max(
    0,
    STEPS.findLastIndex(step => step <= low),
  )
  const above = STEPS.findIndex(step => step >= high)
  const last = Math.max(above < 0 ? STEPS.length - 1 : above, first + MIN_STEPS)
  const steps = STEPS.slice(first, last + 1)
  const ticks = steps.length > MAX_TICKS ? steps.filter(step => Number.isInteger(Math.log10(step))) : steps
  const [bottom, top] = [Math.log(steps[0]!), Math.log(steps.at(-1)!)]
  // Half a line of text at both ends, so that the outermost labels are not clipped.
  const margin = 8
  const toY = (ms: number) => {
    const share = (Math.log(Math.max(ms, steps[0]!)) - bottom) / (top - bottom)
    return Math.round(10 * (height - margin - Math.min(share, 1) * (height - 2 * margin))) / 10
  }
  return { ticks, toY }
}

/** To two digits, like the latency that lists show and sort by; in seconds from one second on. */
export function toLatencyText(
  { words: { proof }, number }: Pick<View, 'words' | 'number'>,
  ms: number,
): string {
  const rounded = Math.round(Number(ms.toPrecision(2)))
  return rounded < 1_000 ? proof.ms(number(rounded)) : proof.seconds(number(rounded / 1_000))
}
