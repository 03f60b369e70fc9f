import { expect, test } from 'bun:test'
import { toTypedNumber, toTypedUrl } from '../../../src/web/search/search-query.ts'

test.each([
  ['０．００２', '0.002'],
  ['　１２ ', '12'],
  ['０。５', '0.5'],
  ['1,5', '1,5'],
])('the number %s is read as %s', (typed, read) => {
  expect(toTypedNumber(typed)).toBe(read)
})

test.each([
  ['ｈｔｔｐｓ：／／ａｐｉ．example．com／ｖ１', 'https://api.example.com/v1'],
  ['「https://api.example.com/v1」', 'https://api.example.com/v1'],
  ['<https://api.example.com/v1>', 'https://api.example.com/v1'],
  ['example.com/api', 'https://example.com/api'],
  ['example.com:8443', 'https://example.com:8443'],
  ['「例え.jp/api」', 'https://例え.jp/api'],
  // What is a URL, or cannot be one, is as it was.
  ['https://api.example.com/検索！（1）', 'https://api.example.com/検索！（1）'],
  ['ftp://example.com/', 'ftp://example.com/'],
  ['localhost:3000', 'localhost:3000'],
  ['htp:/bad', 'htp:/bad'],
  ['nowhere', 'nowhere'],
])('the URL %s is read as %s', (typed, read) => {
  expect(toTypedUrl(typed)).toBe(read)
})
