// Several real processes on one database.
import { describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'
import { lease } from './schedule.ts'
import { temporaryPath } from './temporary-path.ts'

const open = (path: string) => openStore(`sqlite:${path}`, { clock: systemClock })

const WRITER = fileURLToPath(import.meta.resolve('./writer.ts'))

async function startWriter(path: string, count: number) {
  const child = Bun.spawn([process.execPath, WRITER, path, String(count)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = readLines(child.stdout)
  expect((await lines.next()).value).toBe('ready')
  return {
    child,
    lines,
    go() {
      child.stdin.write('go\n')
      child.stdin.flush()
    },
    async ids() {
      const ids: string[] = []
      for await (const line of lines) ids.push(line)
      return ids
    },
  }
}

/** Whole lines only: what a killed process began to print does not count. */
async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}

describe('processes that share a file', () => {
  test('open the same new file at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const path = temporaryPath('folder', 'store.db')
      const writers = await Promise.all(Array.from({ length: 4 }, () => startWriter(path, 5)))
      for (const writer of writers) writer.go()
      const ids = (await Promise.all(writers.map(writer => writer.ids()))).flat()
      expect(await Promise.all(writers.map(({ child }) => child.exited))).toEqual([0, 0, 0, 0])
      await using store = await open(path)
      const kept = (await store.changes(0, 100)).map(({ id }) => id)
      expect(kept.toSorted()).toEqual(ids.toSorted())
      expect(kept).toHaveLength(20)
    }
  })

  test('see the writes of each other, in one order', async () => {
    const path = temporaryPath('store.db')
    await using store = await open(path)
    const writer = await startWriter(path, 200)
    const seen: { seq: number; id: string }[] = []
    const { promise: seenAll, resolve } = Promise.withResolvers<void>()
    let reading = Promise.resolve()
    const read = async () => {
      seen.push(...(await store.changes(seen.at(-1)?.seq ?? 0, 1_000)))
      if (seen.length === 400) resolve()
    }
    store.watch(() => {
      reading = reading.then(read)
    })
    writer.go()
    for (let i = 0; i < 200; i++) await store.insert([entry()])
    const ids = await writer.ids()
    await seenAll
    expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1))
    expect(ids.every(id => seen.some(change => change.id === id))).toBe(true)
  })

  test('lose no acknowledged write if one is killed while it writes', async () => {
    const path = temporaryPath('store.db')
    const writer = await startWriter(path, 1_000_000)
    writer.go()
    const told: string[] = []
    for await (const id of writer.lines) {
      told.push(id)
      if (told.length === 300) writer.child.kill('SIGKILL')
    }
    await writer.child.exited
    expect(writer.child.signalCode).toBe('SIGKILL')
    await using store = await open(path)
    const changes = await store.changes(0, 10_000_000)
    const kept = new Set(changes.map(({ id }) => id))
    expect(told.length).toBeGreaterThanOrEqual(300)
    expect(told.filter(id => !kept.has(id))).toEqual([])
    // Nor is anything half there: every entry has its event and its first probe.
    expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, i) => i + 1))
    expect(await store.events.after(0, 10_000_000)).toHaveLength(changes.length)
    expect(await store.schedule.leaseDue(new Date(), 10_000_000, lease(1))).toHaveLength(changes.length)
  })

  test('prevent other programs from removing the log, even if a thread has opened it too', async () => {
    const path = temporaryPath('store.db')
    await using store = await open(path)
    await using _joined = await openStore(`sqlite:${path}`, { clock: systemClock, mustExist: true })
    await store.insert([entry()])
    // Who gets the whole file for itself is the last one, and may take the log away when it closes.
    const script = `const db = new (require('bun:sqlite').Database)(process.argv[1])
      try { db.run('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT') } catch (error) { console.log(error.code) }`
    const other = Bun.spawn([process.execPath, '-e', script, path], { stdout: 'pipe', stderr: 'inherit' })
    expect((await new Response(other.stdout).text()).trim()).toBe('SQLITE_BUSY')
    expect((await store.insert([entry()])).seq).toBe(2)
  })
})
