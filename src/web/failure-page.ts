// What a reader sees when something is refused or fails: a notice within a page, or the error page of an unknown URL.
import { DirectoryError, type Problem } from '../domain/errors.ts'
import { FILTER_NAMES } from '../domain/queries/filters.ts'
import { say } from '../messages/message.ts'
import { type Html, html } from './html.ts'
import { toCopyable, toDocument, toOperatorContact, toSearchBox } from './layout.ts'
import { toMessageParagraph, toProblemText } from './message-text.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { createView, type View } from './view.ts'

const MAX_GIVEN = 60

/** @throws any error that is not a refusal */
export function toRefusal(error: unknown): DirectoryError {
  if (error instanceof DirectoryError) return error
  throw error
}

/** undefined if the store is unavailable or the catalog is still loading: the rest of the page is shown anyway. */
export async function unlessAway<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    const { code } = toRefusal(error)
    if (code === 'store_unavailable' || code === 'not_ready') return undefined
    throw error
  }
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

export function renderFailure(request: PageRequest, error: DirectoryError, contact = ''): Rendered {
  const { code } = error
  // Two leading slashes would make it a link to another host.
  const view = createView({ ...request, path: request.path.replace(/^[/\\]*/, '/') })
  const { failures, search } = view.words
  const title = Object.hasOwn(failures, code) ? failures[code as keyof typeof failures] : failures.other
  const main = html`<div class="empty"><h1>${title}</h1>${toText(view, error, contact)}${toSearchBox(view)}<p><a href="${view.href('/catalog')}">${search.browse}</a></p></div>`
  return toRendered(toDocument(view, { title, main }), { failed: code })
}

/** Messages about methods and internal errors are for programs; readers get simpler advice, or only the title. */
function toText(view: View, { code, said }: DirectoryError, contact: string): Html | undefined {
  if (code === 'method_not_allowed') return undefined
  if (code === 'not_found') return html`<p>${view.words.service.missingHint}</p>`
  const { words, href, request } = view
  const { requestId: id } = request
  return code === 'internal'
    ? html`<p>${words.tryAgain}<a href="${href('/status')}">${words.status.title}</a></p>${id && html`<p class="curl"><span>${words.requestId} (X-Request-Id)</span>${toCopyable(view, id, 'X-Request-Id')}</p>${toOperatorContact(view, contact)}`}`
    : toMessageParagraph(view, said)
}

export const renderMissing = (request: PageRequest): Rendered =>
  renderFailure(request, new DirectoryError('not_found', say('path_unknown')))
