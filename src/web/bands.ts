// Warnings and notes about a service as bands across a page, marked by words, colour and shape, and those that only its owner sees.

import { accountOf } from '../domain/chains/addresses.ts'
import { endpointKey } from '../domain/hosts/endpoint.ts'
import { categoryLabels } from '../domain/listing/categories.ts'
import type { Service } from '../domain/listing/service.ts'
import {
  findMeantCategory,
  findMeantCurrency,
  findMeantNetwork,
  isComparableCurrency,
} from '../domain/queries/filters.ts'
import { LEVEL_ICONS } from './assets.ts'
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

const LEVELS = ['stop', 'care', 'note'] as const
type Level = (typeof LEVELS)[number]

export type Band = {
  /** Set where other pages look for it. */
  readonly id?: 'waiting' | 'rechecking'
  readonly level: Level
  /** undefined where what is above says it, with its sign. */
  readonly title: string | undefined
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
  html`<div class="band ${level}">${title === undefined ? undefined : LEVEL_ICONS[level]}<div>${title === undefined ? undefined : html`<p class="title"><strong>${title}</strong></p>`}${text}${
    mend === undefined
      ? undefined
      : isOwner
        ? html`<p><b>${words.owner.mend}${words.colon}</b>${mend}</p>`
        : html`<details><summary>${words.alerts.mend}</summary><p>${mend}</p></details>`
  }</div></div>
`

// What only its owner is told of a listing: what it publishes by mistake, and how it relates to the owner's wallet and other listings.

/** Parameters whose values are secrets, by their names or the values themselves. */
const SECRET_NAME = /(?:^|[-_.])(?:api[-_]?key|key|token|secret|password|passwd|auth|signature|sig)$|apikey$/i
const SECRET_VALUE = /^(?:sk|pk|rk|ghp|gho|xox[bap])[-_]\w{6,}/i

export function urlNotes({ words: { alerts } }: View, endpoint: string): Band[] {
  const url = URL.parse(endpoint.trim())
  if (!url) return []
  const secret = [...url.searchParams].find(
    ([name, value]) => value !== '' && (SECRET_NAME.test(name) || SECRET_VALUE.test(value)),
  )
  const { secretInUrl, fragment } = alerts
  const notes: Band[] = []
  if (secret)
    notes.push({
      level: 'care',
      title: secretInUrl.title,
      text: html`<p>${secretInUrl.text(secret[0])}</p>`,
      mend: secretInUrl.mend,
      isForOwner: true,
    })
  if (url.hash !== '')
    notes.push({
      level: 'note',
      title: fragment.title,
      text: html`<p>${fragment.text(url.hash)}</p>`,
      isForOwner: true,
    })
  return notes
}

/** @param wallet with which the owner is signed in; null with an API key */
export function signerNotes(
  { words: { alerts } }: View,
  wallet: string | null,
  { paymentAddress, network }: Service['x402Config'],
): Band[] {
  const payee = accountOf(paymentAddress, network)
  if (wallet === null || payee === undefined || payee === wallet) return []
  const { title, text } = alerts.otherSigner
  return [{ level: 'note', title, text: html`<p>${text}</p>`, isForOwner: true }]
}

/** What was entered may be any text, but was probably meant otherwise. @param isUsed whether other services have the category */
export function typingNotes(
  { words: { alerts, register }, language }: View,
  { category = '', currency = '', network = '' }: Readonly<Record<string, string | undefined>>,
  isUsed: boolean,
): Band[] {
  const id = isUsed ? undefined : findMeantCategory(category)
  const { mistyped, newCurrency } = alerts
  const said = (name: string, entered: string, meant: string | undefined): Band[] =>
    meant === undefined || entered === ''
      ? []
      : [
          {
            level: 'note',
            title: mistyped.title(register.fields[name]![0], entered),
            text: html`<p>${mistyped.text(meant)}</p>`,
            isForOwner: true,
          },
        ]
  const token = findMeantCurrency(currency)
  return [
    ...said('category', category, id && categoryLabels(id)[language]),
    ...said('x402Config.network', network, findMeantNetwork(network)),
    ...said('pricing.currency', currency, token),
    ...(currency === '' || token !== undefined || isComparableCurrency(currency)
      ? []
      : [
          {
            level: 'note' as const,
            title: newCurrency.title(currency),
            text: html`<p>${newCurrency.text}</p>`,
            isForOwner: true,
          },
        ]),
  ]
}

/** @param own the services of the owner */
export function repeatedNotes(view: View, own: readonly Service[], endpoint: string): Band[] {
  const key = endpointKey(endpoint.trim())
  const same = own.find(service => endpointKey(service.endpoint) === key)
  if (!same) return []
  const { title, text } = view.words.alerts.alreadyYours
  const link = html`<a href="${view.href(`/yours/${same.id}`)}">${same.name}</a>`
  return [{ level: 'note', title, text: html`<p>${text}${link}</p>`, isForOwner: true }]
}
