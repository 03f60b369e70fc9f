// Names of places, coins and days in a request: the task counts more, unless a service is about that name alone.
import { expect, test } from 'bun:test'
import { openSemantic, toEntries } from './listings.ts'

const ENTRIES = [
  ['Fare Finder', 'Fares and seats of flights between airports, with a calendar of prices.', 'travel'],
  ['Sky Ten', 'Weather forecast for ten days by coordinates, with rain and wind.', 'weather'],
  ['Bed Board', 'Hotels with rooms and rates for any date.', 'travel'],
  ['Coin Quote', 'Spot price and volume of eight thousand cryptocurrencies.', 'crypto'],
  ['Fee Meter', 'Gas fees of transactions on every chain, current and predicted.', 'crypto'],
  ['空席さがし', '航空券の運賃と空席を検索します。', 'travel'],
  ['空もよう', '各地の天気予報を一時間ごとに返します。', 'weather'],
  ['やど帳', 'ホテルの空室と料金を調べます。', 'travel'],
  ['City, Berlin', 'Berlin open data.', 'government'],
  ['Lisbon', 'Lisbon city portal.', 'government'],
  ['Kyoto Days', '京都の催し物。', 'entertainment'],
  ['Polygon', 'Shapes and stocks by Polygon.', 'finance'],
  ['Ethereum Node', 'Ethereum nodes on demand.', 'compute'],
  ['Friday', 'Friday jokes.', 'entertainment'],
] as const

const catalog = openSemantic(...toEntries(ENTRIES))
const first = (q: string) => catalog.searchByIntent({ q, limit: 5 }).decode().results[0]?.service.name

test.each([
  ['flights from Lisbon to Berlin next Friday', ['Fare Finder', '空席さがし']],
  ['what is the weather in Kyoto', ['Sky Ten', '空もよう']],
  ['hotels in Berlin tonight', ['Bed Board', 'やど帳']],
  ['price of Ethereum today', ['Coin Quote']],
  ['gas fees on Polygon', ['Fee Meter']],
  ['リスボンからベルリンへの航空券', ['Fare Finder', '空席さがし']],
  ['京都の天気', ['Sky Ten', '空もよう']],
  ['今夜泊まれる京都のホテル', ['Bed Board', 'やど帳']],
  ['ビットコインの価格', ['Coin Quote']],
  ['イーサリアムのガス代', ['Fee Meter']],
])('the task counts more than the name of a place, coin or day: %s', (query, names) => {
  expect(names as readonly string[]).toContain(first(query)!)
})

test.each([
  ['open data of Berlin', 'City, Berlin'],
  ['portal of the city of Lisbon', 'Lisbon'],
  ['what is on in Kyoto', 'Kyoto Days'],
  ['Ethereum nodes', 'Ethereum Node'],
  ['jokes for Friday', 'Friday'],
  ['ベルリン', 'City, Berlin'],
  ['リスボン', 'Lisbon'],
  ['京都の催し物', 'Kyoto Days'],
  ['イーサリアムのノード', 'Ethereum Node'],
  ['ポリゴンの図形', 'Polygon'],
])('a service about one place, coin or day is found by that name: %s', (query, name) => {
  expect(first(query)).toBe(name)
})
