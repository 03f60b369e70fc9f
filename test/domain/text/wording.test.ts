import { describe, expect, test } from 'bun:test'
import { editEntry, toDraft } from '../../../src/domain/listing/edit.ts'
import type { Entry, ServiceDraft } from '../../../src/domain/listing/service.ts'
import { wordsSince } from '../../../src/domain/text/text.ts'
import { entry } from '../../entries.ts'

const OWN = {
  name: 'Kettle Timer',
  description:
    'Counts down the minutes for tea, coffee and eggs and rings a bell in the kitchen when each of them is done.',
}
const STOLEN = {
  name: 'Skycast Forecast',
  description:
    'Hourly and ten-day weather for any place on Earth with temperature, rain, wind, snow and air pressure.',
}
const DAY_MS = 86_400_000
const BEGAN = Date.UTC(2026, 0, 1)
const day = (number: number) => new Date(BEGAN + number * DAY_MS)

const listed = (words = OWN) => entry(words, { now: day(0) })
/** Each edit on a day of its own, from the first on. */
const edited = (first: Entry, ...edits: readonly Partial<ServiceDraft>[]): Entry =>
  edits.reduce<Entry>(
    (before, words, i) =>
      editEntry(before, { ...toDraft(before), ...words }, { by: 'owner', now: day(i + 1) })?.entry ?? before,
    first,
  )
/** Since which day it has its name, and its description. */
const sinceDays = ({ worded }: Entry) => {
  const { nameMs, textMs } = wordsSince(BEGAN, worded)
  return [nameMs, textMs].map(ms => (ms - BEGAN) / DAY_MS)
}

describe('an entry has had its text', () => {
  test('since it was listed, until it changes', () => {
    expect(sinceDays(listed())).toEqual([0, 0])
    expect(sinceDays(edited(listed(), { name: STOLEN.name }))).toEqual([1, 0])
    expect(sinceDays(edited(listed(), { description: STOLEN.description }))).toEqual([0, 1])
    expect(sinceDays(edited(listed(), STOLEN))).toEqual([1, 1])
  })

  test.each([
    ['case', (text: string) => text.toUpperCase()],
    ['white space', (text: string) => ` ${text.replaceAll(' ', '  ')}`],
    ['punctuation', (text: string) => `${text.replaceAll(' ', ' - ')}!?`],
  ])('as long as before with other %s', (_, spell) => {
    const [name, description] = [spell(OWN.name), spell(OWN.description)]
    expect(sinceDays(edited(listed(), { name, description }))).toEqual([0, 0])
    const short = listed({ name: 'Tea', description: 'Tea timer' })
    expect(sinceDays(edited(short, { description: spell('Tea timer') }))).toEqual([0, 0])
  })

  test('only since the last change, even if an earlier text returns', () => {
    expect(sinceDays(edited(listed(STOLEN), OWN, STOLEN))).toEqual([2, 2])
    expect(sinceDays(edited(listed(), { name: 'A', description: 'B' }, STOLEN, OWN, STOLEN))).toEqual([4, 4])
  })

  test('copied from another only since the edit that completed it, in however small steps', () => {
    const [own, stolen] = [OWN.description.split(' '), STOLEN.description.split(' ')]
    const steps = stolen.map((_, i) => ({
      description: [...stolen.slice(0, i + 1), ...own.slice(i + 1)].join(' '),
    }))
    const [, since] = sinceDays(edited(listed(), ...steps))
    expect(since).toBeGreaterThan(0)
  })

  test('since its move, if it moved later', () => {
    const renamed = edited(listed(), STOLEN)
    const moved = edited(renamed, {}, { endpoint: 'https://elsewhere.example/v1' })
    expect(moved.worded).toBeUndefined()
    expect(moved.movedAt).toBe(day(2).toISOString())
  })
})
