// Who has confirmed a service, in detail.
import type { Backing } from '../domain/backing.ts'
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
