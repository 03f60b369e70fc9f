// Abbreviations that are written as the names of their letters: ピーディーエフ is PDF, おーしーあーる is OCR.

const NAMES = `a エー,エイ b ビー c シー d ディー e イー f エフ g ジー h エイチ,エッチ i アイ j ジェー,ジェイ k ケー,ケイ l エル m エム n エヌ
o オー p ピー q キュー r アール s エス t ティー u ユー v ブイ,ヴイ,ヴィー w ダブリュー,ダブルユー x エックス y ワイ z ゼット,ズィー`

const toHiragana = (katakana: string): string =>
  katakana.replace(/[ァ-ヶ]/g, kana => String.fromCharCode(kana.charCodeAt(0) - 0x60))

const LETTERS = new Map<string, string>()
for (const [, letter, names] of NAMES.matchAll(/([a-z]) (\S+)/g))
  for (const name of names!.split(',')) {
    LETTERS.set(name, letter!)
    LETTERS.set(toHiragana(name), letter!)
  }

const namesIn = (script: RegExp): string =>
  [...LETTERS.keys()]
    .filter(name => script.test(name))
    .sort((a, b) => b.length - a.length)
    .join('|')
const KATAKANA = namesIn(/^[ァ-ヶー]+$/)
const HIRAGANA = namesIn(/^[ぁ-ゖー]+$/)

/** In hiragana, a particle may follow. */
const SPELT = new RegExp(
  `(?<![ァ-ヶー])(?:${KATAKANA}){2,}(?![ァ-ヶー])|(?<![ぁ-ゖー])(?:${HIRAGANA}){2,}(?=$|[^ぁ-ゖー]|[をのがはにでともやへ]|から|まで|って)`,
  'gu',
)
const LETTER = new RegExp(`${KATAKANA}|${HIRAGANA}`, 'gu')
/** Part of every such spelling. */
const HINT = /ー|エ[スムヌルフ]|え[すむぬるふ]/u
/** Two letters without a long vowel may be another word: アイエス. */
const MIN_SHORT = 3

/** Returns the text with letters instead of their names. */
export function withLetters(text: string): string {
  if (!HINT.test(text)) return text
  return text.replace(SPELT, spelt => {
    const names = spelt.match(LETTER)!
    return names.length < MIN_SHORT && !spelt.includes('ー')
      ? spelt
      : names.map(name => LETTERS.get(name)!).join('')
  })
}
