// The direction of a conversion: services for the requested direction rank before those for the opposite one.
import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { sharedEmbedder } from '../embedder.ts'
import { entry } from '../entries.ts'

/** Both ways of ten conversions, told in as many manners as sellers do. */
const ENTRIES = [
  ['PDF to Markdown', 'Turns a PDF file into clean Markdown.'],
  ['Markdown to PDF', 'Turns a Markdown file into a clean PDF.'],
  ['html2pdf', 'Renders web pages: convert HTML to PDF.'],
  ['pdf2html', 'Reads documents: convert PDF to HTML.'],
  ['SpeechToText', 'Makes text from speech in thirty languages.'],
  ['TextToSpeech', 'Makes speech from text in thirty languages.'],
  ['CSV Mill', 'Data conversion: CSV files into JSON documents.'],
  ['JSON Mill', 'Data conversion: JSON documents into CSV files.'],
  ['png-to-svg', 'Traces a PNG image into an SVG drawing.'],
  ['svg-to-png', 'Paints an SVG drawing into a PNG image.'],
  ['Word 変換', 'Word文書をExcelの表に変換します。'],
  ['Excel 変換', 'Excelの表をWord文書に変換します。'],
  ['和英屋', '日本語から英語への翻訳をします。'],
  ['英和屋', '英語から日本語への翻訳をします。'],
  ['緯度経度さん', '住所から緯度経度を求めます。'],
  ['住所さん', '緯度経度から住所を求めます。'],
  ['字起こし', '動画をテキストにします。'],
  ['動画作り', 'テキストを動画にします。'],
  ['XML → YAML', 'XMLをYAMLへ書き換えます。'],
  ['YAML → XML', 'YAMLをXMLへ書き換えます。'],
]

/** Each is another seller's. */
const openCatalog = (texts: readonly string[][]) => {
  const entries = texts.map(([name = '', description = ''], i) =>
    entry({
      name,
      description,
      endpoint: `https://seller-${i}.example/v1`,
      x402Config: { paymentAddress: `0x${String(i + 10).repeat(20)}`, network: 'base' },
    }),
  )
  const catalog = new Catalog(createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) }))
  catalog.apply(entries.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
  return catalog
}
const catalog = openCatalog(ENTRIES)
const ask = (q: string, limit = 10) => catalog.searchByIntent({ q, limit }).decode()

describe('a conversion and its opposite', () => {
  test.each([
    ['pdf to markdown', 'PDF to Markdown', 'markdown to pdf', 'Markdown to PDF'],
    ['convert a HTML page into a PDF', 'html2pdf', 'HTML from a PDF file', 'pdf2html'],
    ['speech to text', 'SpeechToText', 'text to speech', 'TextToSpeech'],
    ['turn CSV into JSON', 'CSV Mill', 'turn JSON into CSV', 'JSON Mill'],
    ['png2svg', 'png-to-svg', 'svg2png', 'svg-to-png'],
    ['WordをExcelに変換したい', 'Word 変換', 'ExcelをWordに変換したい', 'Excel 変換'],
    ['日本語を英語に翻訳', '和英屋', '英語を日本語に翻訳', '英和屋'],
    ['住所から緯度経度', '緯度経度さん', '緯度経度から住所', '住所さん'],
    ['動画からテキストを作る', '字起こし', 'テキストから動画を作る', '動画作り'],
    ['XML→YAML 変換', 'XML → YAML', 'YAML→XML 変換', 'YAML → XML'],
  ])('%s finds %s, %s finds %s', (query, name, opposite, other) => {
    expect(ask(query).results[0]?.service.name).toBe(name)
    expect(ask(opposite).results[0]?.service.name).toBe(other)
    expect(ask(query, 1).results[0]?.service.name).toBe(name)
    expect(ask(opposite, 1).results[0]?.service.name).toBe(other)
  })

  test('are found in the other language too', () => {
    expect(ask('音声をテキストに変換').results[0]?.service.name).toBe('SpeechToText')
    expect(ask('テキストを音声に変換').results[0]?.service.name).toBe('TextToSpeech')
    expect(ask('translate from English to Japanese').results[0]?.service.name).toBe('英和屋')
    expect(ask('translate from Japanese to English').results[0]?.service.name).toBe('和英屋')
  })
})

test('a format is found by several names', () => {
  const formats = openCatalog([
    ['Printer', 'Office documents to PDF.'],
    ['Editor', 'PDF to Word.'],
    ['Sheets', 'Excel to CSV.'],
    ['Cells', 'CSV to Excel.'],
  ])
  const firstOf = (q: string) => formats.searchByIntent({ q, limit: 4 }).decode().results[0]?.service.name
  expect(firstOf('pdf -> docx')).toBe('Editor')
  expect(firstOf('docx -> pdf')).toBe('Printer')
  expect(firstOf('csv to xlsx')).toBe('Cells')
  expect(firstOf('xlsx to csv')).toBe('Sheets')
})

test('a service for the opposite conversion stays in the results, with a reason, and in order of score', () => {
  const { results, total } = ask('pdf to markdown')
  const back = results.find(({ service }) => service.name === 'Markdown to PDF')
  expect(back?.reason).toContain('converts the other way')
  expect(results.map(({ score }) => score)).toEqual(
    results.map(({ score }) => score).toSorted((a, b) => b - a),
  )
  expect(total).toBe(ask('markdown to pdf').total)
  const japanese = ask('英語を日本語に翻訳').results.find(({ service }) => service.name === '和英屋')
  expect(japanese?.reason).toContain('逆方向の変換')
})

test('an entry that converts in both directions, or in none, is not demoted', () => {
  const both = openCatalog([
    ['Both Ways', 'PDF to Markdown and Markdown to PDF.'],
    ['Between', 'Converts between Markdown and PDF.'],
    ['Sender', 'An API to send text to phones, easy to use.'],
  ])
  for (const query of [
    'pdf to markdown',
    'markdown to pdf',
    'an API to text people',
    'use of an API to send',
  ]) {
    for (const { reason } of both.searchByIntent({ q: query, limit: 10 }).decode().results)
      expect(reason).not.toContain('the other way')
  }
})
