// Further facts about a service: trust, provider, chains, source, badge and data.

import { chainLabel } from '../../domain/chains/chains.ts'
import { isNeverProbed } from '../../domain/hosts/endpoint.ts'
import { isServiceId } from '../../domain/ids.ts'
import type { Service } from '../../domain/listing/service.ts'
import { type Html, html } from '../html.ts'
import { toMeter } from '../icons.ts'
import { toCopyable, toTime } from '../layout.ts'
import { toCutName } from '../provider-text.ts'
import type { View } from '../view.ts'
import { toBackingText } from './service-backing.ts'
import { findListingChange } from './service-events.ts'
import { wasProbed } from './service-figures.ts'
import { toHostLink } from './service-head.ts'
import type { Found, Standing } from './service-reads.ts'

type Row = readonly [name: string, value: Html | string | undefined]

export function toFacts(view: View, found: Found): Html {
  const { service, status, standing, backing } = found
  const { words, number } = view
  const { pricing, createdAt, id } = service
  const tool = found.terms?.resources[0]?.tool
  const isAsked = wasProbed(service, status, found.isRetired)
  const changedAt = standing && findListingChange(standing.events)
  return toList([
    [
      words.trust,
      html`<strong class="big">${service.trustScore}</strong> / 100${toMeter(service.trustScore)}`,
    ],
    [words.service.backing, toBackingText(view, backing, found)],
    ...(tool === undefined ? [] : [[words.service.tool, html`<code>${tool}</code>`] as const]),
    [words.service.lastChecked, isAsked ? toTime(view, status.lastChecked) : toUnprobed(view, service)],
    [words.service.chains, toChains(service)],
    [
      words.service.freeQuota,
      pricing.freeQuota > 0 ? words.service.freeCount(number(pricing.freeQuota)) : words.service.freeNone,
    ],
    [words.service.created, toTime(view, createdAt)],
    ...(changedAt === undefined ? [] : [[words.service.updated, toTime(view, changedAt)] as const]),
    ...toOrigin(view, standing),
    [words.service.id, html`<code>${id}</code>`],
  ])
}

const toUnprobed = ({ words }: View, { endpoint }: Service): string =>
  isNeverProbed(endpoint) ? words.service.neverProbed : words.service.neverChecked

/** What a sample shows: what its listing says, without an address to pay. */
export function toSampleFacts(view: View, { service, standing }: Found): Html {
  const { words } = view
  const { pricing, id } = service
  return toList([
    [words.service.price, `${pricing.pricePerRequest} ${pricing.currency} ${words.perRequest}`],
    [words.service.chains, toChains(service)],
    ...toOrigin(view, standing),
    [words.service.id, html`<code>${id}</code>`],
  ])
}

const toList = (rows: readonly Row[]): Html =>
  html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

const toChains = ({ supportedChains }: Service): string => supportedChains.map(chainLabel).join(', ')

/** Only for services from elsewhere; a registration here is the default. */
function toOrigin({ words }: View, standing: Standing): [string, Html | string][] {
  if (!standing) return []
  const { source, sourceUrl, follows, owned, origin } = standing.provenance
  if (source === 'registered') return []
  const from = sourceUrl === null ? words.service.sources[source] : toHostLink(sourceUrl)
  const note = follows ? words.service.followed : owned ? words.service.claimed : undefined
  const alias = origin && isServiceId(origin.key) ? words.service.listedAs(origin.key) : undefined
  const notes = [note, alias].filter(text => text !== undefined)
  return [[words.service.source, html`${from}${notes.map(text => html`<br><small>${text}</small>`)}`]]
}

export function toBadge(view: View, { id, name }: Service): Html {
  const { words, request } = view
  // As it is drawn here, so it is copied.
  const path = view.hrefForPrograms(`/services/${id}/badge.svg`)
  const plain = toCutName(name).replace(/[[\]\\`]/g, '')
  const code = `[![${words.service.badgeAlt(plain)}](${request.origin}${path})](${request.origin}/services/${id})`
  return html`<section id="badge"><h2>${words.service.badge}</h2><p><img src="${path}" alt="${words.service.badgeAlt(toCutName(name))}" height="24"></p><p class="note">${words.service.badgeNote}</p><p class="curl">${toCopyable(view, code, words.service.badgeCode)}</p></section>`
}

export function toData({ words }: View, id: string): Html {
  const links = [
    ['', words.service.dataService],
    ['/status', words.service.dataStatus],
    ['/history', words.service.dataHistory],
    ['/trust', words.service.dataTrust],
    ['/terms', words.service.dataTerms],
    ['/purchases', words.service.bought.title],
    ['/outcomes', words.service.payerReports.title],
    ['/call', words.service.dataCall],
    ['/provenance', words.service.dataProvenance],
    ['/backing', words.service.backing],
  ]
  return html`<section><h2>${words.service.data}</h2><ul class="plain apis">${links.map(([path, text]) => html`<li><a href="/api/services/${id}${path}">${text}</a></li>`)}</ul></section>`
}
