// Warnings and notes across the page, marked by words, colour and shape.

import { chainLabel } from '../domain/chains/chains.ts'
import type { Marks } from '../domain/listing/backing.ts'
import type { Service } from '../domain/listing/service.ts'
import { deliversSeldom, isFailing } from '../domain/standing/delivery.ts'
import { type Html, html } from './html.ts'
import { LEVEL_ICONS } from './icons.ts'
import type { Figures } from './service/service-reads.ts'
import type { View } from './view.ts'

const LEVELS = ['stop', 'care', 'note'] as const
type Level = (typeof LEVELS)[number]

export type Band = {
  /** Set where other pages look for it. */
  readonly id?: 'waiting' | 'rechecking'
  readonly level: Level
  readonly title: string
  readonly text?: Html | undefined
  /** What the provider can do about it. */
  readonly mend?: string | undefined
  /** Whether buyers do not see it. */
  readonly isForOwner?: boolean
  /** The texts for its owner, where they differ from those for buyers. */
  readonly own?: Partial<Pick<Band, 'level' | 'title' | 'text' | 'mend'>> | undefined
}

/** How urgent the worst of them is for the owner: lower is more. */
export const urgencyOf = (bands: readonly Band[]): number =>
  Math.min(LEVELS.length, ...bands.map(({ level, own }) => LEVELS.indexOf(own?.level ?? level)))

/** The most severe first. @param options isOwner: in the words for owners, with the advice in the open */
export function toBands(view: View, bands: readonly Band[], { isOwner = false } = {}): Html | undefined {
  const shown = bands
    .filter(({ isForOwner }) => isOwner || !isForOwner)
    .map(band => (isOwner ? { ...band, ...band.own } : band))
  if (shown.length === 0) return undefined
  const sorted = LEVELS.flatMap(level => shown.filter(band => band.level === level))
  const content = sorted.map(band => toBand(view, band, isOwner))
  // The page of an owner shows many services, so the bands of each are no landmark.
  return isOwner
    ? html`<div class="bands">${content}</div>`
    : html`<section class="bands" aria-label="${view.words.alerts.label}">${content}</section>`
}

const toBand = ({ words }: View, { level, title, text, mend }: Band, isOwner: boolean): Html =>
  html`<div class="band ${level}">${LEVEL_ICONS[level]}<div><p class="title"><strong>${title}</strong></p>${text}${
    mend === undefined
      ? undefined
      : isOwner
        ? html`<p><b>${words.owner.mend}${words.colon}</b>${mend}</p>`
        : html`<details><summary>${words.alerts.mend}</summary><p>${mend}</p></details>`
  }</div></div>
`

// Warnings in short, wherever a service is named. Each has the level of its band on the page of the service, and so one look.

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
type WarningName = keyof typeof WARNING_LEVELS

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
