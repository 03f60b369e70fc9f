import { expect, test } from 'bun:test'
import { appendFileSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { SqliteWatch } from '../../../src/store/sqlite/watch.ts'
import { temporaryPath } from '../temporary-path.ts'

const IDLE_MS = 1_000

/** Short sleeps are over at once; long ones end when they are aborted. */
function createClock() {
  const slept: number[] = []
  return {
    slept,
    now: () => new Date(),
    sleep(ms: number, signal?: AbortSignal): Promise<void> {
      slept.push(ms)
      if (ms < IDLE_MS) return setImmediate()
      return new Promise(resolve => signal?.addEventListener('abort', () => resolve()))
    },
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await Bun.sleep(1)
}

function open(log: string | undefined) {
  const clock = createClock()
  let seq = 1
  let heard = 0
  const watch = new SqliteWatch({ clock, lastSeq: async () => seq, onRound: () => {}, log })
  watch.watch(() => heard++)
  return { clock, watch, commit: () => seq++, heard: () => heard }
}

test('polls are rare while nobody writes to the log, and frequent after a write of any process', async () => {
  const log = temporaryPath('log')
  writeFileSync(log, 'x')
  const { clock, watch, commit, heard } = open(log)
  const isIdle = () => clock.slept.at(-1) === IDLE_MS
  await until(isIdle)
  const before = [clock.slept.length, heard()]
  commit()
  appendFileSync(log, 'x')
  await until(() => heard() > before[1]!)
  await until(() => isIdle() && clock.slept.length > before[0]!)
  expect(clock.slept.filter(ms => ms === IDLE_MS).length).toBeGreaterThan(1)
  await watch[Symbol.asyncDispose]()
})

test('a log that cannot be watched is polled frequently', async () => {
  const { clock, watch } = open('/nowhere/at/all')
  await until(() => clock.slept.length > 100)
  expect(new Set(clock.slept)).toEqual(new Set([20]))
  await watch[Symbol.asyncDispose]()
})

test('a database in memory has no other writers, and is polled rarely', async () => {
  const { clock, watch } = open(undefined)
  await until(() => clock.slept.at(-1) === IDLE_MS)
  await watch[Symbol.asyncDispose]()
})
