// A directory that was put back to an earlier state, and those who follow it: real servers, real stores, real requests between them.

import { Database } from 'bun:sqlite'
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, rmSync } from 'node:fs'
import { createClient, DirectoryError } from '../../src/http/client/client.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'
import { createReadyDatabase } from '../postgres.ts'
import { Node } from './node.ts'

setDefaultTimeout(120_000)

const pathOf = ({ databaseUrl }: Node): string => databaseUrl.slice('sqlite:'.length)

/** As the documents advise it, while the server runs. */
function save(node: Node): string {
  const copy = `${pathOf(node)}.copy`
  rmSync(copy, { force: true })
  using db = new Database(pathOf(node))
  db.run('VACUUM INTO ?', [copy])
  return copy
}

/** Also as advised: nothing runs meanwhile, and the log of the lost state goes with it. */
async function putBack(node: Node, copy: string): Promise<void> {
  await node.restart(() => {
    for (const end of ['', '-wal', '-shm']) rmSync(pathOf(node) + end, { force: true })
    copyFileSync(copy, pathOf(node))
  })
}

/** What anybody does who follows by HTTP: goes on from the cursor, and reads anew where it is told to. */
class Follower {
  readonly services = new Map<string, unknown>()
  #since = '0'
  beganAnew = 0

  constructor(readonly url: string) {}

