// Reads response headers: links, texts, and retry delays.
import type { Clock } from '../../runtime/clock.ts'

/** Longer delays are not waited for. */
const MAX_WAIT_MS = 10_000
/** Without a Retry-After header; doubled with every retry. */
const FIRST_WAIT_MS = 250

/** The target of a link (RFC 8288); only its query is used. */
export function linkTo(rel: string, headers: Headers): URL | undefined {
  const [, target] = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '') ?? []
  const base = 'http://directory.invalid'
  // Node.js 20 has no URL.parse.
  return target !== undefined && URL.canParse(target, base) ? new URL(target, base) : undefined
}

/** Texts in a header are percent-encoded; several notices are joined into one text. */
export function readTexts(header: string | null, separator: string): string[] {
  if (header === null) return []
  return header.split(separator).map(text => {
    try {
      return decodeURIComponent(text.trim())
    } catch {
      return text.trim()
    }
  })
}

/** @returns the delay before a retry; undefined if a retry is useless */
export function retryDelayMs(response: Response, tries: number, clock: Clock): number | undefined {
  if (response.status !== 429 && response.status !== 503) return undefined
  const header = response.headers.get('retry-after')
  if (header === null) return FIRST_WAIT_MS * 2 ** tries
  const seconds = /^\d+$/.test(header) ? Number(header) : undefined
  const waitMs = seconds === undefined ? Date.parse(header) - clock.now().getTime() : seconds * 1000
  return waitMs <= MAX_WAIT_MS ? Math.max(0, waitMs) : undefined
}
