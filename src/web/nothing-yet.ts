// Where nobody has listed anything, whoever comes first is told how.
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

export const toNothingYet = ({ words, href }: View, head?: Html): Html =>
  html`<div class="empty">${head}<p><strong>${words.search.noneYet}</strong></p><p>${words.owner.noneHint}</p><p><a class="button" href="${href('/register')}">${words.owner.register}</a></p></div>`
