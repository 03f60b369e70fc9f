import { expect, test } from 'bun:test'
import { SKETCH_BYTES, writeSketch } from '../../../src/domain/text/text-sketch.ts'

function equalBytes(a: string, b: string): number {
  const [first, second] = [a, b].map(text => {
    const bytes = new Uint8Array(SKETCH_BYTES)
    writeSketch(text, bytes, 0)
    return bytes
  }) as [Uint8Array, Uint8Array]
  return first.filter((byte, i) => byte !== 0 && byte === second[i]).length
}

const TEXT =
  'Hourly and ten-day weather forecast for any point on Earth. Temperature, rain, snow, wind and humidity come back in one JSON answer.'
const KANJI =
  '全国の市区町村の天気予報を1時間ごとに返します。気温、降水確率、風速のほか、警報と注意報にも対応しています。'

test.each([
  ['itself', TEXT, TEXT],
  ['look-alike letters', TEXT, TEXT.replaceAll('a', 'а').replaceAll('o', '0').replace('m', 'rn')],
  ['capitals and other signs', TEXT, TEXT.toUpperCase().replaceAll('.', ' !')],
  [
    'full-width letters',
    TEXT,
    TEXT.replace(/[a-z]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  ],
  ['swapped letters', TEXT, TEXT.replace(/\b([a-z]{2})([a-z])([a-z])/g, '$1$3$2')],
  ['a text without spaces', KANJI, KANJI],
])('the sketch is the same for %s', (_, a, b) => expect(equalBytes(a, b)).toBe(SKETCH_BYTES))

test.each([
  ['a few words more', TEXT, `${TEXT} amber bridge candle dune`],
  ['a sentence less', KANJI, KANJI.slice(0, 36)],
])('most of the sketch is the same for %s', (_, a, b) => expect(equalBytes(a, b)).toBeGreaterThanOrEqual(7))

test.each([
  [
    'another text',
    TEXT,
    'Live air quality index with smoke for many cities, and advice for people with asthma.',
  ],
  ['the same words in another order', TEXT, TEXT.split(' ').toReversed().join(' ')],
  [
    'another text without spaces',
    KANJI,
    '名刺の写真から会社名、氏名、役職、電話番号を読み取り、連絡先データとして返します。',
  ],
  ['what says too little', 'Weather API', 'Weather API'],
])('little of the sketch is the same for %s', (_, a, b) => expect(equalBytes(a, b)).toBeLessThan(5))
