// Marks phrases, so that lines break between them in languages without spaces.
import { languageOfText } from '../domain/languages/text-language.ts'
import { type Html, html } from './html.ts'
import { PAGE_LANGUAGES } from './languages/page-languages.ts'
import type { View } from './view.ts'

const WITHOUT_SPACES = Object.values(PAGE_LANGUAGES).flatMap(({ phrases }) => phrases ?? [])

/** The phrases of a word, whose language may be another than that of the page; the word alone where it has spaces around it. */
export const phrasesOf = (word: string): readonly string[] =>
  WITHOUT_SPACES.find(({ recognises }) => recognises(word))?.split(word) ?? [word]

/** A heading or a lead. */
export function toPhrased({ language }: View, text: string): Html {
  const { phrases } = PAGE_LANGUAGES[language]
  return phrases
    ? html`<span class="phrased">${phrases.split(text).map((phrase, i) => html`${i > 0 ? html`<wbr>` : undefined}${phrase}`)}</span>`
    : html`${text}`
}

/** Kana is written by no other language: a text of Han characters alone may be Chinese. */
const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u
/** Letters and signs of another language, and two kanji or katakana, which the model parts within compounds (手|書き). */
const WITHIN_WORD = /^(?:[\x21-\x7e]{2}|\p{sc=Han}{2}|[\p{sc=Katakana}ー]{2})$/u

/** A verb that is the first half of a compound: 切り|抜き. */
const STEM = /\p{sc=Han}[きしちみりぎびえけせめれげべ]$/u

/**
 * Where lines of a provider's text may break, in whichever language it is; undefined where that is left to the browser. The borders that
 * are surely within a word do not count.
 */
export function breaksOf(text: string): readonly number[] | undefined {
  if (!KANA.test(text)) return undefined
  const breaks: number[] = []
  let last = ''
  let at = 0
  for (const phrase of phrasesOf(text)) {
    const isWithin =
      WITHIN_WORD.test(last.slice(-1) + phrase[0]) || (STEM.test(last) && /^\p{sc=Han}/u.test(phrase))
    if (last !== '' && !isWithin) breaks.push(at)
    last = phrase
    at += phrase.length
  }
  return breaks
}

/** A part of a text with the breaks of the whole. */
export function toBroken(text: string, from: number, to: number, breaks: readonly number[] = []): Html {
  const starts = breaks.filter(at => at >= from && at < to)
  const ends = [...starts, to]
  return html`${text.slice(from, ends[0])}${starts.map((at, i) => html`<wbr>${text.slice(at, ends[i + 1])}`)}`
}

export function toForeignPhrases(text: string): Html {
  const breaks = breaksOf(text)
  return breaks ? html`<span class="phrased">${toBroken(text, 0, text.length, breaks)}</span>` : html`${text}`
}

/** The `lang` attribute for text in another language than that of the page, if its lines break differently. */
export function toLanguageMark({ language }: View, text: string): Html | undefined {
  const found = Object.entries(PAGE_LANGUAGES).find(
    ([code, { phrases }]) => code !== language && phrases?.recognises(text) && languageOfText(text) === code,
  )
  return found && html` lang="${found[0]}"`
}
