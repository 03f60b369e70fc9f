// Statistics of the rounds. The probing process stores them as a note for the others, and the next one continues from it.

import { createProbeCounts, type ProbeOutcome, type ProbingState } from '../../domain/standing/probes.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ProcessLease } from '../../runtime/lease.ts'
import { HourMeter, type Minute } from './hour-meter.ts'

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
