// Validators: what a client holds is compared with what it would get (RFC 9110, 13.1.2).

/** Asks whether `If-None-Match` names the tag; the comparison is weak, as for every GET. */
export function isMatch(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  const opaque = withoutWeakness(etag)
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some(tag => withoutWeakness(tag) === opaque)
}

const withoutWeakness = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag)
