import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { AnswerRoom } from '../../src/catalog/response-buffer.ts'

function written(write: (room: AnswerRoom) => void, room = new AnswerRoom()): string {
  room.begin()
  write(room)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(room.end())
}

const LONG = '標'.repeat(200_000)

test('texts of any length and script are written as they are', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 300 })
  fc.assert(
    fc.property(anyText, anyText, (one, two) => {
      const room = new AnswerRoom()
      const said = written(room => {
        room.text(one)
        room.text(two)
      }, room)
      expect(said).toBe(one.toWellFormed() + two.toWellFormed())
    }),
  )
})

test('what stands in quotation marks is what JSON writes there', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      expect(JSON.parse(`"${written(room => room.quoted(text))}"`)).toBe(text)
    }),
  )
  expect(written(room => room.quoted('half a \ud83c pair, "quoted" \\ and \u0001'))).toBe(
    JSON.stringify('half a \ud83c pair, "quoted" \\ and \u0001').slice(1, -1),
  )
})

test('a share is written to the millionth', () => {
  for (const [share, said] of [
    [0, '0'],
    [1, '1'],
    [0.5, '0.5'],
    [0.1 + 0.2, '0.3'],
    [0.000001, '0.000001'],
    [0.0000004, '0'],
    [0.9999999, '1'],
    [0.10203, '0.10203'],
  ] as const)
    expect(written(room => room.share(share))).toBe(said)
})

test('an answer may be larger than the room; the next begins anew', () => {
  const room = new AnswerRoom()
  const large = written(room => {
    room.text('[')
    room.text(LONG)
    room.copy(Buffer.from(LONG), 0, 3 * LONG.length)
    room.byte(0x5d)
  }, room)
  expect(large).toBe(`[${LONG}${LONG}]`)
  expect(written(room => room.text('next'), room)).toBe('next')
})
