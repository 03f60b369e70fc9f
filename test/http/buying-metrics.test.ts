// What the buyer spends, as whoever watches the server reads it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { purchase } from '../store/purchases.ts'
import { openTestServer } from './directory-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'buying-metrics-'))
const DATABASE_URL = `sqlite:${join(folder, 'directory.db')}`
const caps = { perCall: 10_000, perService: 1_000_000, perHost: 1_000_000, perDay: 1_000_000 }

beforeAll(async () => {
  await using store = await openStore(DATABASE_URL, { clock: systemClock })
  const now = systemClock.now().toISOString()
  const ended = purchase({ at: now, microUsd: 2_500 })
  const open = purchase({ at: now, microUsd: 1_000 })
  for (const each of [ended, open]) await store.purchases.reserve(each, caps)
  const known = { state: 'settled', charged: '100', transaction: '0xt', outcome: 'delivered' } as const
  await store.purchases.conclude(ended.id, { ...known, detail: ended.detail })
})
afterAll(() => rmSync(folder, { recursive: true }))

const settings = { DATABASE_URL }

test('shows spending, remaining budget, outcomes and open purchases', async () => {
  await using server = await openTestServer({ ...settings, BUDGET_PER_DAY: '0.01' })
  const text = await (await server.get('/metrics')).text()
  for (const line of [
    'shirube_purchases_spent_dollars 0.0035',
    'shirube_purchases_left_dollars 0.0065',
    'shirube_purchases_last_day{outcome="delivered"} 1',
    'shirube_purchases_last_day{outcome="settled_silent"} 0',
    'shirube_purchases_open 1',
  ])
    expect(text.split('\n')).toContain(line)
})

test('has no such metrics if nothing is bought', async () => {
  await using server = await openTestServer(settings)
  expect(await (await server.get('/metrics')).text()).not.toContain('shirube_purchases')
})
