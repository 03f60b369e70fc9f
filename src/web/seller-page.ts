// All services that are paid to one wallet.

import type { LocalDirectory } from '../directory/directory.ts'
import type { Service } from '../domain/listing/service.ts'
import { toRefusal, toRefusalText } from './failure-page.ts'
import { type Html, html } from './html.ts'
import { lastOffset, PAGE_SIZE, toCopyable, toDocument, toPageLinks, toTiles } from './layout.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { toBreakable, toEnds } from './provider-text.ts'
import { type Hit, toHit } from './search/find.ts'
import { findBackers } from './service/service-reads.ts'
import { toCard } from './service-card.ts'
import { type Tone, verdictOf } from './verdict.ts'
import { createView, type View } from './view.ts'

/** No chain has longer addresses. */
const MAX_ADDRESS = 128

export const createSellerPage =
  (directory: LocalDirectory) =>
  (request: PageRequest): Rendered => {
    const view = createView(request)
    const { seller } = view.words
    const payee = request.id.slice(0, MAX_ADDRESS)
    try {
      // Nobody sells a sample.
      const services = directory
        .requireCatalog()
        .soldBy(payee)
        .map(service => service.decode())
        .filter(({ id }) => !directory.requireCatalog().isSample(id))
      const offset = readOffset(request, services.length)
      // Spelled as in the services, because upper and lower case may carry a checksum.
      const title = seller.title(toEnds(services[0]?.x402Config.paymentAddress ?? payee))
      return services.length === 0
        ? toRendered(toDocument(view, { title, main: toMissing(view, payee) }), { failed: 'not_found' })
        : toRendered(
            toDocument(view, {
              title,
              main: toMain(view, directory, services, offset),
            }),
          )
    } catch (error) {
      const refusal = toRefusal(error)
      return toRendered(toDocument(view, { title: payee, main: toRefusalText(view, '', refusal) }), {
        failed: refusal.code,
      })
    }
  }

const toMissing = (view: View, payee: string): Html => {
  const { href } = view
  const { seller, service } = view.words
  return html`<div class="empty"><h1>${seller.missing}</h1><p><code>${toBreakable(payee)}</code></p><p>${seller.missingHint}</p><p><a href="${href('/')}">${service.toSearch}</a></p></div>`
}

/** Of the last page, if it is none of a page. */
function readOffset({ parameters }: PageRequest, total: number): number {
  const page = Math.floor(Number(parameters.offset ?? 0) / PAGE_SIZE)
  return Math.min(Math.max(0, page * PAGE_SIZE) || 0, lastOffset(total))
}

const BY_URGENCY: readonly Tone[] = ['stop', 'care', 'note', 'fine']
/** Lower is more. */
const urgencyOf = (view: View, { service, figures, backing }: Hit): number =>
  backing.level === 'danger' ? -1 : BY_URGENCY.indexOf(verdictOf(view, service, figures, backing).tone)

function toMain(view: View, directory: LocalDirectory, services: readonly Service[], offset: number): Html {
  const { words, number } = view
  const reads = directory.requireCatalog()
  const { seller, service: said } = words
  const { paymentAddress } = services[0]!.x402Config
  const items = (value: number) => words.items(number(value))
  const count = (holds: (service: Service) => boolean) => items(services.filter(holds).length)
  const payments = services.reduce((sum, { id }) => sum + (reads.status(id)?.decode().txCount ?? 0), 0)
  const isKnown =
    payments > 0 || services.every(({ x402Config }) => directory.readsPayments(x402Config.network))
  const hits = services
    .map(service => toHit(directory, service))
    .toSorted((a, b) => urgencyOf(view, a) - urgencyOf(view, b))
  const dangers = hits.filter(({ backing }) => backing.level === 'danger').length
  const claimed = hits.filter(({ backing, figures }) => findBackers(backing, figures).wallet).length
  const tiles = toTiles([
    [words.status.services, items(services.length)],
    [words.filters.level.value('verified'), count(({ status }) => status === 'verified')],
    ...(dangers > 0
      ? [[words.filters.level.value('danger'), html`<span class="wrong">${items(dangers)}</span>`] as const]
      : []),
    [seller.claimed, items(claimed)],
    [seller.payments, isKnown ? items(payments) : seller.unwatched],
  ])
  return html`<div class="seller"><h1>${seller.title(toEnds(paymentAddress))}</h1>
<p class="lead">${seller.intro}</p>
<p>${toCopyable(view, paymentAddress, said.address)}</p>
${tiles}
<h2>${words.status.services}</h2>
<p class="note">${seller.order}</p>
<ol class="cards">${hits.slice(offset, offset + PAGE_SIZE).map(hit => toCard(view, hit))}</ol>
${toPageLinks(view, { total: hits.length, offset }, at => view.href(`/sellers/${encodeURIComponent(paymentAddress)}`, { offset: at || undefined }))}</div>`
}
