// Cookies of the pages. Scripts cannot read them, other sites' requests do not carry them, and with https no other host can set them.

export type NewCookie = {
  readonly name: string
  /** Empty: deletes the cookie. */
  readonly value: string
  /** Absent: until the browser is closed. */
  readonly seconds?: number | undefined
}

/** Browsers accept a cookie with this prefix only from the host itself, over https. */
const HOST_PREFIX = '__Host-'

export const isSecure = (publicUrl: string | undefined): boolean => publicUrl?.startsWith('https:') ?? false

export function toSetCookie({ name, value, seconds }: NewCookie, secure: boolean): string {
  const parts = [
    `${secure ? HOST_PREFIX : ''}${name}=${encodeURIComponent(value)}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
    ...(value === '' ? ['Max-Age=0'] : seconds === undefined ? [] : [`Max-Age=${seconds}`]),
  ]
  return parts.join('; ')
}

/** Keyed by the names passed to `toSetCookie`; of duplicates the first wins. */
export function readCookies(header: string | null, secure: boolean): Readonly<Record<string, string>> {
  const cookies: Record<string, string> = Object.create(null)
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    const given = part.slice(0, equals).trim()
    if (equals < 0 || given.startsWith(HOST_PREFIX) !== secure) continue
    const name = secure ? given.slice(HOST_PREFIX.length) : given
    cookies[name] ??= decode(part.slice(equals + 1).trim())
  }
  return cookies
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
