// The session of a signed-in owner: its id in an HttpOnly cookie, and the form token against requests of other sites.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { LocalDirectory } from '../../directory/directory.ts'
import { SESSION_HOURS, type Session } from '../../directory/sign-in.ts'
import { DirectoryError } from '../../domain/errors.ts'
import type { OwnKey } from '../../domain/sign-in.ts'
import { say } from '../../messages/message.ts'
import { renderMissing, toRefusal } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import { toDocument } from '../layout.ts'
import {
  type FormRequest,
  type NewCookie,
  OPERATOR_COOKIE,
  type Page,
  type PageRequest,
  type Rendered,
  SESSION_COOKIE,
  toRendered,
} from '../page.ts'
import { toEnds } from '../provider-text.ts'
import { createView, type View } from '../view.ts'

const FORM = 'shirube-form'

/** Operators have a session of their own on their pages. */
export const sessionIdOf = ({ path, cookies }: PageRequest): string | undefined =>
  cookies[/^\/operator(\/|$)/.test(path) ? OPERATOR_COOKIE : SESSION_COOKIE] || undefined

export const toSessionCookie = (id: string): NewCookie => ({
  name: SESSION_COOKIE,
  value: id,
  seconds: SESSION_HOURS * 3_600,
})

export const NO_SESSION: NewCookie = { name: SESSION_COOKIE, value: '' }

/** The token in a form, and the cookie to set if the browser has none yet. */
export type Token = { readonly value: string; readonly cookie: NewCookie | undefined }

export function issueToken(request: PageRequest): Token {
  const known = request.cookies[FORM]
  const secret = known || randomBytes(24).toString('base64url')
  return {
    value: toToken(secret, sessionIdOf(request)),
    cookie: known ? undefined : { name: FORM, value: secret },
  }
}

/** A secret that only this browser has, once it was sent a form. */
export const browserOf = ({ cookies }: PageRequest): string | undefined => cookies[FORM]

/** Returns whether a form comes from a page that was sent to this browser in this session. */
function isOurs(request: PageRequest, form: Readonly<Record<string, string>>): boolean {
  const secret = request.cookies[FORM]
  if (!secret) return false
  const [wanted, given] = [toToken(secret, sessionIdOf(request)), form.token ?? ''].map(text =>
    Buffer.from(text),
  )
  return wanted!.length === given!.length && timingSafeEqual(wanted!, given!)
}

/** Marks the result of a form that this browser has sent, so that a link to the result says nothing to others. */
export const toMark = ({ cookies }: PageRequest, of: string): string | undefined =>
  cookies[FORM] ? toToken(cookies[FORM], `mark ${of}`) : undefined

/** Depends on the session too, so that somebody who can set the form cookie still cannot compute the token. */
const toToken = (secret: string, session = ''): string =>
  createHash('sha256').update(`${secret}\n${session}`).digest('base64url')

// Shared by the pages of owners: the signed-in owner, the form token against cross-site requests, and the notice of an error.

export type Owner = {
  readonly session: Session
  readonly name: string
  readonly wallet: string | null
}

/** Returns undefined without a session, or if its key is no longer valid. */
export async function findOwner(
  directory: Pick<LocalDirectory, 'listKeys' | 'findSession'>,
  request: PageRequest,
): Promise<Owner | undefined> {
  const id = sessionIdOf(request)
  const session = id === undefined ? undefined : await directory.findSession(id)
  if (session?.kind !== 'wallet' && session?.kind !== 'key') return undefined
  try {
    return toOwner(session, await directory.listKeys(session))
  } catch (error) {
    if (toRefusal(error).code === 'unauthorized') return undefined
    throw error
  }
}

/** A key from the settings has no record, so its owner has no name. */
function toOwner(session: Session, keys: readonly OwnKey[]): Owner {
  const [first] = keys
  const wallet = first?.wallet ?? null
  return { session, wallet, name: wallet?.slice(wallet.indexOf(':') + 1) ?? first?.name ?? '' }
}

export const isOperator = (keys: readonly OwnKey[]): boolean =>
  keys.some(({ scopes }) => scopes.includes('admin'))

/** Redirects to the sign-in page, which returns to the requested page, and removes the cookie of a session that has expired. */
const toSignIn = ({ href, request }: View): Rendered => ({
  text: '',
  location: href('/sign-in', { to: toPlace(request.path) }),
  cookie: NO_SESSION,
})

/** Without the slash in front. */
const toPlace = (path: string): string => (PLACES.test(path) ? path.slice(1) : 'yours')

const PLACES = /^\/(?:register|yours(?:\/svc_\w{1,60})?|services\/svc_\w{1,60}\/report)$/

/** The page to return to after signing in. Only the paths named here, so that a link cannot redirect to another site. */
export const readPlace = ({ parameters: { to } }: PageRequest): string =>
  to !== undefined && PLACES.test(`/${to}`) ? `/${to}` : '/yours'

/** @throws DirectoryError `forbidden` if the form does not come from a page that was sent to this browser */
export function assertOurs(request: FormRequest): void {
  if (!isOurs(request, request.form)) throw new DirectoryError('forbidden', say('form_of_others'))
}

/**
 * A page of signed-in owners and its forms. Who is not signed in is sent to do so; a refused form is shown again with the error.
 * @param find what the page is about; undefined if there is no such page
 */
export function createOwnerForms<Subject>(
  directory: LocalDirectory,
  {
    find,
    show,
    act,
  }: {
    find(request: PageRequest, owner: Owner): Subject | undefined | Promise<Subject | undefined>
    show(view: View, owner: Owner, subject: Subject, refused?: Refused): Promise<Rendered>
    act(view: View, owner: Owner, subject: Subject, request: FormRequest): Promise<Rendered>
  },
): Required<Pick<Page, 'render' | 'submit'>> {
  async function open(request: PageRequest, work: typeof show): Promise<Rendered> {
    const view = createView(request)
    const owner = await findOwner(directory, request)
    if (!owner) return toSignIn(view)
    const subject = await find(request, owner)
    return subject === undefined ? renderMissing(request) : work(view, owner, subject)
  }
  return {
    render: request => open(request, show),
    submit: request =>
      open(request, async (view, owner, subject) => {
        try {
          assertOurs(request)
          return await act(view, owner, subject, request)
        } catch (error) {
          return show(view, owner, subject, { form: request.form, error: toRefusal(error) })
        }
      }),
  }
}

export type Refused = { readonly form: FormRequest['form']; readonly error: DirectoryError }

export const toTokenField = ({ value }: Token): Html =>
  html`<input type="hidden" name="token" value="${value}">`

/** A page that is not cached, with the cookie of its form token. */
export function toOwnerPage(
  view: View,
  title: string,
  make: (token: Token) => Html,
  rest: Pick<Rendered, 'failed' | 'cookie'> & { readonly script?: string } = {},
): Rendered {
  const { script, ...answer } = rest
  const token = issueToken(view.request)
  const document = toDocument(view, { title, isUnlisted: true, main: make(token), ...(script && { script }) })
  return toRendered(document, { cookie: token.cookie, ...answer })
}

/** Who is signed in, with a button to sign out. */
export function toWho(view: View, { name }: Owner, token: Token): Html {
  const { owner } = view.words
  return html`<form class="who" action="${view.href('/sign-in')}" method="post">${toTokenField(token)}<p>${name ? html`${owner.signedInAs} <code>${toShortName(name)}</code>` : owner.signedInByKey}</p><button class="quiet small" name="action" value="leave">${owner.signOut}</button></form>`
}

const toShortName = (name: string): string => (/^[\w]{32,}$/.test(name) ? toEnds(name) : name)