  async follow(): Promise<void> {
    const directory = createClient({ url: this.url })
    for (;;) {
      try {
        const page = (await directory.changes({ since: this.#since, limit: 7 })).decode()
        for (const { id, service } of page.changes) {
          if (service) this.services.set(id, service)
          else this.services.delete(id)
        }
        this.#since = page.next
        if (page.caughtUp) return
      } catch (error) {
        if (!(error instanceof DirectoryError && error.code === 'history_changed')) throw error
        this.beganAnew++
        this.services.clear()
        this.#since = '0'
      }
    }
  }
}

const exportOf = async (node: Node) =>
  (await Array.fromAsync(node.directory.export())).sort((a, b) => (a.id < b.id ? -1 : 1))

const namesOf = async (node: Node) => (await exportOf(node)).map(({ name }) => name).sort()

describe('a restored file', () => {
  test('leaves followers by HTTP and by sync with exactly its entries', async () => {
    await using home = await Node.start('home')
    await using peer = await Node.start('peer')
    const http = new Follower(home.url)
    const kept = [] as string[]
    for (let i = 0; i < 20; i++) kept.push((await home.register(`Kept ${i}`)).id)
    const copy = save(home)

    for (let i = 0; i < 20; i++) await home.register(`Lost ${i}`)
    const [dearer, removed] = kept as [string, string]
    await home.directory.edit(dearer, { pricing: { pricePerRequest: '9.99' } }, home)
    await home.directory.remove(removed, home)
    await http.follow()
    await peer.sync(home.url)
    expect(http.services.size).toBe(39)

    await putBack(home, copy)
    // As many and more, so that the numbers are beyond those that the followers hold.
    for (let i = 0; i < 30; i++) await home.register(`New ${i}`)
    const wallet = `0x${'2'.repeat(40)}`
    await home.directory.edit(kept[2]!, { x402Config: { paymentAddress: wallet } }, home)

    await http.follow()
    expect(http.beganAnew).toBe(1)
    expect([...http.services.keys()].sort()).toEqual((await exportOf(home)).map(({ id }) => id))
    expect(await peer.sync(home.url)).toMatchObject({ readAnew: true, skipped: 0, removed: 20 })
    expect(await peer.shared()).toEqual(await home.shared())
    expect((await peer.get(peer.idOf(dearer, home)))!.pricing.pricePerRequest).toBe('0.01')
    expect((await peer.get(peer.idOf(removed, home)))!.name).toBe('Kept 1')
    expect((await peer.get(peer.idOf(kept[2]!, home)))!.x402Config.paymentAddress).toBe(wallet)

    // From here on it is followed as ever, with numbers that are lower than those it had before.
    await home.directory.edit(kept[3]!, { pricing: { pricePerRequest: '0.5' } }, home)
    await home.directory.remove(kept[4]!, home)
    expect(await peer.sync(home.url)).toMatchObject({ readAnew: false, changed: 1, removed: 1, added: 0 })
    await http.follow()
    expect(http.beganAnew).toBe(1)
    expect(await peer.shared()).toEqual(await home.shared())
  })
})

test('a file that is restored and written to by a command before the server starts is still recognised', async () => {
  await using home = await Node.start('home')
  await home.register('Kept')
  const copy = save(home)
  const http = new Follower(home.url)
  for (let i = 0; i < 3; i++) await home.register(`Lost ${i}`)
  await http.follow()
  await home.restart(async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(pathOf(home) + end, { force: true })
    copyFileSync(copy, pathOf(home))
    await using store = await openStore(home.databaseUrl, { clock: systemClock })
    await store.insert(Array.from({ length: 5 }, (_, i) => entry({ name: `Imported ${i}` })))
  })
  await home.register('New')
  await http.follow()
  expect([...http.services.keys()].sort()).toEqual((await exportOf(home)).map(({ id }) => id))
})

test('a follower continues from its position after ordinary restarts', async () => {
  await using home = await Node.start('home')
  await using peer = await Node.start('peer')
  const http = new Follower(home.url)
  for (let i = 0; i < 5; i++) {
    await home.register(`Service ${i}`)
    await http.follow()
    expect(await peer.sync(home.url)).toMatchObject({ added: 1, readAnew: false })
    await home.restart()
  }
  expect(http.beganAnew).toBe(0)
  expect(http.services.size).toBe(5)
})

/** In front of a directory, and away after so many pages of its feed. */
function openProxy(to: () => string) {
  let left = Number.POSITIVE_INFINITY
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      if (pathname === '/api/changes' && search.includes('limit=500') && left-- <= 0)
        return new Response('away', { status: 502 })
      const answer = await fetch(to() + pathname + search)
      return new Response(await answer.arrayBuffer(), {
        status: answer.status,
        headers: { 'content-type': answer.headers.get('content-type') ?? 'text/plain' },
      })
    },
  })
  return {
    url: server.url.origin,
    failAfter: (pages: number) => {
      left = pages
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
}

describe('a directory that reads a source again', () => {
  const open = async () => Node.start('peer', await createReadyDatabase())

  test('reaches the right state however often reading is interrupted', async () => {
    await using home = await Node.start('home')
    await using peer = await open()
    using proxy = openProxy(() => home.url)
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, i) => entry({ name: `${name} ${i}` }))
    const write = async (names: [string, number]) => {
      await using store = await openStore(home.databaseUrl, { clock: systemClock })
      const { seq } = await store.insert(many(...names))
      while ((await home.directory.health()).seq < seq) await Bun.sleep(2)
    }
    await write(['Kept', 1_100])
    const copy = save(home)
    await write(['Lost', 300])
    await peer.sync(proxy.url)
    await putBack(home, copy)
    await write(['New', 400])

    const before = (await exportOf(peer)).length
    // The first is told of the other history and gets one page of three, the second gets one more.
    for (const requests of [2, 1, 0]) {
      proxy.failAfter(requests)
      await expect(peer.sync(proxy.url)).rejects.toThrow(/502/)
      // Nothing is taken away before everything was read.
      expect((await exportOf(peer)).length).toBeGreaterThanOrEqual(before)
    }
    proxy.failAfter(Number.POSITIVE_INFINITY)
    expect(await peer.sync(proxy.url)).toMatchObject({ readAnew: true, removed: 300, skipped: 0 })
    expect(await namesOf(peer)).toEqual(await namesOf(home))
    expect((await peer.sources())[0]).not.toHaveProperty('rereading')
    expect(await peer.sync(proxy.url)).toMatchObject({ readAnew: false, added: 0, changed: 0, removed: 0 })
  })

  test('starts over if the source changes its history meanwhile', async () => {
    await using home = await Node.start('home')
    await using peer = await open()
    using proxy = openProxy(() => home.url)
    const write = async (name: string, count: number) => {
      await using store = await openStore(home.databaseUrl, { clock: systemClock })
      const { seq } = await store.insert(
        Array.from({ length: count }, (_, i) => entry({ name: `${name} ${i}` })),
      )
      while ((await home.directory.health()).seq < seq) await Bun.sleep(2)
    }
    await write('Kept', 600)
    const copy = save(home)
    await write('Lost', 10)
    await peer.sync(proxy.url)
    await putBack(home, copy)
    await write('Seen for a moment', 10)
    proxy.failAfter(2)
    await expect(peer.sync(proxy.url)).rejects.toThrow(/502/)
    await putBack(home, copy)
    await write('Here to stay', 20)
    proxy.failAfter(Number.POSITIVE_INFINITY)
    await peer.sync(proxy.url)
    expect(await namesOf(peer)).toEqual(await namesOf(home))
  })

  test('keeps its entries while the source lists nothing', async () => {
    await using home = await Node.start('home')
    await using peer = await open()
    const empty = save(home)
    for (const name of ['One', 'Two']) await home.register(name)
    await peer.sync(home.url)
    await putBack(home, empty)
    expect(await peer.sync(home.url)).toMatchObject({ removed: 0, skipped: 1, readAnew: false })
    expect(await exportOf(peer)).toHaveLength(2)
    await home.register('Three')
    expect(await peer.sync(home.url)).toMatchObject({ added: 1, removed: 2, readAnew: true })
    expect((await exportOf(peer)).map(({ name }) => name)).toEqual(['Three'])
  })
})
