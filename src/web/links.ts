// URLs within the pages, and URLs given by strangers.

export type Query = Readonly<Record<string, string | number | true | undefined>>

/** Leaves out empty parameters. */
export function toAddress(path: string, query: Query = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value!)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** A URL given by a stranger becomes a link only with http or https, never with `javascript:` or `data:`. */
export function toOuterLink(address: string): string | undefined {
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? address : undefined
}
