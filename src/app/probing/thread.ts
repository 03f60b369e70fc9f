// Runs the rounds of probes on a separate thread, so that they take no time from requests.

import { createProbeCounts, type ProbeMeter } from '../../domain/standing/probes.ts'
import { codeFile } from '../../package/files.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FromThread, ProbingSettings, ToThread } from './messages.ts'

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
}): AsyncDisposable & ProbeMeter {
  const stopping = new AbortController()
  const { signal } = stopping
  const outcomes = createProbeCounts()
  let state: ReturnType<ProbeMeter['state']> = {
    by: 'nobody',
    due: 0,
    lastHour: createProbeCounts(),
    lastProbeAt: null,
  }

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
