// Words that requests and services write differently, and words that only look alike: a table of catalogs, each with what finds what.
import { describe, expect, test } from 'bun:test'
import { open, openSemantic, toEntries } from './listings.ts'

type Case = {
  readonly texts: readonly (readonly [name: string, description: string, category?: string])[]
  /** Sentences, and the service that comes first. */
  readonly finds: readonly (readonly [query: string, name: string])[]
  /** Sentences, and a service that matches none of their words. */
  readonly not?: readonly (readonly [query: string, name: string])[]
}

const CASES: Readonly<Record<string, Case>> = {
  'terms of a field, and the same words in another context': {
    texts: [
      ['Fee Watch', 'Current gas fees of many chains.'],
      ['Pump Finder', 'Finds the nearest gas station.'],
      ['Margin Desk', 'A derivatives trading platform for coins.'],
      ['Charity Chest', 'Funding for research and rates of donations.'],
      ['Pool Rates', 'Interest rates and pools of lending protocols.'],
      ['Library Loans', 'Lets readers borrow a book.'],
      ['Abstracts', 'Scientific papers with their citations.'],
      ['Front Page', 'Headlines from ten thousand papers.'],
      ['Thesis Polish', '論文の校正をします。'],
      ['Mail Check', 'Validates email addresses.'],
      ['Mail Out', 'Sends an email to a list.'],
      ['Contract Audit', 'Scans a smart contract for known vulnerabilities.'],
      ['Contract Press', 'Creates a smart contract.'],
      ['Doctor Desk', 'Retrieves the diagnosis of a disease.'],
      ['Payout', 'Transfers funds abroad, remittance in minutes.'],
      ['Heat Lab', 'Computes the heat transfer of a wall.'],
      ['Past The Puzzle', 'An anticaptcha service for crawlers.'],
      ['Sum Solver', 'Solves equations and systems of equations.'],
      ['Homes Ledger', 'Prices and listings of homes, rents by district.'],
      ['Statute Desk', 'Property law and land law, by section.'],
      ['Sense Space', 'Turns text into vectors for search.'],
      ['Tiny Boards', 'Lists embedded systems and embedded devices.'],
    ],
    finds: [
      ['current gas price', 'Fee Watch'],
      ['ガス代はいくら', 'Fee Watch'],
      ['where is a gas station', 'Pump Finder'],
      ['funding for research', 'Charity Chest'],
      ['borrow a book', 'Library Loans'],
      ['論文の校正', 'Thesis Polish'],
      ['メアドが存在するか', 'Mail Check'],
      ['send an email to a list', 'Mail Out'],
      ['スマートコントラクトの監査', 'Contract Audit'],
      ['create a smart contract', 'Contract Press'],
      ['海外への送金', 'Payout'],
      ['heat transfer', 'Heat Lab'],
      ['solve an equation', 'Sum Solver'],
      ['家賃相場', 'Homes Ledger'],
      ['property law', 'Statute Desk'],
      ['embedded systems', 'Tiny Boards'],
    ],
  },
  'names of places, coins and days beside a task': {
    texts: [
      ['Fare Finder', 'Fares and seats of flights between airports, with a calendar of prices.', 'travel'],
      ['Sky Ten', 'Weather forecast for ten days by coordinates, with rain and wind.', 'weather'],
      ['Coin Quote', 'Spot price and volume of eight thousand cryptocurrencies.', 'crypto'],
      ['Fee Meter', 'Gas fees of transactions on every chain, current and predicted.', 'crypto'],
      ['やど帳', 'ホテルの空室と料金を調べます。', 'travel'],
      ['City, Berlin', 'Berlin open data.', 'government'],
      ['Kyoto Days', '京都の催し物。', 'entertainment'],
      ['Polygon', 'Shapes and stocks by Polygon.', 'finance'],
      ['Friday', 'Friday jokes.', 'entertainment'],
    ],
    finds: [
      ['flights from Lisbon to Berlin next Friday', 'Fare Finder'],
      ['今夜泊まれる京都のホテル', 'やど帳'],
      ['ビットコインの価格', 'Coin Quote'],
      ['gas fees on Polygon', 'Fee Meter'],
      ['open data of Berlin', 'City, Berlin'],
      ['京都の催し物', 'Kyoto Days'],
      ['jokes for Friday', 'Friday'],
    ],
  },
  'names and words in another script or language': {
    texts: [
      ['CoinGecko Relay', 'Prices of coins.'],
      ['Notion Sync', 'Reads and writes pages.'],
      ['Instagram Feed', 'Posts of public profiles.'],
      ['ねこ図鑑', '猫の種類を調べます。'],
      ['カーシェア', '車を借りられます。'],
      ['ことば', '翻訳をします。'],
      ['Ether Stats', 'Statistics of Ethereum.'],
      ['Scribe', 'Transcription of calls.'],
      ['Parrot', 'Answers of a large language model.'],
    ],
    finds: [
      ['コインゲッコー', 'CoinGecko Relay'],
      ['ノーション', 'Notion Sync'],
      ['インスタグラムの投稿', 'Instagram Feed'],
      ['ねこ', 'ねこ図鑑'],
      ['ほんやく', 'ことば'],
      ['イーサリアムの統計', 'Ether Stats'],
      ['文字起こし', 'Scribe'],
      ['LLM', 'Parrot'],
    ],
    not: [
      ['モーション', 'Notion Sync'],
      ['インスタント', 'Instagram Feed'],
      ['かねこ', 'ねこ図鑑'],
      ['くるみ', 'カーシェア'],
      ['コインランドリー', 'CoinGecko Relay'],
    ],
  },
  'misspelt words, and correct ones that look like another': {
    texts: [
      ['OpenWeatherMap', 'Weather.'],
      ['World Headlines', 'Headlines of five hundred papers.'],
      ['Transcriber', 'Transcribes recordings.'],
      ['Tongues', 'Translates between ninety languages.'],
      ['Place Finder', 'Geocoding of places.'],
      ['CoinMarketCap', 'Cryptocurrencies.'],
      ['Bank Transfers', 'Sends money by a transfer.'],
      ['Contract Reader', 'Reads a contract.'],
      ['Stable Keeper', 'Keeps horses in a stable.'],
    ],
    finds: [
      ['opneweathermap', 'OpenWeatherMap'],
      ['trnascribe a talk', 'Transcriber'],
      ['langauges', 'Tongues'],
      ['goecoding', 'Place Finder'],
      ['cryptocurency', 'CoinMarketCap'],
    ],
    not: [
      ['deadlines', 'World Headlines'],
      ['contrast of a picture', 'Contract Reader'],
      ['transform a matrix', 'Bank Transfers'],
      ['staple food', 'Stable Keeper'],
    ],
  },
  identifiers: {
    texts: [
      ['Service A', 'Price of any token.'],
      ['Service B', 'Holders of any token.'],
      ['Service C', 'Sends a letter.'],
      ['Service D', 'Tracks a letter.'],
    ],
    finds: [
      ['I need getTokenPrice', 'Service A'],
      ['I need getTokenHolders', 'Service B'],
      ['I need sendLetter', 'Service C'],
      ['I need trackLetter', 'Service D'],
    ],
  },
}

