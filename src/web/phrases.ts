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

/** The `lang` attribute for text in another language than that of the page, if its lines break differently. */
export function toLanguageMark({ language }: View, text: string): Html | undefined {
  const found = Object.entries(PAGE_LANGUAGES).find(
    ([code, { phrases }]) => code !== language && phrases?.recognises(text) && languageOfText(text) === code,
  )
  return found && html` lang="${found[0]}"`
}
