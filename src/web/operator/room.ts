// The operator's room: how one gets in, the frame of its subjects, and the forms and lists that they are made of.
import type { LocalDirectory } from '../../directory/directory.ts'
import { SESSION_HOURS } from '../../directory/sign-in.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import { OWN_COMMAND } from '../../package/files.ts'
import { renderMissing, toRefusal, toRefusalText } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import { toCopyable, toDocument } from '../layout.ts'
import { toMessageParagraph, toProblemText, toWrong } from '../message-text.ts'
import {
  assertOurs,
  issueToken,
  type Refused,
  sessionIdOf,
  type Token,
  toTokenField,
} from '../owner/session.ts'
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
import { createView, type View } from '../view.ts'

/** What a subject is shown with, and acts with. */
export type Visit = {
  readonly directory: LocalDirectory
  readonly view: View
  readonly token: Token
  /** The key of the operator who is signed in. */
  readonly by: { readonly key: string }
  /** A form that was refused: it is shown again with what was entered. */
  readonly refused?: Refused | undefined
}

export type Form = FormRequest['form']

export type Subject = {
  show(visit: Visit): Promise<Html>
  /** By the value of the button. What an act returns is shown once; after the others the page is loaded anew and says what was done. */
  readonly acts?: Readonly<Record<string, (visit: Visit, form: Form) => Promise<Html | undefined>>>
}

/** By the last part of their paths. The first one has none. */
export type Subjects = Readonly<Record<string, Subject>>

const PATH = '/operator'
/** Acts that ask first. */
const ASKED: readonly string[] = ['removeAll', 'revoke', 'show']

const toCookie = (id: string): NewCookie => ({
  name: OPERATOR_COOKIE,
  value: id,
  seconds: SESSION_HOURS * 3_600,
  isSentByLinks: true,
})
const NO_SESSION: NewCookie = { name: OPERATOR_COOKIE, value: '' }

async function findOperator(
  directory: LocalDirectory,
  request: PageRequest,
): Promise<Visit['by'] | undefined> {
  const id = sessionIdOf(request)
  const session = id === undefined ? undefined : await directory.findSession(id)
  return session?.kind === 'operator' ? session : undefined
}

/** A file for who is signed in; others are sent to the entrance. @param read undefined: there is none */
export const createDownload =
  (
    directory: LocalDirectory,
    read: (by: Visit['by'], request: PageRequest) => Promise<Rendered | undefined>,
  ) =>
  async (request: PageRequest): Promise<Rendered> => {
    const by = await findOperator(directory, request)
    if (!by) return { text: '', location: createView(request).href(PATH) }
    const file = await read(by, request)
    if (file) return file
    throw new DirectoryError('not_found', say('path_unknown'))
  }

