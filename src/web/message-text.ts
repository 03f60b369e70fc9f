// Renders a message of the directory in the language of the page.

import type { Problem } from '../domain/errors.ts'
import { isToldIn, type Message, messagesWithin, shapeOf, tell } from '../messages/message.ts'
import { findDenial } from '../messages/purchase.ts'
import { type Html, html } from './html.ts'
import { PAGE_LANGUAGES, SOURCE_LANGUAGE } from './languages/page-languages.ts'
import { toShortened } from './provider-text.ts'
import type { View } from './view.ts'

/** The text, and the `lang` attribute of its element if it is English on a page in another language. */
type MessageText = { readonly text: string; readonly mark: Html | undefined }

export function toMessageText({ language }: View, message: Message): MessageText {
  if (isToldIn(language, message)) {
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

/** Codes of other programs in a message, such as ECONNREFUSED. Sentences put them into words; engineers look them up. */
export const rawCodesOf = (message: Message): string[] => [
  ...new Set([...ownCodes(message), ...messagesWithin(message.values).flatMap(rawCodesOf)]),
]

function ownCodes({ code, values }: Message): string[] {
  // A reason of a facilitator that has no words is quoted in the sentence.
  if (code === 'settlement_denied') return findDenial(values.why) ? [values.why] : []
  return Object.entries(shapeOf(code))
    .filter(([, kind]) => kind === 'code?')
    .flatMap(([name]) => (values as Readonly<Record<string, string | null>>)[name] ?? [])
}
