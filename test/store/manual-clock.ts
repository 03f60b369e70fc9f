import type { Clock } from '../../src/runtime/clock.ts'

/** Stands still until the test moves it. */
export class ManualClock implements Clock {
  #nowMs: number
  #sleepers: { readonly untilMs: number; readonly wake: () => void }[] = []

  constructor(start = '2026-11-01T12:00:00.000Z') {
    this.#nowMs = Date.parse(start)
  }

  now(): Date {
    return new Date(this.#nowMs)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise(resolve => {
      this.#sleepers.push({ untilMs: this.#nowMs + ms, wake: resolve })
      signal?.addEventListener('abort', () => resolve())
    })
  }

  advance(ms: number): void {
    this.#nowMs += ms
    const due = this.#sleepers.filter(({ untilMs }) => untilMs <= this.#nowMs)
    this.#sleepers = this.#sleepers.filter(sleeper => !due.includes(sleeper))
    for (const { wake } of due) wake()
  }
}
