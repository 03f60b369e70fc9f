// Where the rounds of probes run: for few services on the serving thread, for many on a separate thread, which costs memory and loads
// the program once more.
import {
  createProbeCounts,
  type ProbeCounts,
  type ProbeOutcome,
  type ProbingState,
} from '../../domain/standing/standing.ts'
import { codeFile } from '../../package/files.ts'
import type { Rounds } from '../../probe/rounds.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Config } from '../config.ts'

const notBegun = (): ProbingState => ({
  by: 'nobody',
  due: 0,
  lastHour: createProbeCounts(),
  lastProbeAt: null,
})

/** About one probe every four seconds if all are healthy, which takes a hundredth of a core. */
export const MAX_ON_SERVING_THREAD = 1_000
const CHECK_EVERY_MS = 5_000

export function openRoundsBySize({
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
    state: () => rounds?.state() ?? notBegun(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
      if (rounds && !ended.includes(rounds)) await rounds[Symbol.asyncDispose]()
    },
  }
}

// Runs the rounds of probes on a separate thread, so that they take no time from requests.

/** A thread that ended by an error is restarted after this time. */
const RESTART_MS = 5_000

export function openProbingThread({
  settings,
  clock,
  onTrouble,
}: {
  readonly settings: ProbingSettings
  readonly clock: Clock
  readonly onTrouble: (message: string, error: unknown) => void
}): Rounds {
  const stopping = new AbortController()
  const { signal } = stopping
  const outcomes = createProbeCounts()
  let state = notBegun()

  async function runOne(): Promise<void> {
    const before = { ...outcomes }
    const worker = new Worker(codeFile('app/probing/worker.ts'))
    const post = (message: ToThread) => worker.postMessage(message)
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    worker.onmessage = ({ data }: MessageEvent<FromThread>) => {
      if (data.type === 'ended') end()
      else if (data.type === 'trouble') onTrouble(data.message, data.error)
      else {
        state = data.state
        for (const [outcome, count] of Object.entries(data.outcomes) as [keyof typeof outcomes, number][])
          outcomes[outcome] = before[outcome] + count
      }
    }
    worker.onerror = ({ message }) => {
      onTrouble('probing ended', new Error(message))
      end()
    }
    const stop = () => post({ type: 'end' })
    signal.addEventListener('abort', stop)
    post({ type: 'begin', settings })
    await ended
    signal.removeEventListener('abort', stop)
    worker.terminate()
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await runOne()
      await clock.sleep(RESTART_MS, signal)
    }
  }

  const running = run()
  return {
    outcomes,
    state: () => state,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}

// Messages between the probing thread and the serving thread.

export type ProbingSettings = Pick<
  Config,
  'databaseUrl' | 'allowPrivateEndpoints' | 'publicUrl' | 'assetsFile' | 'rates'
>

export const toProbingSettings = ({
  databaseUrl,
  allowPrivateEndpoints,
  publicUrl,
  assetsFile,
  rates,
}: Config): ProbingSettings => ({
  databaseUrl,
  allowPrivateEndpoints,
  publicUrl,
  assetsFile,
  rates,
})

export type ToThread =
  | { readonly type: 'begin'; readonly settings: ProbingSettings }
  | { readonly type: 'end' }

export type FromThread =
  | { readonly type: 'counted'; readonly outcomes: ProbeCounts; readonly state: ProbingState }
  | { readonly type: 'trouble'; readonly message: string; readonly error: unknown }
  | { readonly type: 'ended' }
