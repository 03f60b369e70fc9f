// What is shown after a registration, in the browser that sent it: what happens next, in the words for owners. It has nothing to pay
// with, because a buyer must not read the owner's texts in place of the warnings.
import { isNeverProbed } from '../../domain/hosts/endpoint.ts'
import { type Band, toBands } from '../bands.ts'
import { type Html, html } from '../html.ts'
import { findAlerts } from '../service/service-alerts.ts'
import type { Found } from '../service/service-reads.ts'
import { toStatus } from '../service-card.ts'
import type { View } from '../view.ts'
import { toResultNote, toWaitingPart } from '../waiting.ts'

export function toRegistered(view: View, found: Found): Html {
  const { words, href } = view
  const { id, name, status } = found.service
  const { owner, service } = words
  // The notice announces the first probe.
  const bands = findAlerts(view, found).filter(({ id }) => id !== 'waiting')
  const isWaiting = found.standing?.probes.length === 0 && !isNeverProbed(found.service.endpoint)
  const news = html`<p class="heads">${toStatus(view, status)}</p>
<div class="notice" role="status"><strong>${service.registered}</strong>${isWaiting ? html`<p>${service.registeredNext}</p><p>${toResultNote(view)}</p>` : undefined}</div>
${toStanding(view, bands, status === 'verified')}`
  return html`<article class="own">
<h1>${name}</h1>
${toWaitingPart(news, isWaiting)}
<p class="buttons"><a class="button" href="${href(`/yours/${id}`)}">${owner.manage}</a><a class="button quiet" href="${href(`/services/${id}`)}">${owner.publicPage}</a></p></article>`
}

function toStanding(view: View, bands: readonly Band[], isVerified: boolean): Html | undefined {
  if (bands.length > 0) return toBands(view, bands, { isOwner: true })
  return isVerified ? html`<p>${view.words.owner.fine}</p>` : undefined
}
