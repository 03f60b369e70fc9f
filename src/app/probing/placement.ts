// Where the rounds of probes run: for few services on the serving thread, for many on a separate thread, which costs memory and loads
// the program once more.
import { createProbeCounts, type ProbeMeter, type ProbeOutcome } from '../../domain/standing/probes.ts'
import type { Clock } from '../../runtime/clock.ts'

/** About one probe every four seconds if all are healthy, which takes a hundredth of a core. */
export const MAX_ON_SERVING_THREAD = 1_000
const CHECK_EVERY_MS = 5_000

type Rounds = AsyncDisposable & ProbeMeter

export function openPlacedRounds({
  size,
  after,
  openHere,
  openThread,
  clock,
}: {
  /** The current number of services. */
  readonly size: () => number
  /** Probing begins when this resolves, so that it does not slow down the start. */
  readonly after: Promise<unknown>
  readonly openHere: () => Rounds
  readonly openThread: () => Rounds
  readonly clock: Clock
}): Rounds {
  const stopping = new AbortController()
  const { signal } = stopping
  const isMany = () => size() > MAX_ON_SERVING_THREAD
  const ended: Rounds[] = []
  let rounds: Rounds | undefined

  async function run(): Promise<void> {
    const stopped = new Promise(resolve => signal.addEventListener('abort', resolve))
    await Promise.race([after, stopped])
    if (!signal.aborted && !isMany()) {
      rounds = openHere()
      while (!signal.aborted && !isMany()) await clock.sleep(CHECK_EVERY_MS, signal)
      // Closed first: one instance probes at a time, and each records the probes that it began.
      await rounds[Symbol.asyncDispose]()
      ended.push(rounds)
    }
    if (!signal.aborted) rounds = openThread()
  }

  const running = run()
  return {
    get outcomes() {
      const all = new Set(rounds ? [...ended, rounds] : ended)
      const sum = createProbeCounts()
      for (const { outcomes } of all)
        for (const [outcome, count] of Object.entries(outcomes) as [ProbeOutcome, number][])
          sum[outcome] += count
      return sum
    },
    state: () =>
      rounds?.state() ?? { by: 'nobody', due: 0, lastHour: createProbeCounts(), lastProbeAt: null },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
      if (rounds && !ended.includes(rounds)) await rounds[Symbol.asyncDispose]()
    },
  }
}
