// Warnings and notes across the page, marked by words, colour and shape.
import { type Html, html } from './html.ts'
import { LEVEL_ICONS } from './icons.ts'
import type { View } from './view.ts'

export const LEVELS = ['stop', 'care', 'note'] as const
export type Level = (typeof LEVELS)[number]

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
