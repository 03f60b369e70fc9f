// The user's own ledger: a private file that several processes share, in which a cap is a cap.
import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { openLedger, summarise } from '../../packages/buyer/src/ledger.ts'
import { fromMicroDollars } from '../../src/domain/money/money.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'
import { purchase } from '../store/purchases.ts'
import { temporaryPath } from '../store/temporary-path.ts'

const CAPS = { perCall: 2_000, perService: 100_000, perHost: 100_000, perDay: 20_000 }

describe('a ledger', () => {
  test('is a file that only its owner can read, in a folder created for it', async () => {
    const path = temporaryPath('conf', 'shirube', 'ledger.db')
    await using _ = await openLedger(path, systemClock)
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
  })

  test('is not the database of a directory', async () => {
    const path = temporaryPath('directory.db')
    await using store = await openStore(`sqlite:${path}`, { clock: systemClock })
    await store.insert([entry()])
    expect(openLedger(path, systemClock)).rejects.toThrow('is the database of a directory, not a ledger')
  })

  test('totals current purchases, without released ones and those older than a day', async () => {
    await using ledger = await openLedger(temporaryPath('ledger.db'), systemClock)
    const now = systemClock.now().getTime()
    const at = (ms: number) => new Date(now + ms).toISOString()
    const kept = [
      purchase({ id: 'pur_1', purpose: 'old', at: at(-25 * 3_600_000) }),
      purchase({ id: 'pur_2', purpose: 'released', at: at(-1_000) }),
      purchase({ id: 'pur_3', purpose: 'new', at: at(0) }),
    ]
    for (const each of kept) expect(await ledger.purchases.reserve(each, CAPS)).toBeUndefined()
    const { detail } = kept[1]!
    const none = { charged: null, transaction: null, outcome: null, detail }
    await ledger.purchases.conclude('pur_2', { state: 'released', ...none })
    expect(await summarise(ledger.purchases, CAPS, systemClock, 5)).toMatchObject({
      day: { usd: fromMicroDollars(kept[2]!.microUsd), purchases: 1 },
    })
  })
})

test('processes that reserve concurrently never exceed a cap by a single unit', async () => {
  const path = temporaryPath('shared.db')
  const script = (name: string) => `
    import { openLedger } from './packages/buyer/src/ledger.ts'
    import { systemClock } from './src/runtime/clock.ts'
    import { purchase } from './test/store/purchases.ts'
    await using ledger = await openLedger(${JSON.stringify(path)}, systemClock)
    const at = systemClock.now().toISOString()
    const one = i => purchase({ id: 'pur_${name}' + i, purpose: '${name}' + i, at, microUsd: 2000 })
    const all = await Promise.all(Array.from({ length: 8 }, (_, i) => ledger.purchases.reserve(one(i), ${JSON.stringify(CAPS)})))
    console.log(JSON.stringify(all.map(problem => problem?.cap ?? 'kept')))`
  const cwd = new URL('../..', import.meta.url).pathname
  const children = ['a', 'b', 'c'].map(name =>
    Bun.spawn([process.execPath, '-e', script(name)], { cwd, stdout: 'pipe', stderr: 'inherit' }),
  )
  const told = (await Promise.all(children.map(child => child.stdout.text()))).flatMap(text =>
    JSON.parse(text),
  )
  // 24 of 2,000 each, of 20,000.
  expect(Object.groupBy(told, (each: string) => each)).toEqual({
    kept: Array(10).fill('kept'),
    day: Array(14).fill('day'),
  })
  await using ledger = await openLedger(path, systemClock)
  expect(await ledger.purchases.spent(new Date(0))).toEqual({ microUsd: 20_000, count: 10 })
})
