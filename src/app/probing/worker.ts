// The thread that probes: it opens the store for itself and shares nothing with the one that serves.

import { openRounds } from '../../probe/rounds.ts'
import { createSafeFetch } from '../../probe/safe-fetch.ts'
import { systemClock } from '../../runtime/clock.ts'
import { yieldToOtherThreads } from '../../runtime/thread-priority.ts'
import { openStore } from '../../store/open.ts'
import { loadAssets } from '../assets.ts'
import { holdRates } from '../rates.ts'
import type { FromThread, ProbingSettings, ToThread } from './messages.ts'
import { openProbing } from './probing.ts'

declare const self: Worker

const COUNT_EVERY_MS = 250
/** Where there is one core for all, requests come first. A tenth of it is left to the rounds even then: they hold locks that writers wait for. */
const NICENESS = 10
const ended = new AbortController()
const tell = (message: FromThread) => self.postMessage(message)
const onTrouble = (message: string, error: unknown) => tell({ type: 'trouble', message, error })

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
  await using rates = await holdRates(settings.rates, {
    request: createSafeFetch({ allowPrivate: true }),
    clock,
    onTrouble,
  })
  await using probing = openProbing(settings, store, clock, () => rates.now)
  await using rounds = openRounds({ ...probing, store, clock, onTrouble })
  for (let told = ''; !signal.aborted; await clock.sleep(COUNT_EVERY_MS, signal)) {
    const counted = { type: 'counted', outcomes: rounds.outcomes, state: rounds.state() } as const
    const text = JSON.stringify(counted)
    if (text !== told) tell(counted)
    told = text
  }
}

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if (data.type === 'end') ended.abort()
  else
    probe(data.settings)
      .catch(error => {
        if (!ended.signal.aborted) onTrouble('probing ended', error)
      })
      .finally(() => tell({ type: 'ended' }))
}
