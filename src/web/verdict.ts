// The verdict on a service: one word, and what there is to warn of. It is made by one rule wherever a service is named: its page, cards,
// the pages of sellers and owners, the badge, feeds and link previews.
import { chainLabel } from '../domain/chains/chains.ts'
import type { Marks } from '../domain/listing/backing.ts'
import type { Service } from '../domain/listing/service.ts'
import { isFailing } from '../domain/standing/delivery.ts'
import type { Status } from '../domain/standing/standing.ts'
import { LEVEL_ICONS, SAMPLE_ICON, STATUS_ICONS } from './assets.ts'
import { type Html, html } from './html.ts'
import type { Figures } from './service/service-reads.ts'
import type { View } from './view.ts'

export type Tone = 'stop' | 'care' | 'note' | 'fine'

export type Verdict = {
  readonly tone: Tone
  readonly icon: Html
  readonly word: string
  /** The worst that is to be warned of. */
  readonly line?: string | undefined
  /** What else is to be warned of, each with its level. */
  readonly others: readonly { readonly level: Tone; readonly text: string }[]
}

const TONES: Readonly<Record<Status, Tone>> = { verified: 'fine', unverified: 'note', inactive: 'stop' }

/** Each warning has the level of its band on the page of the service, and so one look. The worst are first. */
export const WARNING_LEVELS = {
  /** The endpoint asks to pay somebody else than listed. */
  elsewhere: 'stop',
  /** The endpoint asks for more than listed. */
  asksMore: 'stop',
  /** It was paid and did not deliver, several times in a row. */
  undelivered: 'stop',
  /** It was paid and did not deliver at last, or not always. */
  unreliable: 'care',
  stranger: 'care',
  namesake: 'care',
  /** No client of x402 can pay it. */
  mppOnly: 'care',
  /** No official client pays it as it is; a buyer can. */
  refused: 'note',
} as const satisfies Readonly<Record<string, Tone>>
type WarningName = keyof typeof WARNING_LEVELS

const UNMARKED = { level: 'listed', stranger: false, namesake: false } as const

/** @param marks undefined if the catalog of this process does not have the service yet */
export function verdictOf(
  view: View,
  service: Service,
  figures: Figures,
  marks: Pick<Marks, 'level' | 'stranger' | 'namesake'> = UNMARKED,
): Verdict {
  const { words } = view
  // A sample says of itself that it is invented, and nothing else is worth saying of what is discontinued.
  if (figures.isSample) return { tone: 'note', icon: SAMPLE_ICON, word: words.verdict.sample, others: [] }
  if (figures.isRetired)
    return { tone: 'stop', icon: STATUS_ICONS.inactive, word: words.verdict.retired, others: [] }
  const warnings = findWarnings(figures, marks)
  const [first, ...others] = warnings.map(name => ({
    level: WARNING_LEVELS[name],
    text: textOf(view, name, service, figures),
  }))
  const told = { line: first?.text, others }
  const { status } = service
  if (marks.level === 'danger')
    return { tone: 'stop', icon: LEVEL_ICONS.stop, word: words.levels.danger, ...told }
  const word = status === 'verified' ? words.levels[marks.level] : words.statuses[status]
  if (!first || status === 'inactive')
    return { tone: TONES[status], icon: STATUS_ICONS[status], word, ...told }
  // A buyer who reads one word reads what can be lost: a tick beside a warning would be read as safe.
  const outcome = warnings.includes('unreliable')
    ? deliveryWord(view, figures)
    : status === 'verified' && warnings.includes('mppOnly')
      ? words.alerts.mppOnly.word
      : word
  const tone = first.level === 'note' ? 'note' : 'care'
  return { tone, icon: LEVEL_ICONS[tone], word: outcome, ...told }
}

function deliveryWord({ words: { alerts } }: View, { poorDelivery }: Figures): string {
  const { delivered = 0, purchases = 0 } = poorDelivery ?? {}
  const { never, often, sometimes } = alerts.undelivered
  return delivered === 0 ? never : 2 * delivered < purchases ? often : sometimes
}

export const toVerdict = ({ tone, icon, word, line }: Omit<Verdict, 'others'>): Html =>
  html`<span class="verdict ${tone}"><b>${icon}${word}</b>${line === undefined ? undefined : html` <span>${line}</span>`}</span>`

/** For places that show text alone. */
export const toVerdictText = ({ word, line }: Verdict): string =>
  line === undefined ? word : `${word} · ${line}`

function findWarnings(
  { elsewhere, asks, poorDelivery, isMppOnly, isRefused }: Figures,
  { stranger, namesake }: Pick<Marks, 'stranger' | 'namesake'>,
): WarningName[] {
  const holds: Readonly<Record<WarningName, boolean>> = {
    elsewhere: elsewhere !== undefined,
    asksMore: asks !== undefined,
    undelivered: isFailing(poorDelivery),
    unreliable: poorDelivery !== undefined && !isFailing(poorDelivery),
    stranger,
    namesake,
    mppOnly: isMppOnly,
    refused: isRefused && elsewhere === undefined && asks === undefined,
  }
  return (Object.keys(holds) as WarningName[]).filter(name => holds[name])
}

function textOf(
  { words, number }: View,
  name: WarningName,
  { x402Config, pricing }: Service,
  { elsewhere, asks, poorDelivery }: Figures,
): string {
  const { alerts, proof } = words
  switch (name) {
    case 'elsewhere':
      return elsewhere === 'network'
        ? alerts.otherNetwork.title(chainLabel(x402Config.network))
        : alerts.otherWallet.title
    case 'asksMore': {
      const { pricePerRequest, currency } = pricing
      return alerts.asksMore.title(`${asks} ${currency}`, `${pricePerRequest} ${currency}`)
    }
    case 'undelivered':
      return alerts.undelivered.never
    case 'unreliable':
      return proof.deliveredOf(number(poorDelivery?.delivered ?? 0), number(poorDelivery?.purchases ?? 0))
    case 'stranger':
      return alerts.stranger.title
    case 'namesake':
      return alerts.namesake.title
    case 'mppOnly':
      return alerts.mppOnly.title
    case 'refused':
      return alerts.refusedByDefault
  }
}
