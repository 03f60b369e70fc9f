// Renders a message of the directory in the language of the page.

import type { DirectoryError, Problem } from '../domain/errors.ts'
import { isToldIn, type Message, tell } from '../messages/message.ts'
import { type Html, html } from './html.ts'
import { SOURCE_LANGUAGE } from './languages/page-languages.ts'
import { toShortened } from './provider-text.ts'
import type { View } from './view.ts'

/** The text, and the `lang` attribute of its element if it is English on a page in another language. */
type MessageText = { readonly text: string; readonly mark: Html | undefined }

export function toMessageText({ language }: View, message: Message): MessageText {
  if (isToldIn(language, message)) return { text: tell(message, language), mark: undefined }
  return { text: tell(message, SOURCE_LANGUAGE), mark: html` lang="${SOURCE_LANGUAGE}"` }
}

/** The problem of a field. Messages about headers and types are for programs; a form has simpler ones, which name the act. */
export function toProblemText(view: View, { said, path }: Problem): MessageText {
  const { plain, sentence, fields } = view.words.register
  if (Object.hasOwn(plain, said.code))
    return { text: plain[said.code as keyof typeof plain](fields[path]?.[0]), mark: undefined }
  const { text, mark } = toMessageText(view, said)
  // Some are written without a full stop.
  return { text: /[.。]$/.test(text) ? text : sentence(text), mark }
}

export function toMessageParagraph(view: View, message: Message): Html {
  const { text, mark } = toMessageText(view, message)
  return html`<p${mark}>${toShortened(text)}</p>`
}

/** That something was refused, and why. @param fieldOf where a field is on the page, and what it is called there */
export function toWrong(
  view: View,
  { said, problems }: Partial<Pick<DirectoryError, 'said' | 'problems'>>,
  fieldOf: (path: string) => readonly [id: string, label: string | undefined] | undefined = () => undefined,
): Html {
  const title =
    problems && problems.length > 0
      ? view.words.register.problems(view.number(problems.length))
      : view.words.failures.other
  const items = (problems ?? []).map(problem => {
    const { text, mark } = toProblemText(view, problem)
    const { path, said } = problem
    const [id, label = path] = fieldOf(path) ?? []
    // What names the act needs no name before it.
    const isAct =
      said.code === 'key_needed' ||
      (/^(required|text_expected)$/.test(said.code) && view.words.register.fields[path])
    const whole = html`${isAct ? undefined : html`${label}${view.words.colon}`}<span${mark}>${text}</span>`
    return html`<li>${id === undefined ? whole : toFieldLink(id, whole)}</li>`
  })
  return html`<div class="notice wrong" role="alert" tabindex="-1"><strong>${title}</strong>${items.length > 0 ? html`<ul>${items}</ul>` : said && toMessageParagraph(view, said)}</div>`
}

/** Leads from a summary to a field. */
export const toFieldLink = (path: string, label: Html | string): Html => html`<a href="#${path}">${label}</a>`
