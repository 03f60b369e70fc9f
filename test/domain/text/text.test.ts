import { expect, test } from 'bun:test'
import { compareCodePoints, truncate } from '../../../src/domain/text/text.ts'
import { toNoticeHeader } from '../../../src/http/pipeline/answer.ts'
import { shown, shownValue } from '../../../src/probe/untrusted.ts'
import { fc } from '../../fast-check.ts'

const texts = fc
  .array(fc.constantFrom('a', 'é', '天', '\u{1f680}', '"', '\u202e', '\n'), { minLength: 60, maxLength: 200 })
  .map(characters => characters.join(''))

test('a text that is cut short keeps whole characters, and as many as fit', () => {
  fc.assert(
    fc.property(texts, fc.nat(250), (text, units) => {
      const cut = truncate(text, units)
      expect(cut.isWellFormed()).toBe(true)
      expect(text.startsWith(cut)).toBe(true)
      const next = String.fromCodePoint(text.codePointAt(cut.length) ?? 0)
      if (cut !== text) expect(cut.length + next.length).toBeGreaterThan(units)
      expect(cut.length).toBeLessThanOrEqual(units)
    }),
  )
})

test('untrusted text is always shown as well-formed Unicode', () => {
  fc.assert(
    fc.property(texts, text => {
      expect(shown(text).isWellFormed()).toBe(true)
      expect(shownValue(text).isWellFormed()).toBe(true)
      expect(shownValue({ [text]: text }).isWellFormed()).toBe(true)
    }),
  )
})

test('an untrusted value is shown as JSON, and no more of it is read than is shown', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
      const [beginning, rest] = shownValue(value).split('…')
      if (rest === undefined) expect(JSON.parse(beginning!)).toEqual(JSON.parse(JSON.stringify(value)))
      // Everything that is unseen is written out; only what is plain can be compared.
      else if (/^[\x20-\x7e]*$/.test(JSON.stringify(value)))
        expect(JSON.stringify(value).startsWith(beginning!)).toBe(true)
    }),
  )
  let read = 0
  const counting = {
    get next() {
      read++
      return counting
    },
  }
  expect(shownValue(counting)).toHaveLength(81)
  expect(read).toBeLessThan(20)
})

test('notices in a header can be decoded, wherever they are cut', () => {
  for (let before = 0; before < 12; before++) {
    const notice = 'x'.repeat(1_010 + before) + '\u{1f680}天'.repeat(20)
    const header = toNoticeHeader([notice])
    expect(header.length).toBeLessThanOrEqual(1_024)
    expect(notice.startsWith(decodeURIComponent(header))).toBe(true)
  }
})

test('texts are compared by code points, as their bytes are', () => {
  const points = fc.constantFrom(
    '',
    'a',
    'ab',
    '\ud7ff',
    '\ue000',
    '\uff5e',
    '\uffff',
    '\u{10000}',
    '\u{10ffff}',
  )
  const text = fc.array(points, { maxLength: 4 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
    { numRuns: 1_000 },
  )
})
