// The error page for browsers: for an unknown URL, or when something went wrong.

import { DirectoryError } from '../domain/errors.ts'
import { say } from '../messages/message.ts'
import { type Html, html } from './html.ts'
import { toDocument } from './layout.ts'
import { toMessageParagraph } from './message-text.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { createView, type View } from './view.ts'

export function renderFailure(request: PageRequest, { code, said }: DirectoryError): Rendered {
  // Two leading slashes would make it a link to another host.
  const view = createView({ ...request, path: request.path.replace(/^[/\\]*/, '/') })
  const { failures, service } = view.words
  const title = Object.hasOwn(failures, code) ? failures[code as keyof typeof failures] : failures.other
  const main = html`<div class="empty"><h1>${title}</h1>${toText(view, code, said)}<p><a href="${view.href('/')}">${service.toSearch}</a></p></div>`
  return toRendered(toDocument(view, { title, main }), { failed: code })
}

/** Messages about internal errors are for programs; readers get simpler advice. */
function toText(view: View, code: DirectoryError['code'], said: DirectoryError['said']): Html {
  if (code === 'not_found') return html`<p>${view.words.service.missingHint}</p>`
  return code === 'internal'
    ? html`<p>${view.words.tryAgain}<a href="${view.href('/status')}">${view.words.status.title}</a></p>`
    : toMessageParagraph(view, said)
}

export const renderMissing = (request: PageRequest): Rendered =>
  renderFailure(request, new DirectoryError('not_found', say('path_unknown')))
