import { expect, test } from 'bun:test'
import { createResponseCache, toReady } from '../../../src/http/pipeline/answer.ts'

const reads = { generation: 1 }

test('a repeated request is answered from the cache until the catalog changes', () => {
  const keep = createResponseCache(() => reads.generation)
  let prepared = 0
  const prepare = (question: string) => {
    prepared++
    return toReady(new TextEncoder().encode(`${question} ${prepared}`), 'text/plain')
  }
  keep('a=1', prepare)
  const second = keep('a=1', prepare)
  expect(keep('a=1', prepare)).toBe(second)
  expect(keep('a=2', prepare)).not.toBe(second)
  expect(prepared).toBe(3)
  reads.generation = 2
  expect(new TextDecoder().decode(keep('a=1', prepare).bytes)).toBe('a=1 4')
})

test('errors are not cached, and the cache is bounded', () => {
  const keep = createResponseCache(() => reads.generation)
  expect(() =>
    keep('bad', () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  const ready = (question: string) => toReady(new TextEncoder().encode(question), 'text/plain')
  keep('0', ready)
  const kept = keep('0', ready)
  expect(keep('0', ready)).toBe(kept)
  for (let i = 1; i < 5000; i++) for (let times = 0; times < 2; times++) keep(String(i), ready)
  expect(keep('0', ready)).not.toBe(kept)
  const large = (question: string) => toReady(new Uint8Array(100_000).fill(question.length), 'text/plain')
  expect(keep('large', large)).not.toBe(keep('large', large))
})

test('large responses are evicted sooner than small ones', () => {
  const keep = createResponseCache(() => reads.generation)
  const isKeptAfter = (answers: number, bytes: number) => {
    const ready = (question: string) => toReady(new Uint8Array(bytes).fill(question.length), 'text/plain')
    const names = Array.from({ length: answers }, (_, i) => `${answers} of ${bytes}: ${i}`)
    const first = keep(names[0]!, ready) && keep(names[0]!, ready)
    for (const name of names.slice(1)) for (let times = 0; times < 2; times++) keep(name, ready)
    return keep(names[0]!, ready) === first
  }
  expect(isKeptAfter(100, 1_000)).toBe(true)
  expect(isKeptAfter(100, 60_000)).toBe(false)
  expect(isKeptAfter(60, 60_000)).toBe(true)
})
