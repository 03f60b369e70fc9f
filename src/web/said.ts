// What the directory says in English, in the language of the page where it is known.
import { type Html, html } from './html.ts'
import { PAGE_LANGUAGES, SOURCE_LANGUAGE } from './languages/page-languages.ts'
import type { View } from './view.ts'

/** The text, and what marks the element around it where it stays English on a page of another language. */
export type Said = { readonly text: string; readonly mark: Html | undefined }

const toSaid = ({ language }: View, text: string, translated: string | undefined): Said => ({
  text: translated ?? text,
  mark:
    language === SOURCE_LANGUAGE || translated !== undefined ? undefined : html` lang="${SOURCE_LANGUAGE}"`,
})

export const saySentences = (view: View, text: string): Said =>
  toSaid(view, text, PAGE_LANGUAGES[view.language].translateSentences?.(text))

/** What is wrong with a field, or another part of a sentence. */
export const sayPhrase = (view: View, text: string): Said =>
  toSaid(view, text, PAGE_LANGUAGES[view.language].translatePhrase?.(text))

export function toParagraph(view: View, text: string): Html {
  const said = saySentences(view, text)
  return html`<p${said.mark}>${said.text}</p>`
}
