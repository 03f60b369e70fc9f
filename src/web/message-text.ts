// Renders a message of the directory in the language of the page.

import type { Problem } from '../domain/errors.ts'
import type { Message } from '../messages/message.ts'
import { rawCodesOf } from '../messages/raw-codes.ts'
import { tell } from '../messages/tell.ts'
import { type Html, html } from './html.ts'
import { PAGE_LANGUAGES, SOURCE_LANGUAGE } from './languages/page-languages.ts'
import { toShortened } from './provider-text.ts'
import type { View } from './view.ts'

/** The text, and the `lang` attribute of its element if it is English on a page in another language. */
type MessageText = { readonly text: string; readonly mark: Html | undefined }

export function toMessageText({ language }: View, message: Message): MessageText {
  if (language === SOURCE_LANGUAGE || !isVerbatim(message)) {
    const text = tell(message, language)
    return { text: PAGE_LANGUAGES[language].unbroken?.(text) ?? text, mark: undefined }
  }
  return { text: tell(message, SOURCE_LANGUAGE), mark: html` lang="${SOURCE_LANGUAGE}"` }
}

/** The problem of a field. Messages about headers and types are for programs; a form has simpler ones. */
export function toProblemText(view: View, { said }: Problem): MessageText {
  const { plain, sentence } = view.words.register
  if (Object.hasOwn(plain, said.code))
    return { text: plain[said.code as keyof typeof plain], mark: undefined }
  const { text, mark } = toMessageText(view, said)
  // Some are written without a full stop.
  return { text: /[.。]$/.test(text) ? text : sentence(text), mark }
}

/** Codes of other programs are in the title of the paragraph, for engineers. */
export function toMessageParagraph(view: View, message: Message): Html {
  const { text, mark } = toMessageText(view, message)
  const codes = rawCodesOf(message)
  return html`<p${mark}${codes.length > 0 ? html` title="${codes.join(', ')}"` : undefined}>${toShortened(text, PAGE_LANGUAGES[view.language].glued)}</p>`
}

/** Whether it is English in every language, or would be partly English. */
function isVerbatim(message: Message): boolean {
  if (message.code === 'text') return true
  if (message.code === 'several') return message.values.messages.every(isVerbatim)
  return message.code === 'invalid_field' || message.code === 'required'
    ? isVerbatim(message.values.problem)
    : false
}
