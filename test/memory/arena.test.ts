import { expect, test } from 'bun:test'
import { Arena } from '../../src/memory/arena.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('a record is read back as it was written, in any script', () => {
  const arena = new Arena()
  arena.write(0, 'weather')
  arena.write(5000, '天気予報 🌤')
  expect(text(arena.text(0))).toBe('weather')
  expect(text(arena.text(5000))).toBe('天気予報 🌤')
})

test('texts of any length are distinguished from their own tails', () => {
  const arena = new Arena()
  const texts = ['', 'a', 'ab', '標', '標 x', 'z'.repeat(3_000_000), 'after a large one', '最後']
  for (const [slot, written] of texts.entries()) arena.write(slot, written, `tail ${slot}`)
  arena.write(2, 'replaced')
  texts[2] = 'replaced'
  for (const [slot, written] of texts.entries()) {
    expect(text(arena.text(slot))).toBe(written)
    expect(text(arena.tail(slot))).toBe(slot === 2 ? '' : `tail ${slot}`)
  }
  const copied = new Uint8Array(8)
  expect(arena.copyText(7, copied, 1)).toBe(arena.textLength(7))
  expect(text(copied)).toBe('\0最後\0')
})

test('a view stays valid after its record is replaced', () => {
  const arena = new Arena()
  arena.write(1, 'before')
  const view = arena.text(1)
  arena.write(1, 'after!')
  expect(text(view)).toBe('before')
  expect(text(arena.text(1))).toBe('after!')
})

test('a snapshot is not affected by later writes', () => {
  const arena = new Arena()
  for (let slot = 0; slot < 3; slot++) arena.write(slot, `first ${slot}`)
  const read = arena.freeze(Uint32Array.of(2, 0))
  for (let round = 0; round < 50; round++) {
    for (let slot = 0; slot < 3; slot++) arena.write(slot, `${round} ${slot} ${'x'.repeat(200_000)}`)
  }
  expect([text(read(0)), text(read(1))]).toEqual(['first 2', 'first 0'])
})

test('space of replaced records is reused', () => {
  const arena = new Arena()
  const record = (slot: number, round: number) => `${slot}:${round}:${'y'.repeat(1000)}`
  for (let round = 0; round < 60; round++) {
    for (let slot = 0; slot < 2000; slot++) arena.write(slot, record(slot, round))
  }
  for (let slot = 0; slot < 2000; slot++) expect(text(arena.text(slot))).toBe(record(slot, 59))
  // 120 MB were written; 2 MB live.
  expect(arena.bytes).toBeLessThan(16_000_000)
})

test('records order by code point, not by UTF-16 unit', () => {
  const arena = new Arena()
  arena.write(0, '\uff5e')
  arena.write(1, '\u{1f600}')
  arena.write(2, 'abc')
  arena.write(3, 'abcd')
  expect(arena.compare(0, 1)).toBeLessThan(0)
  expect(arena.compare(2, 3)).toBeLessThan(0)
  expect(arena.compare(3, 3)).toBe(0)
})
