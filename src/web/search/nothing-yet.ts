// What an empty directory shows: an invitation to register a service.
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'

export const toNothingYet = (view: View, head: Html): Html =>
  html`<div class="catalog">${head}<div class="empty"><h2>${view.words.search.noneYet}</h2>${toInvitation(view)}</div></div>`

export const toInvitation = ({ words, href }: View): Html =>
  html`<p>${words.owner.noneHint}</p><p><a class="button" href="${href('/register')}">${words.owner.register}</a></p>`
