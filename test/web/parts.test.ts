import { describe, expect, test } from 'bun:test'
import { ENGLISH_WORDS as ENGLISH } from '../../src/web/languages/english/words.ts'
import { JAPANESE_WORDS as JAPANESE } from '../../src/web/languages/japanese/words.ts'
import {
  toCutName,
  toMarkedText,
  toNameHeading,
  toProviderText,
  toShortened,
  toShortUrl,
} from '../../src/web/provider-text.ts'
import { chooseLanguage, toLatencyText, toOuterLink, toTimeText } from '../../src/web/view.ts'

test('a latency has two significant digits, in seconds from one second on', () => {
  const view = { words: ENGLISH, number: (value: number) => value.toLocaleString('en') }
  const texts = [0.4, 7.6, 94, 263, 994, 996, 1_249, 9_960, 24_400].map(ms => toLatencyText(view, ms))
  expect(texts).toEqual(['0 ms', '8 ms', '94 ms', '260 ms', '990 ms', '1 s', '1.2 s', '10 s', '24 s'])
  expect(toLatencyText({ ...view, words: JAPANESE }, 1_249)).toBe('1.2秒')
})

test('one call by one wallet is told in the singular', () => {
  const { listClaim, bought } = ENGLISH.service
  expect(listClaim('list.example', 'May 1', '1', '1')).toContain(' counted 1 paid call by 1 wallet within ')
  expect(listClaim('list.example', 'May 1', '2', '3')).toContain(' counted 2 paid calls by 3 wallets within ')
  expect(bought.sum('1', '1')).toBe('1 of 1 test purchase delivered.')
})

test('a long name is cut between characters in lists, and whole in its heading', () => {
  expect(toCutName('Weather')).toBe('Weather')
  expect(toCutName('😀'.repeat(81))).toBe(`${'😀'.repeat(80)}…`)
  expect(toCutName('Weather for every harbour', 14)).toBe('Weather for…')
  expect(toNameHeading('Weather').text).toBe('<h1>Weather</h1>')
  expect(toNameHeading('x'.repeat(255)).text).toBe(`<h1 class="lengthy">${'x'.repeat(255)}</h1>`)
})

const marked = (text: string, tokens: string[], most = 1000) => toMarkedText(text, tokens, most).text

describe('marked words', () => {
  test('are found in any inflection and case, but not inside other words', () => {
    expect(marked('Weather forecasts. Whether or not.', ['weather', 'forecast'])).toBe(
      '<mark>Weather</mark> <mark>forecasts</mark>. Whether or not.',
    )
    expect(marked('A portrait of a port', ['port'])).toBe('A portrait of a <mark>port</mark>')
    expect(marked('全国の天気予報を返します', ['天気予報'])).toBe('全国の<mark>天気予報</mark>を返します')
    // A border within the marked words, and none within a word at their end.
    expect(marked('手書きの帳票を読む', ['手書きの帳票'])).toBe('<mark>手書きの帳票</mark>を読む')
  })

  test('are HTML-escaped like the text around them', () => {
    expect(marked('<b>ocr</b>', ['ocr'])).toBe('&lt;b&gt;<mark>ocr</mark>&lt;/b&gt;')
  })

  test('are kept when a long text is cut', () => {
    const text = marked(`A receipt ${'word '.repeat(200)}`, ['receipt'], 200)
    expect(text).toContain('<mark>receipt</mark>')
    expect(text).toEndWith('word…')
    expect(marked('😀'.repeat(200), [], 101).isWellFormed()).toBe(true)
  })
})

describe('long values', () => {
  const [one, other] = [`0xab12${'c'.repeat(30)}9def`, `0xab12${'d'.repeat(30)}9def`]
  const plain = (text: string) => toShortened(text).text.replace(/<i .*?<\/i>|<[^>]*>/g, '')

  test('are shortened on screen and copied whole', () => {
    const { text } = toShortened(`It pays ${one}.`)
    expect(text).toBe(
      `It pays <span class="long" title="${one}">0xab12<span>${'c'.repeat(30)}</span><i aria-hidden="true">…</i>9def</span>.`,
    )
    const solana = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
    expect(toShortened(`to ${solana}`).text).toContain(`title="${solana}"`)
    expect(plain(`to ${solana}, ${one}`)).toBe(`to ${solana}, ${one}`)
  })

  test('are not shortened if two would look the same', () => {
    expect(toShortened(`not ${one}, but ${other}`).text).toBe(`not ${one}, but ${other}`)
    expect(toShortened(`${one} and ${one}`).text).toContain('class="long"')
  })

  test('do not include words, numbers and parts of a URL', () => {
    for (const text of [`https://a.example/${one}`, 'x'.repeat(80), 'ordinary words', '1'.repeat(20)])
      expect(toShortened(text).text).toBe(text)
  })
})

