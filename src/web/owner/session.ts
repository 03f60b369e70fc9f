// The session of a signed-in owner, its id in an HttpOnly cookie, and the form token against cross-site requests.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { SESSION_HOURS } from '../../directory/sign-in.ts'
import type { NewCookie, PageRequest } from '../page.ts'

const SESSION = 'shirube-session'
const FORM = 'shirube-form'

export const sessionIdOf = ({ cookies }: PageRequest): string | undefined => cookies[SESSION] || undefined

export const toSessionCookie = (id: string): NewCookie => ({
  name: SESSION,
  value: id,
  seconds: SESSION_HOURS * 3_600,
})

export const NO_SESSION: NewCookie = { name: SESSION, value: '' }

/** The token in a form, and the cookie to set if the browser has none yet. */
export type Token = { readonly value: string; readonly cookie: NewCookie | undefined }

export function issueToken({ cookies }: PageRequest): Token {
  const known = cookies[FORM]
  const secret = known || randomBytes(24).toString('base64url')
  return {
    value: toToken(secret, cookies[SESSION]),
    cookie: known ? undefined : { name: FORM, value: secret },
  }
}

/** A secret that only this browser has, once it was sent a form. */
export const browserOf = ({ cookies }: PageRequest): string | undefined => cookies[FORM]

/** Returns whether a form comes from a page that was sent to this browser in this session. */
export function isOurs({ cookies }: PageRequest, form: Readonly<Record<string, string>>): boolean {
  const secret = cookies[FORM]
  if (!secret) return false
  const [wanted, given] = [toToken(secret, cookies[SESSION]), form.token ?? ''].map(text => Buffer.from(text))
  return wanted!.length === given!.length && timingSafeEqual(wanted!, given!)
}

/** Marks the result of a form that this browser has sent, so that a link to the result says nothing to others. */
export const toMark = ({ cookies }: PageRequest, of: string): string | undefined =>
  cookies[FORM] ? toToken(cookies[FORM], `mark ${of}`) : undefined

/** Depends on the session too, so that somebody who can set the form cookie still cannot compute the token. */
const toToken = (secret: string, session = ''): string =>
  createHash('sha256').update(`${secret}\n${session}`).digest('base64url')
