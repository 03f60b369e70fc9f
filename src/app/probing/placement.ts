// Where the rounds of probes run: a few services are probed beside the requests, many on a thread of their own, which takes memory
// and loads the program once more.
import { createProbeCounts, type ProbeMeter, type ProbeOutcome } from '../../domain/probes.ts'
import type { Clock } from '../../runtime/clock.ts'

/** About one probe in four seconds where all are healthy: it takes a hundredth of a core. */
export const MAX_BESIDE_REQUESTS = 1_000
const LOOK_EVERY_MS = 5_000

type Rounds = AsyncDisposable & ProbeMeter

export function openPlacedRounds({
  size,
  after,
  openHere,
  openThread,
  clock,
}: {
  /** How many services there are now. */
  readonly size: () => number
  /** It begins then: a start has better things to do. */
  readonly after: Promise<unknown>
  readonly openHere: () => Rounds
  readonly openThread: () => Rounds
  readonly clock: Clock
}): Rounds {
  const stopping = new AbortController()
  const { signal } = stopping
  const isMany = () => size() > MAX_BESIDE_REQUESTS
  const done: Rounds[] = []
  let rounds: Rounds | undefined

  async function run(): Promise<void> {
    const stopped = new Promise(resolve => signal.addEventListener('abort', resolve))
    await Promise.race([after, stopped])
    if (!signal.aborted && !isMany()) {
      rounds = openHere()
      while (!signal.aborted && !isMany()) await clock.sleep(LOOK_EVERY_MS, signal)
      // Ended first: one at a time probes, and what is under way is settled by who has begun it.
      await rounds[Symbol.asyncDispose]()
      done.push(rounds)
    }
    if (!signal.aborted) rounds = openThread()
  }

  const running = run()
  return {
    get outcomes() {
      const all = new Set(rounds ? [...done, rounds] : done)
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
      if (rounds && !done.includes(rounds)) await rounds[Symbol.asyncDispose]()
    },
  }
}
