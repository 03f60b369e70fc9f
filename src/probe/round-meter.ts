// Statistics of the rounds of probes. The probing process stores them as a note for the others, and the next one continues from it.
import {
  createProbeCounts,
  PROBE_OUTCOMES,
  type ProbeCounts,
  type ProbeOutcome,
  type ProbingState,
} from '../domain/standing/standing.ts'
import { MINUTE_MS } from '../domain/time.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ProcessLease } from '../runtime/lease.ts'

type Note = {
  readonly minutes: readonly Minute[]
  readonly lastProbeAt: string | null
  readonly due: number
}

const EMPTY: Note = { minutes: [], lastProbeAt: null, due: 0 }

export class RoundMeter {
  readonly outcomes = createProbeCounts()
  readonly #clock: Clock
  #hour = new HourMeter()
  #lastProbeAt: string | null = null
  /** As last counted. */
  due = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(outcome: ProbeOutcome): void {
    const now = this.#clock.now()
    this.outcomes[outcome]++
    this.#hour.add(outcome, now)
    this.#lastProbeAt = now.toISOString()
  }

  restore(note: string | undefined): void {
    const { minutes, lastProbeAt } = readNote(note)
    this.#hour = new HourMeter(minutes)
    this.#lastProbeAt = lastProbeAt
  }

  toNote(due: number): string {
    this.due = due
    const note: Note = { minutes: this.#hour.toJSON(), lastProbeAt: this.#lastProbeAt, due }
    return JSON.stringify(note)
  }

  state({ by, note }: ReturnType<ProcessLease['lastHolder']>): ProbingState {
    const now = this.#clock.now()
    if (by === 'this')
      return { by, due: this.due, lastHour: this.#hour.counts(now), lastProbeAt: this.#lastProbeAt }
    const { minutes, lastProbeAt, due } = readNote(note)
    return { by, due, lastHour: new HourMeter(minutes).counts(now), lastProbeAt }
  }
}

const readNote = (note: string | undefined): Note => (note ? (JSON.parse(note) as Note) : EMPTY)

// Counts probes by outcome over the last hour, by minute, in a form that the next process can continue.

const MINUTES = 60

/** Minutes since the epoch, and a count per outcome. */
type Minute = [minute: number, ...counts: number[]]

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
