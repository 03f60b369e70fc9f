// What people type or paste otherwise than programs write it: with a Japanese keyboard, in brackets, or without the scheme of a URL.

/** Letters, digits and signs in full width, as a Japanese keyboard gives them. */
const FULL_WIDTH = /[\uff01-\uff5e]/g
const OFFSET = 0xfee0

const toHalfWidth = (text: string): string =>
  text.replace(FULL_WIDTH, sign => String.fromCharCode(sign.charCodeAt(0) - OFFSET)).replaceAll('\u3000', ' ')

/** A number, with a full stop of either script. */
export const toTypedNumber = (text: string): string => toHalfWidth(text).replaceAll('。', '.').trim()

/** A code or an address. */
export const toTypedCode = (text: string): string => toHalfWidth(text).trim()

const ENCLOSED = /^[「『（(<“"'‘]\s*(.*?)\s*[」』）)>”"'’]$/s
const HOST_FIRST = /^(?:[\p{L}\d-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#]|$)/u

/** A URL that can be read is kept as it is, whatever signs its path has. */
export function toTypedUrl(text: string): string {
  const plain = text.trim().replace(ENCLOSED, '$1')
  if (/^https?:/i.test(plain)) return plain
  const url = toTypedCode(plain)
  return HOST_FIRST.test(url) ? `https://${url}` : url
}
