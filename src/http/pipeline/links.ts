// Page links (RFC 8288). They never use the Host header: whoever sends a request chooses it.
import type { Parameters } from './query-string.ts'

export type PageLinks = {
  /** Path of the resource, absolute below the public address where one is set. */
  readonly address: string
  /** See `toKept`. */
  readonly kept: string
  readonly offset: number
  readonly limit: number
  /** undefined where more exist than are counted. */
  readonly total: number | undefined
  /** How far pages may lead; Infinity where there is no bound. */
  readonly depth: number
}

export type CursorLinks = {
  readonly address: string
  /** See `toKept`. */
  readonly kept: string
  readonly limit: number
  /** Cursor of the next page; undefined on the last one. */
  readonly next: string | undefined
  /** Where the changes since the paging began can be read. */
  readonly changes: string
}

/** Of paging with cursors: it leads forwards only, and at its end to what changed meanwhile. */
export function toCursorLinkHeader({ address, kept, limit, next, changes }: CursorLinks): string {
  const link = (rel: string, cursor: string) =>
    `<${address}?${kept}limit=${limit}&cursor=${cursor}>; rel="${rel}"`
  return [
    link('first', ''),
    ...(next === undefined ? [] : [link('next', next)]),
    `<${changes}>; rel="monitor"`,
  ].join(', ')
}

const isOfPage = (name: string) => name === 'offset' || name === 'limit' || name === 'cursor'

/** What is asked besides the page, as it stands in links: each part with a `&` behind it. */
export function toKept(parameters: Parameters): string {
  let kept = ''
  for (const [name, value] of parameters) {
    if (value !== '' && !isOfPage(name)) kept += `${encode(name)}=${encode(value)}&`
  }
  return kept
}

const PLAIN = /^[\w.-]*$/
const encode = (text: string): string => (PLAIN.test(text) ? text : encodeURIComponent(text))

export function toLinkHeader({ address, kept, offset, limit, total, depth }: PageLinks): string {
  const target = `<${address}?${kept}limit=${limit}&offset=`

  const end = Math.min(total ?? depth, depth)
  // Pages keep the step of the request: where it starts at 5, the last one does so too.
  const shift = offset % limit
  const last = Math.max(0, shift + Math.floor((end - 1 - shift) / limit) * limit)
  const reachable = last + limit > depth ? Math.max(0, last - limit) : last

  // One text after the other: a list of links that is joined costs three times as much.
  let links = `${target}0>; rel="first", `
  if (offset > 0) links += `${target}${Math.max(0, Math.min(offset - limit, reachable))}>; rel="prev", `
  if (offset + limit < end && offset + 2 * limit <= depth)
    links += `${target}${offset + limit}>; rel="next", `
  return `${links}${target}${reachable}>; rel="last"`
}
