import { expect, test } from 'bun:test'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { openEventTail } from '../../../src/catalog/event-tail.ts'
import { openFollower } from '../../../src/catalog/follow.ts'
import { readCursor } from '../../../src/domain/feed.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { entry } from '../../entries.ts'

const LISTENERS = 50
const EVENTS = 150

test('many listeners far behind read the log a few at a time, and each gets every event', async () => {
  await using parts = new AsyncDisposableStack()
  const store = parts.use(await openStore('sqlite::memory:', { clock: systemClock }))
  await store.insert(Array.from({ length: EVENTS }, () => entry()))
  const catalog = new Catalog()
  const follower = parts.use(openFollower({ store, catalog, clock: systemClock }))
  await follower.caughtUp
  let [reading, most] = [0, 0]
  const events = {
    ...store.events,
    // Like a remote database, which answers on another turn of the event loop.
    async after(number: number, limit: number) {
      most = Math.max(most, ++reading)
      await new Promise(setImmediate)
      const read = await store.events.after(number, limit)
      reading--
      return read
    },
  }
  const history = () => store.history()
  const lastSeq = () => store.lastSeq()
  const tail = parts.use(openEventTail({ store: { events, history, lastSeq }, catalog, clock: systemClock }))
  async function listen(): Promise<number> {
    let count = 0
    for await (const batch of tail.listen(readCursor('0')!)) {
      count += batch.events.length
      if (count >= EVENTS) break
    }
    return count
  }
  const counts = await Promise.all(Array.from({ length: LISTENERS }, listen))
  expect(counts).toEqual(Array.from({ length: LISTENERS }, () => EVENTS))
  expect(most).toBeLessThan(10)
})
