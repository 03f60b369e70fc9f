// What the directory says, in the language of the page.
import type { Message } from '../messages/message.ts'
import { tell } from '../messages/tell.ts'
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

const saySentences = (view: View, text: string): Said =>
  toSaid(view, text, PAGE_LANGUAGES[view.language].translateSentences?.(text))

/** What is wrong with a field, or another part of a sentence. */
export const sayPhrase = (view: View, text: string): Said =>
  toSaid(view, text, PAGE_LANGUAGES[view.language].translatePhrase?.(text))

export function toParagraph(view: View, text: string): Html {
  const said = saySentences(view, text)
  return html`<p${said.mark}>${said.text}</p>`
}

export const toMessageParagraph = (view: View, message: Message): Html => {
  const isMarked = view.language !== SOURCE_LANGUAGE && isVerbatim(message)
  const mark = isMarked ? html` lang="${SOURCE_LANGUAGE}"` : undefined
  return html`<p${mark}>${tell(message, view.language)}</p>`
}

/** What was kept before there were codes is English. */
const isVerbatim = (message: Message): boolean =>
  message.code === 'text' || (message.code === 'several' && message.values.messages.every(isVerbatim))
