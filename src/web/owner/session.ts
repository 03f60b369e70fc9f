// Who is signed in on the pages: a key in a cookie that no script can read. Every form carries a token that only our own pages know.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { NewCookie, PageRequest } from '../page.ts'

export type Session = {
  readonly key: string
  /** wallet: the key was made for this session and ends with it; key: the reader brought it along. */
  readonly kind: 'wallet' | 'key'
}

/** After so long one signs in again. */
export const SESSION_HOURS = 12
const SESSION = 'shirube-session'
const FORM = 'shirube-form'

export function readSession({ cookies }: PageRequest): Session | undefined {
  const [, kind, key] = /^(wallet|key) (.+)$/.exec(cookies[SESSION] ?? '') ?? []
  return key === undefined ? undefined : { key, kind: kind as Session['kind'] }
}

export const toSessionCookie = ({ kind, key }: Session): NewCookie => ({
  name: SESSION,
  value: `${kind} ${key}`,
  seconds: SESSION_HOURS * 3_600,
})

export const NO_SESSION: NewCookie = { name: SESSION, value: '' }

/** What a form of ours carries, and the cookie to set where the browser has none yet. */
export type Token = { readonly value: string; readonly cookie: NewCookie | undefined }

export function issueToken({ cookies }: PageRequest): Token {
  const known = cookies[FORM]
  const secret = known || randomBytes(24).toString('base64url')
  return {
    value: toToken(secret, cookies[SESSION]),
    cookie: known ? undefined : { name: FORM, value: secret },
  }
}

/** Returns whether a form came from a page that we gave to this very browser, in this very session. */
export function isOurs({ cookies }: PageRequest, form: Readonly<Record<string, string>>): boolean {
  const secret = cookies[FORM]
  if (!secret) return false
  const [wanted, given] = [toToken(secret, cookies[SESSION]), form.token ?? ''].map(text => Buffer.from(text))
  return wanted!.length === given!.length && timingSafeEqual(wanted!, given!)
}

/** Of the session too: who can plant a cookie still does not know what to send. */
const toToken = (secret: string, session = ''): string =>
  createHash('sha256').update(`${secret}\n${session}`).digest('base64url')
