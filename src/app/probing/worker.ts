// The probing thread: it opens its own store and shares nothing with the serving thread.

import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { createSafeFetch } from '../../probe/requests/safe-fetch.ts'
import { openRounds } from '../../probe/rounds.ts'
import { systemClock } from '../../runtime/clock.ts'
import { openStore } from '../../store/open.ts'
import { loadAssets } from '../config.ts'
import { watchRates } from '../rates.ts'
import { createProbing } from './probing.ts'
import type { FromThread, ProbingSettings, ToThread } from './thread.ts'

declare const self: Worker

const REPORT_EVERY_MS = 250
/** On a single core, requests come first. The rounds still get a tenth of it, because they hold locks that writers wait for. */
const NICENESS = 10
const ended = new AbortController()
const post = (message: FromThread) => self.postMessage(message)
const onTrouble = (message: string, error: unknown) => post({ type: 'trouble', message, error })

async function probe(settings: ProbingSettings): Promise<void> {
  yieldToOtherThreads(NICENESS)
  const problems = loadAssets(settings.assetsFile)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const clock = systemClock
  const { signal } = ended
  const onWaiting = (reason: string) => onTrouble('probing waits for the database', new Error(reason))
  await using store = await openStore(settings.databaseUrl, {
    clock,
    readers: 1,
    mustExist: true,
    onWaiting,
    signal,
  })
  await using rates = await watchRates(settings.rates, {
    request: createSafeFetch({ allowPrivate: true }),
    clock,
    onTrouble,
  })
  const probing = createProbing(settings, store, clock, () => rates.now)
  await using rounds = openRounds({ ...probing, store, clock, onTrouble })
  for (let lastText = ''; !signal.aborted; await clock.sleep(REPORT_EVERY_MS, signal)) {
    const counted = { type: 'counted', outcomes: rounds.outcomes, state: rounds.state() } as const
    const text = JSON.stringify(counted)
    if (text !== lastText) post(counted)
    lastText = text
  }
}

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if (data.type === 'end') ended.abort()
  else
    probe(data.settings)
      .catch(error => {
        if (!ended.signal.aborted) onTrouble('probing ended', error)
      })
      .finally(() => post({ type: 'ended' }))
}

// The share of a core that a thread gets under contention.

/** On Linux every thread has its own priority. Elsewhere nothing is changed. */
function yieldToOtherThreads(niceness: number): void {
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
    if (thread !== undefined) setPriority(Number(thread), niceness)
  } catch {
    // If the system refuses, the priority is unchanged.
  }
}
