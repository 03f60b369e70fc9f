// A small image with the status of a service, for providers to embed elsewhere.
import type { LocalDirectory } from '../directory/directory.ts'
import { compareDecimals, trimZeros } from '../domain/money.ts'
import { toRefusal } from './failure.ts'
import { html } from './html.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'

const COLOURS = {
  verified: '#0e6650',
  unverified: '#5c6167',
  inactive: '#7a4632',
  unknown: '#5c6167',
} as const
const LABEL_WIDTH = 62
const LETTER_WIDTH = 6.6
const MARGIN = 18

export const createBadge =
  (directory: LocalDirectory) =>
  ({ id }: PageRequest): Rendered => {
    try {
      const { status, trustScore, pricing } = directory.reads.get(id).decode()
      const cost = directory.reads.cost(id)
      // Only a price above the listed one is worth the space.
      const more = cost !== undefined && compareDecimals(cost, pricing.pricePerRequest) > 0
      const asks = more ? ` · asks ${trimZeros(cost)} ${pricing.currency}` : ''
      return toBadge(`${status} · ${trustScore}${asks}`, status)
    } catch (error) {
      return { ...toBadge('unknown', 'unknown'), failed: toRefusal(error).code }
    }
  }

function toBadge(text: string, colour: keyof typeof COLOURS): Rendered {
  const width = Math.round(text.length * LETTER_WIDTH + MARGIN)
  const all = LABEL_WIDTH + width
  return toRendered(
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="24" role="img" aria-label="Shirube: ${text}"><title>Shirube: ${text}</title><rect width="${all}" height="24" rx="5" fill="#23272b"/><path d="M${LABEL_WIDTH} 0h${width - 5}a5 5 0 0 1 5 5v14a5 5 0 0 1-5 5h-${width - 5}z" fill="${COLOURS[colour]}"/><g fill="#fff" font-family="system-ui,-apple-system,Segoe UI,Verdana,sans-serif" font-size="12" text-anchor="middle"><text x="${LABEL_WIDTH / 2}" y="16">Shirube</text><text x="${LABEL_WIDTH + width / 2}" y="16">${text}</text></g></svg>`,
  )
}
