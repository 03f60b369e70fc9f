// A small image with the status of a service, for providers to embed elsewhere. The address alone decides its language, because caches
// between it and its readers look at nothing else: English, or the one of `lang`.
import type { LocalDirectory } from '../directory/directory.ts'
import { trimZeros } from '../domain/money/money.ts'
import { findWarnings, WARNING_LEVELS } from './bands.ts'
import { toRefusal } from './failure-page.ts'
import { html } from './html.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { readFigures } from './service/service-reads.ts'
import { createView, type View } from './view.ts'

const COLOURS = {
  verified: '#0e6650',
  unverified: '#5c6167',
  /** In the tone of the bands above a service. */
  alarm: '#9c3518',
  care: '#7a5200',
  sample: '#5c6167',
  unknown: '#5c6167',
} as const
const LABEL_WIDTH = 62
const LETTER_WIDTH = 6.6
/** Kanji and kana are as wide as high. */
const WIDE_LETTER = 12
const MARGIN = 18

export const createBadge =
  (directory: LocalDirectory) =>
  (request: PageRequest): Rendered => {
    const view = createView({ ...request, acceptLanguage: null })
    const { badges } = view.words
    const { id } = request
    try {
      const service = directory.require(directory.reads.service(id), id).decode()
      const { status, trustScore, pricing } = service
      if (directory.reads.isSample(id)) return toBadge(view, badges.sample, 'sample')
      if (directory.reads.isRetired(id)) return toBadge(view, badges.retired, 'alarm')
      const figures = readFigures(directory.reads, service)
      const warnings = findWarnings(figures, directory.require(directory.reads.marks(id), id))
      const alarms = warnings.flatMap(name => {
        if (name === 'asksMore') return [badges.asks(`${trimZeros(figures.asks!)} ${pricing.currency}`)]
        if (name === 'elsewhere') return [badges.elsewhere[figures.elsewhere!]]
        if (name === 'unreliable' || name === 'seldom') {
          const { delivered, purchases } = figures.poorDelivery!
          return [badges.unreliable(delivered, purchases)]
        }
        // What is no reason not to pay is not worth the space.
        return name === 'namesake' ? [] : [badges[name]]
      })
      const isAlarm = status === 'inactive' || warnings.some(name => WARNING_LEVELS[name] === 'stop')
      const colour = isAlarm ? 'alarm' : alarms.length > 0 ? 'care' : status
      return toBadge(view, [badges[status], trustScore, ...alarms].join(' · '), colour)
    } catch (error) {
      return { ...toBadge(view, badges.unknown, 'unknown'), failed: toRefusal(error).code }
    }
  }

const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, letter) => sum + (letter > '\u2e80' ? WIDE_LETTER : LETTER_WIDTH), 0)

function toBadge({ language }: View, text: string, colour: keyof typeof COLOURS): Rendered {
  const width = Math.round(widthOf(text) + MARGIN)
  const all = LABEL_WIDTH + width
  return toRendered(
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="24" role="img" lang="${language}" aria-label="Shirube: ${text}"><title>Shirube: ${text}</title><rect width="${all}" height="24" rx="5" fill="#23272b"/><path d="M${LABEL_WIDTH} 0h${width - 5}a5 5 0 0 1 5 5v14a5 5 0 0 1-5 5h-${width - 5}z" fill="${COLOURS[colour]}"/><rect x=".5" y=".5" width="${all - 1}" height="23" rx="4.5" fill="none" stroke="#8b8f8c"/><g fill="#fff" font-family="system-ui,-apple-system,Segoe UI,Verdana,sans-serif" font-size="12" text-anchor="middle"><text x="${LABEL_WIDTH / 2}" y="16">Shirube</text><text x="${LABEL_WIDTH + width / 2}" y="16">${text}</text></g></svg>`,
  )
}
