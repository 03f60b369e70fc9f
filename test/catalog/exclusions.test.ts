import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { entry } from '../entries.ts'

const NAMES = ['Google Translate', 'Gооgle Translate', 'Goog1e Translate', 'G o o g l e Translate', 'Honyaku']
const catalog = new Catalog()
catalog.apply(
  NAMES.map((name, i) => {
    const listed = entry({
      name,
      description: 'Translation of texts into sixty languages.',
      category: 'translation',
      endpoint: `https://translate${i}.example/v1`,
      x402Config: { paymentAddress: `0x${String(i + 1).padStart(40, '0')}`, network: 'base' },
    })
    return { seq: i + 1, objectSeq: i + 1, id: listed.id, entry: listed }
  }),
)

test.each(['translation, not Google', 'Google以外の翻訳'])('%s leaves out names that look like it', q => {
  const { results, constraints } = catalog.searchByIntent({ q, limit: 10 }).decode()
  expect(results.map(({ service }) => service.name)).toEqual(['Honyaku'])
  expect(constraints.excluded).toEqual(['google'])
})
