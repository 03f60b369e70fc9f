// What the server follows by itself.
import { expect, test } from 'bun:test'
import { readConfig } from '../../src/app/config.ts'
import { toSyncDeps } from '../../src/app/on-demand.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { SourceFailure } from '../../src/sync/source-reader.ts'
import { createSync, openSourceFollower } from '../../src/sync/sync.ts'
import { createReadyDatabase } from '../postgres.ts'
import { v2 } from './followed-list.ts'
import { at, serve } from './json-server.ts'

test.each([
  ['SQLite', async () => 'sqlite::memory:'],
  ['PostgreSQL', createReadyDatabase],
])('a source that is removed before its reading begins does not come back, on %s', async (_, create) => {
  using list = serve(at('/list', { items: [v2('https://a.example/v1')] }))
  const url = `${list.url}/list`
  const clock = systemClock
  await using store = await openStore(await create(), { clock })
  const sync = createSync(toSyncDeps(readConfig({ ALLOW_PRIVATE_ENDPOINTS: 'on' }), store, clock))
  await store.sources.add(url)
  const { promise: ended, resolve } = Promise.withResolvers<unknown>()
  await using _follower = openSourceFollower({
    store,
    clock,
    // The follower has found it due, and the operator removes it now.
    async sync(...call) {
      expect(await store.sources.remove(call[0], clock.now())).toBe(true)
      const reading = sync(...call)
      resolve(reading.catch(error => error))
      return reading
    },
    onTrouble: (_, error) => resolve(error),
  })
  expect(await ended).toBeInstanceOf(SourceFailure)
  expect(await store.sources.list()).toEqual([])
  expect(await store.countOfSource(url)).toBe(0)
})
