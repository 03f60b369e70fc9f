// Warnings in short, wherever a service is named. Each has the level of its band on the page of the service, and so one look.

import { chainLabel } from '../domain/chains/chains.ts'
import type { Marks } from '../domain/listing/backing.ts'
import type { Service } from '../domain/listing/service.ts'
import { deliversSeldom, isFailing } from '../domain/standing/delivery.ts'
import type { Level } from './bands.ts'
import { type Html, html } from './html.ts'
import { LEVEL_ICONS } from './icons.ts'
import type { Figures } from './service/service-figures.ts'
import type { View } from './view.ts'

export const WARNING_LEVELS = {
  /** The endpoint asks to pay somebody else than listed. */
  elsewhere: 'stop',
  /** The endpoint asks for more than listed. */
  asksMore: 'stop',
  /** It was paid and did not deliver, several times in a row. */
  undelivered: 'stop',
  /** It was paid several times and mostly did not deliver. */
  seldom: 'stop',
  stranger: 'stop',
  /** It was paid and did not deliver at last, or not always. */
  unreliable: 'care',
  namesake: 'care',
} as const satisfies Readonly<Record<string, Level>>
export type WarningName = keyof typeof WARNING_LEVELS

/** What is to be warned of; nothing of a sample, which says of itself that it is invented. */
export function findWarnings(
  { isSample, elsewhere, asks, poorDelivery }: Figures,
  { stranger, namesake }: Pick<Marks, 'stranger' | 'namesake'>,
): WarningName[] {
  if (isSample) return []
  const poor = poorDelivery && !isFailing(poorDelivery) ? poorDelivery : undefined
  const holds: Readonly<Record<WarningName, boolean>> = {
    elsewhere: elsewhere !== undefined,
    asksMore: asks !== undefined,
    undelivered: isFailing(poorDelivery),
    seldom: poor !== undefined && deliversSeldom(poor),
    stranger,
    unreliable: poor !== undefined && !deliversSeldom(poor),
    namesake,
  }
  return (Object.keys(holds) as WarningName[]).filter(name => holds[name])
}

export function toWarning(view: View, name: WarningName, service: Service, figures?: Figures): Html {
  const level = WARNING_LEVELS[name]
  return html`<b class="warning ${level}">${LEVEL_ICONS[level]}${textOf(view, name, service, figures)}</b>`
}

function textOf(
  { words, number }: View,
  name: WarningName,
  service: Service,
  figures: Figures | undefined,
): string {
  const { alerts, proof, search } = words
  switch (name) {
    case 'elsewhere':
      return figures?.elsewhere === 'network'
        ? alerts.otherNetwork.title(chainLabel(service.x402Config.network))
        : alerts.otherWallet.title
    case 'asksMore':
      return alerts.asksMore.short
    case 'undelivered':
      return alerts.undelivered.short
    case 'seldom':
    case 'unreliable': {
      const { delivered = 0, purchases = 0 } = figures?.poorDelivery ?? {}
      return alerts.undelivered.partly(number(delivered), number(purchases))
    }
    case 'stranger':
      return proof.stranger
    case 'namesake':
      return search.namesake
  }
}
