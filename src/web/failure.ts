// What a page shows when the directory refuses a request. Internal errors are handled elsewhere.
import { DirectoryError } from '../domain/errors.ts'
import { type Html, html } from './html.ts'
import { toMessageParagraph } from './message-text.ts'
import type { View } from './view.ts'

/** @throws any error that is not a refusal */
export function toRefusal(error: unknown): DirectoryError {
  if (error instanceof DirectoryError) return error
  throw error
}

export const toRefusalText = (view: View, title: string, error: DirectoryError): Html =>
  error.code === 'not_ready'
    ? html`<p class="empty" role="status">${view.words.loading}</p>`
    : html`<div class="empty" role="status"><h2>${title}</h2>${toMessageParagraph(view, error.said)}</div>`
