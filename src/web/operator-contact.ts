// How to reach the operator, where that is configured.
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

/** @param contact a mailto:, https: or tel: address; empty if there is none */
export function toOperatorContact({ words: { owner, colon } }: View, contact: string): Html | undefined {
  if (contact === '') return undefined
  const shown = contact.replace(/^(?:mailto|tel):([^?]*).*$/s, '$1')
  return html`<p>${owner.operatorContact}${colon}<a href="${contact}">${shown}</a></p>`
}