export function createRoom(
  directory: LocalDirectory,
  subjects: Subjects,
): Required<Pick<Page, 'render' | 'submit'>> {
  const ids = Object.keys(subjects)
  const pathOf = (id: string) => (id === ids[0] ? PATH : `${PATH}/${id}`)
  const idOf = ({ path }: PageRequest) => ids.find(id => pathOf(id) === path)

  /** @param news stands above the subject */
  async function toPage(visit: Visit, id: string, news?: Html, status: Status = {}): Promise<Rendered> {
    const { view, token } = visit
    const { operator } = view.words
    const [title, lead] = operator.subjects[id]!
    let failed = status.failed
    const content = await subjects[id]!.show(visit).catch(error => {
      const refusal = toRefusal(error)
      if (refusal.code === 'unauthorized') throw error
      failed ??= refusal.code
      return toRefusalText(view, '', refusal)
    })
    const links = ids.map(
      each =>
        html`<a href="${view.href(pathOf(each))}"${each === id ? html` aria-current="page"` : undefined}>${operator.subjects[each]![0]}</a>`,
    )
    const main = html`<div class="room"><div class="heads"><nav aria-label="${operator.title}"><details><summary>${operator.title}${view.words.colon}${title}</summary>${links}</details></nav>
<form action="${view.href(PATH)}" method="post">${toTokenField(token)}<button class="quiet small" name="action" value="leave">${view.words.owner.signOut}</button></form></div>
<h1>${title}</h1><p class="lead">${lead}</p>${news}
${content}</div>`
    const document = toDocument(view, { title, isUnlisted: true, main, place: 'operator' })
    return toRendered(document, { cookie: token.cookie, ...status, failed })
  }

  /** The page of who is not signed in. */
  function toEntrance(view: View, refusal?: DirectoryError, cookie?: NewCookie): Rendered {
    const { operator, owner, register } = view.words
    const token = issueToken(view.request)
    const command = `${OWN_COMMAND} keys create desk --scope admin`
    const main = html`<div class="text"><h1>${operator.title}</h1><p class="lead">${operator.intro}</p>
${refusal && html`<div class="notice wrong" role="alert" tabindex="-1">${toMessageParagraph(view, refusal.said)}</div>`}
${view.request.cookies[SESSION_COOKIE] ? html`<p class="notice">${operator.notOperator}</p>` : undefined}
<form class="register panel" action="${view.href(view.request.path)}" method="post">${toTokenField(token)}<div class="field"><label for="key">${register.fields.key![0]}</label><input id="key" name="key" type="password" required maxlength="128" autocomplete="off" spellcheck="false"><p class="help">${operator.keyHelp}</p><p class="help">${toCopyable(view, command, operator.command)}</p></div>
<p class="buttons"><button name="action" value="enter">${owner.signIn.title}</button></p></form></div>`
    return toRendered(
      toDocument(view, { title: operator.title, isUnlisted: true, main, place: 'operator' }),
      {
        cookie: cookie ?? token.cookie,
        failed: refusal?.code ?? 'unauthorized',
      },
    )
  }

  /** Who is signed in is shown the subject; others the entrance. */
  async function open(
    request: PageRequest,
    work: (visit: Visit, id: string) => Promise<Rendered>,
  ): Promise<Rendered> {
    const view = createView(request)
    const id = idOf(request)
    if (id === undefined) return renderMissing(request)
    const by = await findOperator(directory, request)
    if (!by) return toEntrance(view)
    try {
      return await work({ directory, view, by, token: issueToken(request) }, id)
    } catch (error) {
      // Its key was revoked, or has expired.
      return toEntrance(view, toRefusal(error), NO_SESSION)
    }
  }

  /** By the form of the entrance, or by a link. */
  async function enter(request: PageRequest, session: () => Promise<string>): Promise<Rendered> {
    const view = createView(request)
    try {
      return { text: '', location: view.href(request.path), cookie: toCookie(await session()) }
    } catch (error) {
      return toEntrance(view, toRefusal(error))
    }
  }

  async function leave(request: FormRequest): Promise<Rendered> {
    const id = sessionIdOf(request)
    assertOurs(request)
    if (id !== undefined) await directory.closeSession(id)
    return { text: '', location: createView(request).href(PATH), cookie: NO_SESSION }
  }

  return {
    render(request) {
      const { token, done } = request.parameters
      if (token !== undefined && request.path === PATH)
        return enter(request, () => directory.enterByLink(token, request.from))
      return open(request, (visit, id) => {
        const said = visit.view.words.operator.done
        const news = done && Object.hasOwn(said, done) ? toNews(said[done as keyof typeof said]) : undefined
        return toPage(visit, id, news)
      })
    },
    async submit(request) {
      const { form, from } = request
      if (form.action === 'enter')
        return enter(request, async () => {
          assertOurs(request)
          return directory.enterByKey(form.key?.trim() ?? '', from)
        })
      return open(request, async (visit, id) => {
        const { acts = {} } = subjects[id]!
        try {
          if (form.action === 'leave') return await leave(request)
          assertOurs(request)
          const act = Object.hasOwn(acts, form.action ?? '') ? acts[form.action!] : undefined
          if (!act) throw new DirectoryError('invalid_request', say('action_unknown'))
          if (ASKED.includes(form.action!) && !form.sure)
            throw new DirectoryError('invalid_request', say('confirmation_expected'))
          const news = await act(visit, form)
          if (news) return await toPage(visit, id, news)
          return { text: '', location: visit.view.href(pathOf(id), { done: form.action }) }
        } catch (error) {
          const refusal = toRefusal(error)
          if (refusal.code === 'unauthorized') throw error
          const refused = { form, error: refusal }
          const { fields } = visit.view.words.operator
          const wrong = toWrong(visit.view, refusal, path => {
            const name = nameOf(path)
            return fields[name] && [`${form.action}-${name}`, fields[name][0]]
          })
          return toPage({ ...visit, refused }, id, wrong, { failed: refusal.code })
        }
      })
    },
  }
}

type Status = Pick<Rendered, 'failed'>

// What subjects are made of.

/** What an act has done. */
export const toNews = (title: string, more?: Html): Html =>
  html`<div class="notice" role="status"><strong>${title}</strong>${more}</div>`

/** Puts the names of keys before their ids. */
export async function readNames({ directory, by }: Visit): Promise<(text: string) => string> {
  const names = new Map((await directory.allKeys(by)).map(({ id, name }) => [id, name]))
  return text => text.replace(/\bkey_\w+/, id => [names.get(id), id].filter(Boolean).join(' '))
}

/** Who did something. @param who the id of a key, with its name, or "command" */
export const toActor = ({ words: { operator } }: View, who: string): string =>
  who === 'command' ? operator.byCommand : operator.byKey(who)

/** Lists, and what adds to them: below them, where a link leads; first if the address asks for it. */
export function toAddable({ view }: Visit, act: string, form: Html, lists: Html, isAsked = false): Html {
  const title = view.words.operator.acts[act]
  const section = html`<section id="${act}"><h2>${title}</h2>${form}</section>`
  return isAsked
    ? html`${section}${lists}`
    : html`<p class="buttons"><a class="button quiet" href="#${act}">${title}…</a></p>${lists}${section}`
}

