// Who stands behind a service, and what it must not be taken for.
import type { Backing, SharedPart } from '../domain/backing.ts'
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

export function toBackingText({ words }: View, { claimed, domain }: Backing): Html {
  const { service } = words
  if (!claimed && !domain) return html`${service.notBacked}`
  const proved = domain
    ? html`${service.provedBy(domain.host)}<br><small>${service.provedNote[domain.names]}</small>`
    : undefined
  const signed = claimed
    ? html`${service.claimedByWallet}<br><small>${service.claimedNote}</small>`
    : undefined
  return html`${signed}${signed && proved ? html`<br>` : undefined}${proved}`
}

/**
 * A stranger's listing is told as such. Where nobody stands behind either of two, nothing is said about which is the right one:
 * that is for the reader to see.
 */
export function toBackingNotices(view: View, { speaker, others }: Backing): Html {
  const { words } = view
  const first = (part: SharedPart) =>
    others.find(({ id, shares }) => id !== speaker?.id && shares.includes(part))
  const [namesake, neighbour] = [first('name'), first('endpoint')]
  return html`${speaker ? toNotice(view, words.service.stranger, speaker) : undefined}${namesake ? toNotice(view, words.service.namesake, namesake) : undefined}${neighbour ? toNotice(view, words.service.neighbour, neighbour) : undefined}`
}

const toNotice = ({ href }: View, text: string, { id, name }: { id: string; name: string }): Html =>
  html`<div class="notice"><p>${text} <a href="${href(`/services/${id}`)}">${name}</a></p></div>`
