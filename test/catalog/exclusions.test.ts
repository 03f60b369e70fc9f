import { expect, test } from 'bun:test'
import { open, toEntries } from './listings.ts'

const NAMES = ['Google Translate', 'Gооgle Translate', 'Goog1e Translate', 'G o o g l e Translate', 'Honyaku']
const catalog = open(
  ...toEntries(NAMES.map(name => [name, 'Translation of texts into sixty languages.', 'translation'])),
)

test.each(['translation, not Google', 'Google以外の翻訳'])('%s leaves out names that look like it', q => {
  const { results, constraints } = catalog.searchByIntent({ q, limit: 10 }).decode()
  expect(results.map(({ service }) => service.name)).toEqual(['Honyaku'])
  expect(constraints.excluded).toEqual(['google'])
})
