// Warnings and notes about a service as bands across a page, marked by words, colour and shape, and those that only its owner sees.

import { LEVEL_ICONS } from './assets.ts'
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

const LEVELS = ['stop', 'care', 'note'] as const
type Level = (typeof LEVELS)[number]

export type Band = {
  /** Set where other pages look for it. */
  readonly id?: 'unverified' | 'waiting' | 'rechecking'
  readonly level: Level
  /** undefined where what is above says it, with its sign. */
  readonly title: string | undefined
  readonly text?: Html | undefined
  /** What only buyers are told; its owner has `mend`. */
  readonly advice?: string | undefined
  /** Since when it is so, for the owner. */
  readonly since?: string | undefined
  /** What the provider can do about it. */
  readonly mend?: string | undefined
  /** Whether buyers do not see it. */
  readonly isForOwner?: boolean
}

/** The most severe first. */
export const sortBands = (bands: readonly Band[]): readonly Band[] =>
  bands.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))

/** How urgent the worst of them is for the owner: lower is more. */
export const urgencyOf = (bands: readonly Band[]): number =>
  Math.min(LEVELS.length, ...bands.map(({ level }) => LEVELS.indexOf(level)))

/** @param options isOwner: with what only the owner sees, and the advice in the open */
export function toBands(view: View, bands: readonly Band[], { isOwner = false } = {}): Html | undefined {
  const { alerts } = view.words
  const shown = sortBands(bands).filter(({ isForOwner }) => isOwner || !isForOwner)
  if (shown.length === 0) return undefined
  const content = shown.map(band =>
    toBand(
      band,
      isOwner ? toAdvice(view, band) : html`${band.text}${band.advice && html`<p>${band.advice}</p>`}`,
    ),
  )
  const mends = shown.flatMap(({ mend }) => (isOwner || mend === undefined ? [] : html`<p>${mend}</p>`))
  return html`<section class="bands" aria-label="${alerts.label}">${content}${mends.length === 0 ? undefined : html`<details><summary>${alerts.mend}</summary>${mends}</details>`}</section>`
}

const toBand = ({ level, title }: Band, content: Html | undefined): Html =>
  html`<div class="band ${level}">${title && LEVEL_ICONS[level]}<div>${title && html`<p class="title"><strong>${title}</strong></p>`}${content}</div></div>
`

/** What its owner is told below the title. */
export const toAdvice = ({ words, time }: View, { text, since, mend }: Band): Html =>
  html`${text}${since && html`<p>${words.alerts.since(time(since))}</p>`}${mend && html`<p><b>${words.owner.mend}${words.colon}</b>${mend}</p>`}`

/** Parameters whose values are secrets, by their names or the values themselves. */
const SECRET_NAME = /(?:^|[-_.])(?:api[-_]?key|key|token|secret|password|passwd|auth|signature|sig)$|apikey$/i
const SECRET_VALUE = /^(?:sk|pk|rk|ghp|gho|xox[bap])[-_]\w{6,}/i

/** A secret that the listing publishes. */
export function urlNotes({ words: { alerts } }: View, endpoint: string): Band[] {
  const secret = [...(URL.parse(endpoint.trim())?.searchParams ?? [])].find(
    ([name, value]) => value !== '' && (SECRET_NAME.test(name) || SECRET_VALUE.test(value)),
  )
  const { title, text, mend } = alerts.secretInUrl
  return secret
    ? [{ level: 'care', title, text: html`<p>${text(secret[0])}</p>`, mend, isForOwner: true }]
    : []
}