const nameOf = (path: string): string => path.split(/[.[]/).at(-1)!

export type Field = {
  readonly name: string
  /** number, url, text: one line. */
  readonly kind?: 'text' | 'number' | 'url' | 'area' | 'choice'
  /** Of a choice, with their words. */
  readonly values?: Readonly<Record<string, string>>
  readonly value?: string
  readonly isOptional?: true
}

export type Button = {
  /** The name of the act, with its words. */
  readonly action: string
  readonly isDangerous?: boolean
}

/** A form with what was entered, if it was refused. Its fields are named after its act. @param buttons the first is the main one */
export function toForm(
  { view, token, refused }: Visit,
  { fields, buttons }: { readonly fields: readonly Field[]; readonly buttons: readonly Button[] },
): Html {
  const { operator } = view.words
  const form = buttons.some(({ action }) => action === refused?.form.action) ? refused : undefined
  const id = form?.form.action ?? buttons[0]!.action
  const inputs = fields.map(({ name, kind = 'text', values = {}, value = '', isOptional }) => {
    const [label, help] = operator.fields[name]!
    const entered = form?.form[name] ?? value
    const problem = form?.error.problems.find(({ path }) => nameOf(path) === name)
    const wrong = problem && toProblemText(view, problem)
    const described = [wrong && `${id}-${name}-problem`, help && `${id}-${name}-help`].filter(Boolean)
    const common = html`id="${id}-${name}" name="${name}"${isOptional ? undefined : html` required`}${described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : undefined}${wrong && html` aria-invalid="true"`}`
    const input =
      kind === 'area'
        ? html`<textarea ${common} rows="4">\n${entered}</textarea>`
        : kind === 'choice'
          ? html`<select ${common}>${Object.entries(values).map(([each, words]) => html`<option value="${each}"${each === entered ? html` selected` : undefined}>${words}</option>`)}</select>`
          : html`<input ${common} type="${kind}" value="${entered}" autocomplete="off">`
    return html`<div class="field"><label for="${id}-${name}">${label}</label>${input}${wrong && html`<p class="problem" id="${id}-${name}-problem"${wrong.mark}>${wrong.text}</p>`}${help && html`<p class="help" id="${id}-${name}-help">${help}</p>`}</div>`
  })
  return html`<form class="register panel" action="${view.href(view.request.path)}" method="post">${toTokenField(token)}${inputs}<p class="buttons">${buttons.map(
    ({ action }, i) =>
      html`<button${i > 0 ? html` class="quiet"` : undefined} name="action" value="${action}">${operator.acts[action]}</button>`,
  )}</p></form>`
}

export type Item = {
  readonly name: string
  /** By default the name. */
  readonly title?: Html
  readonly notes: readonly (Html | string | undefined)[]
  /** What its buttons send. */
  readonly sent?: Readonly<Record<string, string>>
  readonly buttons?: readonly Button[]
  /** Each behind a disclosure, because it cannot be undone or takes a word more. */
  readonly further?: readonly (Further | undefined)[]
}
type Further = { readonly title: string; readonly input: Html; readonly buttons: readonly Button[] }

/** Of an act that asks first. @param sure what is agreed to */
export const toAsked = ({ words: { operator } }: View, action: string, sure: string): Further => ({
  title: `${operator.acts[action]}…`,
  input: html`<p><label class="pick"><input type="checkbox" name="sure" value="1" required>${sure}</label></p>`,
  buttons: [{ action, isDangerous: true }],
})

/** A list, each item with what can be done with it. */
export function toItems(visit: Visit, items: readonly Item[], empty: string): Html {
  const { view, token } = visit
  if (items.length === 0) return html`<p class="note">${empty}</p>`
  const toButtons = (name: string, buttons: readonly Button[]) =>
    html`<p class="buttons">${buttons.map(({ action, isDangerous }) => {
      const words = view.words.operator.acts[action]!
      return html`<button class="quiet small${isDangerous ? ' danger' : ''}" name="action" value="${action}" aria-label="${words}: ${name}">${words}</button>`
    })}</p>`
  const toContent = ({ name, sent = {}, buttons = [], further = [] }: Item) => {
    const hidden = Object.entries(sent).map(
      ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
    )
    const form = (content: Html) =>
      html`<form action="${view.href(view.request.path)}" method="post">${toTokenField(token)}${hidden}${content}</form>`
    return html`${buttons.length > 0 ? form(toButtons(name, buttons)) : undefined}${further.map(each => each && html`<details><summary>${each.title}</summary>${form(html`${each.input}${toButtons(name, each.buttons)}`)}</details>`)}`
  }
  return html`<ul class="lines">${items.map(item => {
    const notes = item.notes.filter(note => note !== undefined && note !== '')
    return html`<li><div>${item.title ?? item.name}${notes.map(note => html`<p class="note">${note}</p>`)}</div><div>${toContent(item)}</div></li>`
  })}</ul>`
}
