// Addresses within the pages, and addresses of strangers.

export type Query = Readonly<Record<string, string | number | true | undefined>>

/** Leaves out what is empty. */
export function toAddress(path: string, query: Query = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value!)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** What a stranger gave becomes a link only where a browser would fetch it: never `javascript:` or `data:`. */
export function toOuterLink(address: string): string | undefined {
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? address : undefined
}
