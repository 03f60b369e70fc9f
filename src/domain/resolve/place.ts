// Places: URLs compared by path, and the endpoints that they are below.
import { endpointKey } from '../hosts/endpoint.ts'

/** The key of an endpoint and of the URLs below it, by path alone. */
export function placeOf(url: string): string {
  const key = endpointKey(url)
  const query = key.indexOf('?')
  // Before a query, `endpointKey` leaves the slash at the end of the path.
  return query < 0 ? key : key.slice(0, query).replace(/\/$/, '')
}

/** The query of an endpoint, empty if it has none. A listing with a query represents only that query: the seller may depend on the query. */
export function queryOf(url: string): string {
  if (!url.includes('?')) return ''
  const query = URL.parse(url)?.search.slice(1) ?? ''
  // `?&` has no parameters: every URL of the path would have all of them.
  return query.replaceAll('&', '') === '' ? '' : query
}

/** Parameters of a listed query that are compared one by one; a longer query must be the same text. */
const MAX_PARAMETERS = 32

/** The query of a URL, parsed once for all listings that it is compared with. */
export type QueryValues = { readonly text: string; readonly values: ReadonlyMap<string, readonly string[]> }

export const readQueryValues = (url: string): QueryValues => {
  const text = queryOf(url)
  return { text, values: toValues(text) }
}

const toValues = (query: string): ReadonlyMap<string, readonly string[]> => {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query))
    values.getOrInsertComputed(name, () => []).push(value)
  return values
}

/** Returns whether a URL has all parameters of a query with the same values. With a further value, the server might read that one. */
export function hasQuery({ text, values }: QueryValues, query: string): boolean {
  if (query === '' || query === text) return true
  if (query.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS) return false
  return [...toValues(query)].every(([name, listed]) => isSameValues(listed, values.get(name) ?? []))
}

/** Equal for queries with the same values, in any order and spelling. */
export function sortedQuery(query: string): string {
  if (query === '') return ''
  const values = [...new URLSearchParams(query)].map(value => new URLSearchParams([value]).toString())
  return values.toSorted().join('&')
}

/** Returns whether a URL that has all parameters of a query has no others. */
export const isWholeQuery = ({ text }: QueryValues, query: string): boolean =>
  query === text || new URLSearchParams(query).size === new URLSearchParams(text).size

const isSameValues = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted())

/** Its own place first, then its parents. */
export function placesOf(url: string): string[] {
  const own = placeOf(url)
  const places = [own]
  for (let end = own.lastIndexOf('/'); end > 0; end = own.lastIndexOf('/', end - 1))
    places.push(own.slice(0, end))
  return places
}

/**
 * Whether a server may read the path as another one: an encoded slash or backslash can lead out of it, and so can a doubly encoded one
 * after a proxy has decoded it once.
 */
export const isOddPath = (url: string): boolean =>
  url.includes('%') && /%(?:2f|5c|00|25(?:25)*(?:2e|2f|5c|00))/i.test(URL.parse(url)?.pathname ?? '')

/** Whether scheme, host and port of a URL equal those of an endpoint. */
export function isSameOrigin(url: string, endpoint: string): boolean {
  // The usual case: the URL starts with the endpoint, followed by its end or by a character that ends a host.
  if (url.startsWith(endpoint) && '/\\?#'.includes(url.charAt(endpoint.length))) return true
  const [first, second] = [URL.parse(url), URL.parse(endpoint)]
  return first !== null && first.origin === second?.origin
}
