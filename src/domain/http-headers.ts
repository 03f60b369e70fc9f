// Headers that the directory and its interfaces read: conditions on a request, and lists of what a client accepts.

// Conditional requests: the caller's entity tags compared with the current state (RFC 9110, 13.1.2).

/** Every client that unpacks anything unpacks gzip. */
export type Coding = 'identity' | 'gzip'

/** Equal bytes have the same tag in every process. */
export const hashOf = (bytes: Uint8Array): string => Bun.hash.xxHash3(bytes).toString(16)

/** Each content coding of a body has its own tag. */
export const toTag = (hash: string, coding: Coding): string =>
  coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`

/** Returns whether `If-None-Match` names the tag; the comparison is weak. */
export function isMatch(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  const opaque = withoutWeakness(etag)
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some(tag => withoutWeakness(tag) === opaque)
}

const withoutWeakness = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag)

// Headers that list what a client accepts, each with a quality value (RFC 9110, 12.4.2): `gzip;q=0.5, br`. Of thousands a few are read.

type Accepted = {
  /** In lower case. */
  readonly name: string
  /** From 0 (refused) to 1; an invalid number counts as 0. */
  readonly quality: number
}

export const readQualities = (header: string | null | undefined): Accepted[] =>
  (header ?? '')
    .toLowerCase()
    .split(',', 64)
    .map(item => {
      const [name = '', ...parameters] = item.split(';').map(part => part.trim())
      return { name, quality: toQuality(parameters) }
    })

function toQuality(parameters: readonly string[]): number {
  const weight = parameters.find(parameter => parameter.startsWith('q='))
  if (weight === undefined) return 1
  const quality = Number(weight.slice(2))
  return quality >= 0 && quality <= 1 ? quality : 0
}
