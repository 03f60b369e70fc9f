// Exclusions in a Japanese sentence: 「Google以外の」「DeepLではない」「ログイン不要」.
import { beyondAscii, type Reader } from '../constraint-rules.ts'

/** Negates the condition before it. */
export const JAPANESE_NEGATION = {
  after:
    /^(?:以外|(?:では|じゃ|で)(?:ない|なく|無い)|[をは]?除(?:く|き|いて|いた|外)|[がのは]?(?:なし|無し|ない|無い))(?:の(?:支払い|決済|チェーン)(?:で|に)?|の|で|に)?/u,
}

/** A name or a noun: any run without hiragana. */
const NOUN = '[\\p{Script=Han}ァ-ヶー々a-z0-9][\\p{Script=Han}ァ-ヶー々a-z0-9.&+_-]{0,23}'
const LEFT_OUT = beyondAscii(
  '以外|ない|なく|除|のぞ|抜き|避け|外し',
  new RegExp(
    `(?<what>${NOUN})(?:以外|(?:では|じゃ)(?:ない(?!か|です|でしょ|だろ|よ[ねな]|ん?の?\\?)|なく(?:て)?)|でなく(?:て)?|(?:を|は|も|だけ)?(?:除(?:く|いた|いて|外(?:した|して|する)?)|のぞ(?:く|いた|いて))|(?:は|も)(?:抜き|避けて|避けたい|外して)(?:ください)?|を(?:避け(?:て|たい)|外(?:して|した)))(?:の|で|に)?`,
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
const NAME_BEFORE = /(?:[A-Z][\p{L}\p{N}.&+-]* )+$/u

export const JAPANESE_EXCLUSION: Reader = [
  {
    pattern: LEFT_OUT,
    handle({ index, groups }, { text }) {
      const what = groups!.what!
      const before = /^[a-z]/.test(what) ? (NAME_BEFORE.exec(text.slice(0, index))?.[0] ?? '') : ''
      return { excluded: { words: `${before.toLowerCase()}${what}` }, start: index - before.length }
    },
  },
  { pattern: WITHOUT, handle: () => ({ unapplied: { code: 'undecidable' } }) },
]
