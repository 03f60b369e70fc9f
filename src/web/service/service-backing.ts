// Who has confirmed a service, by one rule wherever it is shown.
import type { Backing, Marks } from '../../domain/listing/backing.ts'
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'
import type { Figures } from './service-figures.ts'

/** Whose confirmation counts beside the warnings: of the listing of a stranger nobody's, and of a wallet that is not asked for none. */
export const findBackers = (
  { claimed, domain, stranger }: Pick<Marks, 'claimed' | 'domain' | 'stranger'>,
  { elsewhere, isSample }: Pick<Figures, 'elsewhere' | 'isSample'>,
): { readonly wallet: boolean; readonly domain: boolean } => {
  const isWarned = stranger || isSample
  return { wallet: claimed && !isWarned && elsewhere === undefined, domain: domain && !isWarned }
}

/** In detail. */
export function toBackingText(
  { words: { service, proof } }: View,
  backing: Backing,
  { elsewhere }: Pick<Figures, 'elsewhere'>,
): Html {
  const { claimed, domain, representative } = backing
  const alone = html`${service.claimedByListed}<br><small>${service.claimedAlone}</small>`
  if (representative)
    return html`${proof.stranger}${claimed ? html`<br>${alone}` : domain ? undefined : html`<br><small>${service.notBacked}</small>`}`
  const confirmed = html`${service.claimedByWallet}<br><small>${service.claimedNote}</small>`
  const signed = claimed ? (elsewhere === undefined ? confirmed : alone) : undefined
  const proved = domain
    ? html`${service.provedBy(domain.host)}<br><small>${service.provedNote[domain.names]}</small>`
    : undefined
  if (!signed && !proved) return html`${service.notBacked}`
  return html`${signed}${signed && proved ? html`<br>` : undefined}${proved}`
}
