// The only place that reads the time of the machine or sets a timer, so that a test can control both.

export interface Clock {
  now(): Date
  /** Resolves early, without an error, when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    new Promise(resolve => {
      if (signal?.aborted) return resolve()
      const wake = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal?.addEventListener('abort', wake)
    }),
}
