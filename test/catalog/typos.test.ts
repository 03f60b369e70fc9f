// Misspelt words, and correct words that look like another.
import { expect, test } from 'bun:test'
import { openSemantic, toEntries } from './listings.ts'

const ENTRIES = [
  ['OpenWeatherMap', 'Weather.'],
  ['World Headlines', 'Headlines of five hundred papers.'],
  ['Transcriber', 'Transcribes recordings.'],
  ['Tongues', 'Translates between ninety languages.'],
  ['Word Mood', 'Sentiment of reviews.'],
  ['Place Finder', 'Geocoding of places.'],
  ['CoinMarketCap', 'Cryptocurrencies.'],
  ['Bank Transfers', 'Sends money by a transfer.'],
  ['Contract Reader', 'Reads a contract.'],
  ['Soil Lab', 'Measures moisture of soils.'],
  ['Stable Keeper', 'Keeps horses in a stable.'],
  ['Planet Book', 'Facts of every planet.'],
  ['Station Board', 'Departures of a station.'],
] as const

const catalog = openSemantic(...toEntries(ENTRIES))
const ask = (q: string) => catalog.searchByIntent({ q, limit: 5 }).decode().results

test.each([
  ['opneweathermap', 'OpenWeatherMap'],
  ['trnascribe a talk', 'Transcriber'],
  ['langauges', 'Tongues'],
  ['sentimant', 'Word Mood'],
  ['geocdoing', 'Place Finder'],
  ['goecoding', 'Place Finder'],
  ['coinmarketcp', 'CoinMarketCap'],
  ['cryptocurency', 'CoinMarketCap'],
  ['transcirbe a call', 'Transcriber'],
])('a misspelt word finds services for the intended word: %s', (query, name) => {
  expect(ask(query)[0]?.service.name).toBe(name)
  expect(ask(query)[0]?.matchedTokens).not.toEqual([])
})

test.each([
  ['deadlines', 'World Headlines'],
  ['contrast of a picture', 'Contract Reader'],
  ['transform a matrix', 'Bank Transfers'],
  ['toilet nearby', 'Soil Lab'],
  ['coal reserves', 'Soil Lab'],
  ['tables and chairs', 'Stable Keeper'],
  ['staple food', 'Stable Keeper'],
  ['stations of the cross', 'OpenWeatherMap'],
  ['statins and cholesterol', 'Station Board'],
  ['bread and butter', 'Contract Reader'],
])('a correct word is not read as another: %s', (query, name) => {
  const found = ask(query).find(({ service }) => service.name === name)
  expect(found?.matchedTokens ?? []).toEqual([])
})
