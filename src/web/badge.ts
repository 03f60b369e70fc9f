// A small image with the verdict on a service, for providers to embed elsewhere. The address alone decides its language, because caches
// between it and its readers look at nothing else: English, or the one of `lang`.
import type { LocalDirectory } from '../directory/directory.ts'
import { toRefusal } from './failure-page.ts'
import { html } from './html.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { readFigures } from './service/service-reads.ts'
import { type Tone, toVerdictText, verdictOf } from './verdict.ts'
import { createView, type View } from './view.ts'

/** In the tones of the pages. */
const COLOURS: Readonly<Record<Tone, string>> = {
  fine: '#0e6650',
  note: '#5c6167',
  care: '#7a5200',
  stop: '#9c3518',
}
const LABEL_WIDTH = 62
const LETTER_WIDTH = 6.6
/** Kanji and kana are as wide as high. */
const WIDE_LETTER = 12
const MARGIN = 18

export const createBadge =
  (directory: LocalDirectory) =>
  (request: PageRequest): Rendered => {
    const view = createView({ ...request, acceptLanguage: null })
    const { id } = request
    try {
      const reads = directory.requireCatalog()
      const service = directory.requireFound(reads.service(id), id).decode()
      const verdict = verdictOf(view, service, readFigures(reads, service), reads.marks(id))
      return toBadge(view, toVerdictText(verdict), verdict.tone)
    } catch (error) {
      return { ...toBadge(view, view.words.proof.unknown, 'note'), failed: toRefusal(error).code }
    }
  }

const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, letter) => sum + (letter > '\u2e80' ? WIDE_LETTER : LETTER_WIDTH), 0)

function toBadge({ language }: View, text: string, tone: Tone): Rendered {
  const width = Math.round(widthOf(text) + MARGIN)
  const all = LABEL_WIDTH + width
  return toRendered(
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="24" role="img" lang="${language}" aria-label="Shirube: ${text}"><title>Shirube: ${text}</title><rect width="${all}" height="24" rx="5" fill="#23272b"/><path d="M${LABEL_WIDTH} 0h${width - 5}a5 5 0 0 1 5 5v14a5 5 0 0 1-5 5h-${width - 5}z" fill="${COLOURS[tone]}"/><rect x=".5" y=".5" width="${all - 1}" height="23" rx="4.5" fill="none" stroke="#8b8f8c"/><g fill="#fff" font-family="system-ui,-apple-system,Segoe UI,Verdana,sans-serif" font-size="12" text-anchor="middle"><text x="${LABEL_WIDTH / 2}" y="16">Shirube</text><text x="${LABEL_WIDTH + width / 2}" y="16">${text}</text></g></svg>`,
  )
}
