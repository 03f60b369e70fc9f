// Where a URL is: by path, below which endpoints it lies.
import { endpointKey } from '../endpoint.ts'

/** So many places of one URL are looked at: nobody nests deeper, and a URL of a thousand slashes would be looked up a thousand times. */
const MAX_PLACES = 32

/** What an endpoint has in common with the URLs below it, by path alone. */
export function placeOf(url: string): string {
  const key = endpointKey(url)
  const query = key.indexOf('?')
  // Before a query the slash at the end of a path still stands.
  return query < 0 ? key : key.slice(0, query).replace(/\/$/, '')
}

/** The query of an endpoint, empty where it has none. A listing with one speaks for that query: who answers may differ by it. */
export function queryOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? '' : (URL.parse(url)?.search.slice(1) ?? '')
}

/** Returns whether a URL has every parameter of a query with the same values. One more value could be the one that the server reads. */
export function hasQuery(url: string, query: string): boolean {
  if (query === '') return true
  const listed = new URLSearchParams(query)
  const own = URL.parse(url)?.searchParams
  if (!own) return false
  const isSame = (name: string) =>
    JSON.stringify(own.getAll(name).toSorted()) === JSON.stringify(listed.getAll(name).toSorted())
  return [...new Set(listed.keys())].every(isSame)
}

/** Its own place first, then those above it. */
export function placesOf(url: string): string[] {
  const own = placeOf(url)
  const places = [own]
  for (let end = own.lastIndexOf('/'); end > 0; end = own.lastIndexOf('/', end - 1))
    places.push(own.slice(0, end))
  return places.length <= MAX_PLACES ? places : [own, ...places.slice(1 - MAX_PLACES)]
}

/**
 * A path that a server may read as another one than it looks like: an encoded slash or backslash can lead out of it, and so can one
 * that is encoded twice behind a proxy that decodes it once.
 */
export const isOddPath = (url: string): boolean =>
  url.includes('%') && /%(?:2f|5c|00|25(?:25)*(?:2e|2f|5c|00))/i.test(URL.parse(url)?.pathname ?? '')

/** Whether scheme, host and port of a URL are the very same as those of an endpoint. */
export function isSameOrigin(url: string, endpoint: string): boolean {
  // Nearly always it lies below the endpoint, spelled alike: it is that, or goes on with what ends the name of a host.
  if (url.startsWith(endpoint) && '/\\?#'.includes(url.charAt(endpoint.length))) return true
  const [first, second] = [URL.parse(url), URL.parse(endpoint)]
  return first !== null && first.origin === second?.origin
}
