// Page links (RFC 8288). They never use the Host header, which the client chooses.
import type { Parameters } from './query-string.ts'

export type PageLinks = {
  /** Path of the resource; absolute if a public URL is set. */
  readonly address: string
  /** See `toLinkQuery`. */
  readonly linkQuery: string
  readonly offset: number
  readonly limit: number
  /** undefined if there are more than are counted. */
  readonly total: number | undefined
  /** The last reachable entry; Infinity without a limit. */
  readonly depth: number
}

export type CursorLinks = {
  readonly address: string
  /** See `toLinkQuery`. */
  readonly linkQuery: string
  readonly limit: number
  /** Cursor of the next page; undefined on the last one. */
  readonly next: string | undefined
  /** URL of the changes since paging began. */
  readonly changes: string
}

/** Links for cursor paging: only forward, and to the changes since paging began. */
export function toCursorLinkHeader({ address, linkQuery, limit, next, changes }: CursorLinks): string {
  const link = (rel: string, cursor: string) =>
    `<${address}?${linkQuery}limit=${limit}&cursor=${cursor}>; rel="${rel}"`
  return [
    link('first', ''),
    ...(next === undefined ? [] : [link('next', next)]),
    `<${changes}>; rel="monitor"`,
  ].join(', ')
}

const isPagingParameter = (name: string) => name === 'offset' || name === 'limit' || name === 'cursor'

/** The query without its paging parameters, as used in links: each part followed by `&`. */
export function toLinkQuery(parameters: Parameters): string {
  let linkQuery = ''
  for (const [name, value] of parameters) {
    if (value !== '' && !isPagingParameter(name)) linkQuery += `${encode(name)}=${encode(value)}&`
  }
  return linkQuery
}

const PLAIN = /^[\w.-]*$/
const encode = (text: string): string => (PLAIN.test(text) ? text : encodeURIComponent(text))

export function toLinkHeader({ address, linkQuery, offset, limit, total, depth }: PageLinks): string {
  const target = `<${address}?${linkQuery}limit=${limit}&offset=`

  const end = Math.min(total ?? depth, depth)
  // Pages keep the offset modulo the limit: if the request starts at 5, so does the last page.
  const shift = offset % limit
  const last = Math.max(0, shift + Math.floor((end - 1 - shift) / limit) * limit)
  const reachable = last + limit > depth ? Math.max(0, last - limit) : last

  // Concatenated: joining a list costs three times as much.
  let links = `${target}0>; rel="first", `
  if (offset > 0) links += `${target}${Math.max(0, Math.min(offset - limit, reachable))}>; rel="prev", `
  if (offset + limit < end && offset + 2 * limit <= depth)
    links += `${target}${offset + limit}>; rel="next", `
  return `${links}${target}${reachable}>; rel="last"`
}
