import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createProcessLease, PROCESS_LEASE_MS } from '../../src/runtime/lease.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { ManualClock } from '../store/manual-clock.ts'

let clock: ManualClock
let store: Store
beforeEach(async () => {
  clock = new ManualClock()
  store = await openStore('sqlite::memory:', { clock })
})
afterEach(() => store[Symbol.asyncDispose]())

const open = (parts: Partial<Parameters<typeof createProcessLease>[0]> = {}) =>
  createProcessLease({ leases: store.leases, name: 'work', clock, ...parts })

test('is held while it is renewed, and otherwise passes to another holder', async () => {
  const [a, b] = [open(), open()]
  expect(await a.isOurs()).toBe(true)
  for (let passedMs = 0; passedMs < 10 * PROCESS_LEASE_MS; passedMs += 1_000) {
    clock.advance(1_000)
    expect(await a.isOurs()).toBe(true)
    expect(await b.isOurs()).toBe(false)
  }
  expect([a.lastHolder().by, b.lastHolder().by]).toEqual(['this', 'another'])
  clock.advance(PROCESS_LEASE_MS)
  expect(b.lastHolder().by).toBe('nobody')
  expect(await b.isOurs()).toBe(true)
  expect(await a.isOurs()).toBe(false)
  expect([a.lastHolder().by, b.lastHolder().by]).toEqual(['another', 'this'])
})

test('has no other holder while it lasts, even if the clock was set back', async () => {
  const [a, b] = [open(), open()]
  await a.isOurs()
  clock.advance(-60 * 60_000)
  expect(await a.isOurs()).toBe(true)
  clock.advance(PROCESS_LEASE_MS - 1_000)
  expect(await b.isOurs()).toBe(false)
  clock.advance(1_000)
  expect(await b.isOurs()).toBe(true)
})

test('is not waited for if a dead process with a clock far ahead took it', async () => {
  const [a, b] = [open(), open()]
  clock.advance(365 * 24 * 60 * 60_000)
  await a.isOurs()
  clock.advance(-365 * 24 * 60 * 60_000)
  expect(await b.isOurs()).toBe(true)
  expect(await open().isOurs()).toBe(false)
})

test('is free at once after its release, and passes its note to the next holder', async () => {
  const a = open({ writeNote: async () => 'how far it has come' })
  const before: (string | undefined)[] = []
  const b = open({ onTaken: async lease => void before.push(lease?.note) })
  await a.isOurs()
  expect(await b.isOurs()).toBe(false)
  expect(b.lastHolder().note).toBe('how far it has come')
  await a.release()
  clock.advance(1_000)
  expect(await b.isOurs()).toBe(true)
  expect(before).toEqual(['how far it has come'])
})

test('is not taken until its precondition is met, which is retried', async () => {
  const a = open({ writeNote: async () => 'of a' })
  await a.isOurs()
  clock.advance(PROCESS_LEASE_MS)
  const notes: (string | undefined)[] = []
  const b = open({
    onTaken: async lease => {
      notes.push(lease?.note)
      if (notes.length === 1) throw new Error('The store is away.')
    },
  })
  await expect(b.isOurs()).rejects.toThrow('The store is away.')
  expect(b.lastHolder().by).not.toBe('this')
  expect(await b.isOurs()).toBe(true)
  expect(notes).toEqual(['of a', 'of a'])
  expect(await a.isOurs()).toBe(false)
})
