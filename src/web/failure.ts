// What a page says instead of its content when the directory refuses; a failure of ours is not the page's to explain.
import { DirectoryError } from '../domain/errors.ts'
import { type Html, html } from './html.ts'
import { toMessageParagraph } from './message-text.ts'
import type { View } from './view.ts'

/** @throws whatever is no refusal */
export function toRefusal(error: unknown): DirectoryError {
  if (error instanceof DirectoryError) return error
  throw error
}

export const toRefusalText = (view: View, title: string, error: DirectoryError): Html =>
  error.code === 'not_ready'
    ? html`<p class="empty" role="status">${view.words.loading}</p>`
    : html`<div class="empty" role="status"><h2>${title}</h2>${toMessageParagraph(view, error.said)}</div>`