describe('long URLs', () => {
  const host = 'https://api.weather.example'
  const url = `${host}/v1/${'part/'.repeat(40)}forecast.json?units=metric`
  const read = (text: string) => text.replace(/<i .*?<\/i>|<[^>]*>/g, '')
  const seen = (text: string) => text.replace(/<span>[^<]*<\/span>|<[^>]*>/g, '')

  test('are shown by host and end, and are copied whole', () => {
    const { text } = toShortUrl(url)
    expect(seen(text)).toMatch(
      /^https:\/\/api\.weather\.example\/v1\/part\/.*….*forecast\.json\?units=metric$/,
    )
    expect(seen(text).length).toBeLessThanOrEqual(97)
    expect(read(text)).toBe(url)
    expect(text).toContain(`title="${url}"`)
    expect(toShortUrl(`${host}/v1`).text).toBe(`${host}/<wbr>v1`)
  })

  test('keep a long host whole, and no character in halves', () => {
    const far = `https://${'label.'.repeat(30)}example`
    expect(seen(toShortUrl(`${far}/${'a'.repeat(40)}`).text)).toStartWith(`${far}…`)
    expect(toShortUrl(`${host}/${'😀'.repeat(200)}`).text.isWellFormed()).toBe(true)
    expect(toShortUrl(`${host}/${'"><b>'.repeat(60)}`).text).not.toContain('<b>')
  })

  test('are shortened in the words of a provider, which are otherwise as they were', () => {
    const { text } = toProviderText(`See ${url}, <b>or</b> not.`)
    expect(text).toStartWith('See <span class="long url"')
    expect(text).toEndWith(' &lt;b&gt;or&lt;/b&gt; not.')
    expect(toProviderText('Plain words').text).toBe('Plain words')
  })
})

test('only http and https URLs become links', () => {
  expect(toOuterLink('https://a.example/x')).toBe('https://a.example/x')
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'JaVaScript:x', 'nonsense', ''])
    expect(toOuterLink(address)).toBeUndefined()
})

test('a language is chosen by quality, then by order', () => {
  expect(chooseLanguage('ja')).toBe('ja')
  expect(chooseLanguage('fr,ja;q=0.5,en;q=0.4')).toBe('ja')
  expect(chooseLanguage('ja;q=0')).toBe('en')
  expect(chooseLanguage(null)).toBe('en')
  expect(chooseLanguage('en,ja')).toBe('en')
  expect(chooseLanguage('ja-JP,en')).toBe('ja')
  expect(chooseLanguage('fr,ja,en')).toBe('en')
})

test('times are formatted in both languages, in UTC', () => {
  expect(toTimeText('2026-11-01T09:05:00.000Z', 'en')).toBe('1\u00a0Nov\u00a02026, 09:05\u00a0UTC')
  expect(toTimeText('2026-11-01T09:05:00.000Z', 'ja')).toBe('2026/11/01 09:05\u00a0UTC')
})

test('every English text has a Japanese translation', () => {
  const same = [
    ...'name space nav.api footer.document search.exampleQuestions service.from service.id'.split(' '),
    ...'service.callFor proof.until'.split(' '),
  ]
  const untranslated: string[] = []
  const compare = (english: unknown, japanese: unknown, path: string) => {
    if (same.some(each => path.startsWith(each))) return
    if (typeof english === 'object' && english !== null)
      for (const [key, value] of Object.entries(english))
        compare(value, (japanese as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`)
    else if (
      typeof english === 'string' &&
      !/[\u3040-\u30ff\u4e00-\u9fff\uff00-\uffef]/.test(String(japanese))
    )
      untranslated.push(path)
  }
  compare(ENGLISH, JAPANESE, '')
  expect(untranslated).toEqual([])
})
