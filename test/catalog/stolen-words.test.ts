// An entry that has had a name or text for longer ranks above one that took it by an edit, however old the edited entry is.
import { describe, expect, test } from 'bun:test'
import type { Catalog } from '../../src/catalog/catalog.ts'
import { editEntry, toDraft } from '../../src/domain/listing/edit.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { entry } from '../entries.ts'
import { open } from './listings.ts'

const OWN = {
  name: 'Kettle Timer',
  description: 'Counts down the minutes for tea, coffee and eggs and rings a bell when each of them is done.',
}
const VICTIM = {
  name: 'Skycast Forecast',
  description:
    'Hourly and ten-day weather for any place on Earth with temperature, rain, wind, snow and pressure.',
}
const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number))

let sellers = 0
const listing = (words: typeof OWN, came: number): Entry =>
  entry(
    {
      ...words,
      endpoint: `https://seller-${++sellers}.example/api`,
      x402Config: { paymentAddress: `0x${sellers.toString(16).padStart(40, '0')}`, network: 'base' },
    },
    { now: day(came), standing: { status: 'verified', trustScore: 10 } },
  )
const edit = (before: Entry, words: Partial<typeof OWN>, on: number): Entry =>
  editEntry(before, { ...toDraft(before), ...words }, { by: 'owner', now: day(on) })!.entry

const ASKED: Readonly<Record<string, (catalog: Catalog, words: string) => string[]>> = {
  list: (catalog, query) =>
    catalog
      .list({ query, limit: 10, offset: 0 })
      .services.decode()
      .map(({ id }) => id),
  'keyword search': (catalog, q) =>
    catalog
      .search({ q, limit: 10, offset: 0 })
      .services.decode()
      .map(({ id }) => id),
  'intent search': (catalog, q) =>
    catalog
      .searchByIntent({ q, limit: 10 })
      .decode()
      .results.map(({ service }) => service.id),
}

describe.each(Object.keys(ASKED))('in %s', place => {
  function firstOf(words: string, ...entries: readonly Entry[]): string | undefined {
    const catalog = open(...entries)
    return ASKED[place]!(catalog, words)[0]
  }

  test('an old entry edited to the name and text of another ranks below the original', () => {
    const [old, victim] = [listing(OWN, 0), listing(VICTIM, 10)]
    expect(firstOf('skycast forecast', edit(old, VICTIM, 20), victim)).toBe(victim.id)
    expect(firstOf('hourly weather rain', edit(old, VICTIM, 20), victim)).toBe(victim.id)
  })

  test('an old entry edited to the name alone, or the text alone, ranks below the original', () => {
    const [old, victim] = [listing(OWN, 0), listing(VICTIM, 10)]
    const named = edit(old, { name: VICTIM.name, description: 'skycast forecast' }, 20)
    expect(firstOf('skycast forecast', named, victim)).toBe(victim.id)
    const texted = edit(old, { description: VICTIM.description }, 20)
    expect(firstOf('hourly weather rain wind', texted, victim)).toBe(victim.id)
  })

  test('a text that was changed and changed back counts from the last change', () => {
    const [old, victim] = [listing(VICTIM, 0), listing(VICTIM, 10)]
    const back = edit(edit(old, OWN, 5), VICTIM, 20)
    expect(firstOf('hourly weather rain', back, victim)).toBe(victim.id)
  })

  test('the original stays first after corrections of spelling and small edits', () => {
    const [victim, thief] = [listing(VICTIM, 0), listing(VICTIM, 10)]
    const spelt = edit(victim, { name: 'SKYCAST  forecast!' }, 20)
    const touched = edit(spelt, { description: `${VICTIM.description} Answers as JSON.` }, 21)
    expect(firstOf('hourly weather rain', spelt, thief)).toBe(victim.id)
    expect(firstOf('hourly weather rain', touched, thief)).toBe(victim.id)
  })

  test('a change of the name does not affect the age of the text', () => {
    const [victim, thief] = [listing(VICTIM, 0), listing(VICTIM, 10)]
    expect(firstOf('hourly weather rain', edit(victim, { name: 'Brightcast' }, 20), thief)).toBe(victim.id)
  })
})
