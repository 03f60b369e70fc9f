// Exclusions in a Japanese sentence: 「Google以外の」「DeepLではない」「ログイン不要」.
import { beyondAscii, isProvider, type Reader } from '../constraint-rules.ts'

/** Negates the condition before it. */
export const JAPANESE_NEGATION = {
  after:
    /^(?:以外|(?:では|じゃ|で)(?:ない|なく|無い)|[をは]?除(?:く|き|いて|いた|外)|[がのは]?(?:なし|無し|ない|無い))(?:の(?:支払い|決済|チェーン)(?:で|に)?|の|で|に)?/u,
}

/** A name or a noun: any run without hiragana. */
const NOUN = '[\\p{Script=Han}ァ-ヶー々a-z0-9][\\p{Script=Han}ァ-ヶー々a-z0-9.&+_-]{0,23}'
const LEFT_OUT = beyondAscii(
  '以外|ない|なく|除|のぞ|抜き|避け|外し|不可|はng|はだめ|はダメ|使わ',
  new RegExp(
    `(?<what>${NOUN})(?:以外(?!でも|にも|も)|(?:では|じゃ)(?:ない(?!か|です|でしょ|だろ|よ[ねな]|と|ん?の?\\?)|なく(?:て(?!も))?(?!て?も))|でなく(?:て(?!も))?(?!て?も)|(?:を|は|も|だけ)?(?:除(?:く|いた|いて|外(?:した|して|する)?)|のぞ(?:く|いた|いて))|(?:は|も)(?:抜き|避けて|避けたい|外して)(?:ください)?|を(?:避け(?:て|たい)|外(?:して|した))|(?<=[a-z0-9])(?:抜き(?=で|の)|(?:は|も)?不可|(?:は|も)ng(?![a-z])|は(?:だめ|ダメ|使いたくない|使わ(?:ない(?:で)?|ずに?))))(?:の|で|に)?`,
    'gu',
  ),
)
const WITHOUT = beyondAscii(
  '不要|なし|無し|いらず|ない|せずに|使わず',
  new RegExp(
    `(?<what>${NOUN})(?:(?:が|は|も)?(?:不要|いらず|(?:いら|要ら)ない|必要(?:が|の|は)?ない)|(?<!底|果て|限|文句|問題|際限|切れ目)(?:なし|無し)(?!に)|(?<=登録|ログイン|サインアップ|インストール|課金|契約|認証|購入)せずに|を使わ(?:ない|ずに?))(?:の|で|に|な)?(?:ok|オーケー)?`,
    'gu',
  ),
)
/** A capitalised name of several words: Google Maps以外. */
const NAME_BEFORE = /(?<![a-z0-9])(?:[A-Z][A-Za-z0-9.&+-]* )+$/u
/** A name before another one in a list: OpenAIとAnthropic以外. Of abbreviations, most are none: OCRとGoogle以外. */
const LISTED = /(?<![A-Za-z0-9])(?<name>[A-Za-z][A-Za-z0-9.&+-]*) ?(?:と|や|か|、|,|・|\/|および|or|and) ?$/u
const CAPITALISED = /^[A-Z][A-Za-z0-9.]*[a-z]/

/** Returns the names of a list before the last one, and where it begins. */
function readListed(text: string, end: number): { readonly names: string[]; readonly start: number } {
  const names: string[] = []
  let start = end
  for (let match = LISTED.exec(text.slice(0, start)); match; match = LISTED.exec(text.slice(0, start))) {
    const name = match.groups!.name!
    if (!CAPITALISED.test(name) && !isProvider(name.toLowerCase())) break
    names.unshift(name.toLowerCase())
    start = match.index
  }
  return { names, start }
}

export const JAPANESE_EXCLUSION: Reader = [
  {
    pattern: LEFT_OUT,
    handle({ index, groups }, { text }) {
      const what = groups!.what!
      if (!/^[a-z]/.test(what)) return { excluded: { words: what } }
      const before = NAME_BEFORE.exec(text.slice(0, index))?.[0] ?? ''
      const { names, start } = readListed(text, index - before.length)
      return { excluded: { words: [...names, `${before.toLowerCase()}${what}`].join('\n') }, start }
    },
  },
  {
    pattern: WITHOUT,
    handle({ index, groups }, { text }) {
      const what = groups!.what!
      if (!isProvider(what)) return { unapplied: { code: 'undecidable' } }
      const { names, start } = readListed(text, index)
      return { excluded: { words: [...names, what].join('\n') }, start }
    },
  },
]
