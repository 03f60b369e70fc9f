// Counts probes by outcome over the last hour, by minute, in a form that the next process can continue.
import {
  createProbeCounts,
  PROBE_OUTCOMES,
  type ProbeCounts,
  type ProbeOutcome,
} from '../../domain/standing/probes.ts'

const MINUTE_MS = 60_000
const MINUTES = 60

/** Minutes since the epoch, and a count per outcome. */
export type Minute = [minute: number, ...counts: number[]]

export class HourMeter {
  #minutes: Minute[]

  constructor(minutes: readonly Minute[] = []) {
    this.#minutes = minutes.map(minute => [...minute])
  }

  add(outcome: ProbeOutcome, at: Date): void {
    const minute = Math.floor(at.getTime() / MINUTE_MS)
    let last = this.#minutes.at(-1)
    if (last?.[0] !== minute) {
      last = [minute, ...PROBE_OUTCOMES.map(() => 0)]
      this.#minutes = [...this.#within(at), last]
    }
    last[1 + PROBE_OUTCOMES.indexOf(outcome)]!++
  }

  counts(now: Date): ProbeCounts {
    const counts = createProbeCounts()
    for (const [, ...each] of this.#within(now))
      for (const [index, outcome] of PROBE_OUTCOMES.entries()) counts[outcome] += each[index] ?? 0
    return counts
  }

  toJSON(): readonly Minute[] {
    return this.#minutes
  }

  #within(now: Date): Minute[] {
    const first = Math.floor(now.getTime() / MINUTE_MS) - MINUTES
    return this.#minutes.filter(([minute]) => minute > first)
  }
}
