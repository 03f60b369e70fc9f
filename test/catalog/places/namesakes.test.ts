import { expect, test } from 'bun:test'
import { Namesakes } from '../../../src/catalog/backing.ts'
import { lookalikeKey, skeletonOf } from '../../../src/domain/text/text.ts'
import { readMarket } from '../../quality/market.ts'
import { readStandingSample } from '../../quality/standing-sample.ts'

test('namesakes of other owners are found after thousands of writes, moves and releases', () => {
  const namesakes = new Namesakes()
  const model = new Map<number, { name: string; owner: string | null }>()
  let state = 5
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let step = 0; step < 20_000; step++) {
    const slot = random(4_000)
    if (random(4) === 0) {
      namesakes.release(slot)
      model.delete(slot)
    } else {
      const name = `Name ${String.fromCodePoint(0x4e00 + random(800))}`
      const entry = { name, owner: random(3) === 0 ? null : `key_${random(3)}` }
      namesakes.write(slot, { ...entry, name: random(2) === 0 ? name : name.toUpperCase() })
      model.set(slot, entry)
    }
  }
  const byName = Map.groupBy(model.keys(), slot => model.get(slot)!.name)
  for (const [slot, { name, owner }] of model) {
    const wanted = byName
      .get(name)!
      .filter(other => other !== slot && (owner === null || model.get(other)!.owner !== owner))
    expect(namesakes.of(slot).toSorted((a, b) => a - b)).toEqual(wanted.toSorted((a, b) => a - b))
  }
})

test('at most a thousand namesakes of a common name are read', () => {
  const namesakes = new Namesakes()
  for (let slot = 0; slot < 5_000; slot++) namesakes.write(slot, { name: 'Test', owner: `key_${slot}` })
  expect(namesakes.of(0).length).toBeLessThanOrEqual(1_000)
  expect(namesakes.of(0).length).toBeGreaterThan(900)
})

test.each([
  ['OpenWeather', 'OpenWeahter', true],
  ['OpenWeather', 'Open Waether', true],
  ['Coingecko Prices', 'Cоingekco Prices', true],
  // Another number, another short word, and a plural.
  ['Model Server 12', 'Model Server 21', false],
  ['Trial', 'Trail', false],
  ['Fun Facts Today', 'Fun Fact Today', false],
  ['pdf to docx', 'docx to pdf', false],
])('%s and %s are namesakes: %p', (name, other, expected) => {
  const namesakes = new Namesakes()
  namesakes.write(0, { name, owner: 'key_a' })
  namesakes.write(1, { name: other, owner: 'key_b' })
  expect(namesakes.of(1)).toEqual(expected ? [0] : [])
})

test('no two services of the sample and market catalogs have look-alike names', async () => {
  const [sample, { entries }] = [await readStandingSample(new Date(0)), await readMarket()]
  const names = new Set([...sample, ...entries].map(({ name }) => skeletonOf(name)))
  expect(new Set([...sample, ...entries].map(({ name }) => lookalikeKey(name))).size).toBe(names.size)
})

test.each([
  ['0penWeather', 'OpenWeather'],
  ['Goog1e Translate', 'Google Translate'],
  ['G00gle Translate', 'Google Translate'],
  ['C0inbase Prices', 'Coinbase Prices'],
  ['Harb0r Weather Data', 'Harbor Weather Data'],
  ['Goog1e Translate 10', 'Google Translate 10'],
])('%s is taken for %s', (forged, name) => {
  expect(lookalikeKey(forged)).toBe(lookalikeKey(name))
})

test.each([
  ['Weather Data 10', 'Weather Data 01'],
  ['Route Planner 15', 'Route Planner 51'],
])('%s is not taken for %s', (one, other) => {
  expect(lookalikeKey(one)).not.toBe(lookalikeKey(other))
})
