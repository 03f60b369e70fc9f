// What a page shows when the directory refuses a request. Internal errors are handled elsewhere.
import { DirectoryError, type Problem } from '../domain/errors.ts'
import { FILTER_NAMES } from '../domain/queries/filters.ts'
import { type Html, html } from './html.ts'
import { toMessageParagraph, toProblemText } from './message-text.ts'
import type { View } from './view.ts'

const MAX_GIVEN = 60

/** @throws any error that is not a refusal */
export function toRefusal(error: unknown): DirectoryError {
  if (error instanceof DirectoryError) return error
  throw error
}

export const toRefusalText = (view: View, title: string, error: DirectoryError): Html =>
  error.code === 'not_ready'
    ? html`<p class="empty" role="status">${view.words.loading}</p>`
    : html`<div class="notice wrong" role="status">${title && html`<h2>${title}</h2>`}${
        error.problems.length > 0
          ? error.problems.map(problem => toParameterProblem(view, problem))
          : toMessageParagraph(view, error.said)
      }</div>`

/** What is wrong with a parameter, by the name and in the words of its control on the page. */
function toParameterProblem(view: View, problem: Problem): Html {
  const { words, request } = view
  const { path, said } = problem
  const filter = FILTER_NAMES.find(name => name === path)
  const label = filter ? words.filters[filter].label : (words.search.parameters[path] ?? path)
  const given = request.parameters[path]
  const { text, mark } =
    said.code === 'not_one_of'
      ? {
          text: words.search.notOneOf(said.values.values.map(filter ? words.filters[filter].value : String)),
          mark: undefined,
        }
      : toProblemText(view, problem)
  return html`<p><b>${label}</b>${words.colon}${given ? words.search.notPossible(given.slice(0, MAX_GIVEN)) : undefined}<span${mark}>${text}</span></p>`
}
