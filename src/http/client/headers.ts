// What the headers of an answer say: links, texts, and how long to wait.
import type { Clock } from '../../runtime/clock.ts'

/** The longest wait that a directory may ask for. */
const MAX_WAIT_MS = 10_000
/** Where the directory names no delay: doubled with every further try. */
const FIRST_WAIT_MS = 250

/** The target of a link (RFC 8288), of which only the query counts. */
export function linkTo(rel: string, headers: Headers): URL | undefined {
  const [, target] = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '') ?? []
  return target === undefined ? undefined : (URL.parse(target, 'http://directory.invalid') ?? undefined)
}

/** Texts in a header are percent-encoded; the notices of one answer come as one text. */
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

/** How long to wait before the next try; undefined where another try is no use. */
export function retryDelayMs(response: Response, tries: number, clock: Clock): number | undefined {
  if (response.status !== 429 && response.status !== 503) return undefined
  const header = response.headers.get('retry-after')
  if (header === null) return FIRST_WAIT_MS * 2 ** tries
  const seconds = /^\d+$/.test(header) ? Number(header) : undefined
  const waitMs = seconds === undefined ? Date.parse(header) - clock.now().getTime() : seconds * 1000
  return waitMs <= MAX_WAIT_MS ? Math.max(0, waitMs) : undefined
}