describe.each(Object.entries(CASES))('%s', (_, { texts, finds, not = [] }) => {
  const catalog = openSemantic(...toEntries(texts))
  const ask = (q: string) => catalog.searchByIntent({ q, limit: 5 }).decode().results
  test.each(finds)('%s finds %s', (query, name) => {
    expect(ask(query)[0]?.service.name).toBe(name)
  })
  if (not.length > 0)
    test.each(not)('%s does not match %s', (query, name) => {
      const found = ask(query).find(({ service }) => service.name === name)
      expect(found?.matchedTokens ?? []).toEqual([])
    })
})

test.each([
  ['translation, not Google', 'google'],
  ['Google以外の翻訳', 'google'],
])('%s leaves out names that look like it', (q, name) => {
  const names = [
    'Google Translate',
    'Gооgle Translate',
    'Goog1e Translate',
    'G o o g l e Translate',
    'Honyaku',
  ]
  const texts = names.map(
    each => [each, 'Translation of texts into sixty languages.', 'translation'] as const,
  )
  const { results, constraints } = open(...toEntries(texts))
    .searchByIntent({ q, limit: 10 })
    .decode()
  expect(results.map(({ service }) => service.name)).toEqual(['Honyaku'])
  expect(constraints.excluded).toEqual([name])
})
