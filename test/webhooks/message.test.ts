import { expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createReading } from '../../src/webhooks/delivery.ts'
import { toMessage } from '../../src/webhooks/message.ts'
import { entry } from '../entries.ts'
import { temporaryPath } from '../store/temporary-path.ts'

test('after a restore, an event with a reused number is not a repetition for its receiver', async () => {
  const path = temporaryPath('store.db')
  /** The ids of the messages of all events, after one more. */
  async function live(): Promise<string[]> {
    await using store = await openStore(`sqlite:${path}`, { clock: systemClock })
    await store.insert([entry()])
    const { timelines, seq } = await store.history()
    const events = await createReading(store, { seq, timelines }).after(0)
    return events.map(event => toMessage('whk_1', event).id)
  }
  const [common] = await live()
  copyFileSync(path, `${path}.copy`)
  const lost = await live()
  copyFileSync(`${path}.copy`, path)
  const kept = await live()
  expect([lost[0], kept[0]]).toEqual([common, common])
  expect(lost[1]).toMatch(/^whk_1_2-/)
  expect(kept[1]).toMatch(/^whk_1_2-/)
  expect(kept[1]).not.toBe(lost[1])
})
