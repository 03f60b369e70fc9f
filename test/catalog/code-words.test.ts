// Identifiers as search words, and similar identifiers for the opposite or something else.
import { expect, test } from 'bun:test'
import { open, toEntries } from './listings.ts'

/** Each line: a word, what does it, the word turned round, what does that. */
const WORDS = `
getTokenPrice|Price of any token.|getTokenHolders|Holders of any token.
sendLetter|Sends a letter.|trackLetter|Tracks a letter.
codeReview|Reviews code.|codeExecution|Executes code.
createInvoice|Creates an invoice.|payInvoice|Pays an invoice.
encodeBase64|Encodes Base64.|decodeBase64|Decodes Base64.
listFlights|Lists flights.|bookFlights|Books flights.`

const pairs = WORDS.trim()
  .split('\n')
  .flatMap(line => {
    const [word, description, opposite, other] = line.split('|') as [string, string, string, string]
    return [
      [word, description],
      [opposite, other],
    ] as const
  })
const catalog = open(
  ...toEntries(pairs.map(([, description], i) => [`Service ${String.fromCharCode(65 + i)}`, description])),
)

test.each(pairs)('an identifier finds services by its parts: %s: %s', (word, description) => {
  const { results } = catalog.searchByIntent({ q: `I need ${word}`, limit: 5 }).decode()
  expect(results[0]?.service.description).toBe(description)
})
