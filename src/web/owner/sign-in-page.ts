// Signing in: with a wallet in the browser, with the pasted signature of any other wallet, or with an API key.
import type { LocalDirectory } from '../../directory/directory.ts'
import { SESSION_HOURS, type Session } from '../../directory/sign-in.ts'
import { chainLabel } from '../../domain/chains/chains.ts'
import { DirectoryError, type Problem, toProblem } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import { WALLET_ADDRESS } from '../assets.ts'
import { toRefusal } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import { toCopyButton } from '../layout.ts'
import { toProblemText, toWrong } from '../message-text.ts'
import type { FormRequest, Page, PageRequest, Rendered } from '../page.ts'
import { type Form, toAddressInput, toNetwork } from '../register/register-fields.ts'
import { createView, type View } from '../view.ts'
import {
  assertOurs,
  browserOf,
  isOperator,
  NO_SESSION,
  readPlace,
  sessionIdOf,
  type Token,
  toOwnerPage,
  toSessionCookie,
  toTokenField,
} from './session.ts'

const FIELDS = ['key', 'network', 'address'] as const
type FieldName = (typeof FIELDS)[number]

export function createSignInPage(directory: LocalDirectory): Required<Pick<Page, 'render' | 'submit'>> {
  return {
    render: (request: PageRequest) => {
      const view = createView(request)
      return toPage(view, token => toWays(view, token, {}, []))
    },
    async submit(request: FormRequest): Promise<Rendered> {
      const view = createView(request)
      try {
        assertOurs(request)
        return await act(directory, view, request)
      } catch (error) {
        const refusal = toRefusal(error)
        const problems = problemsOf(request.form, refusal)
        const wrong =
          problems.length > 0
            ? toWrong(view, { problems }, path => [path, labelOf(view, path as FieldName)])
            : toWrong(view, refusal)
        const next = await toNextMessage(directory, request, refusal).catch(() => undefined)
        const content = (token: Token) =>
          html`${wrong}${next ? toMessage(view, token, next) : toWays(view, token, request.form, problems)}`
        return toPage(view, content, { failed: refusal.code })
      }
    },
  }
}

type ToSign = { readonly message: string; readonly network: string }

/** After a wrong signature there is another message for the same wallet, with all of its time left. */
async function toNextMessage(
  directory: LocalDirectory,
  request: FormRequest,
  { said }: DirectoryError,
): Promise<ToSign | undefined> {
  const { network } = request.form
  if (said.code !== 'signature_of_others' || !network) return undefined
  const browser = browserOf(request)
  const { message } = await directory.challenge({ address: said.values.address, network }, { browser })
  return { message, network }
}

/** Problems to show next to a field. A refused key belongs to the key field. */
const problemsOf = (form: Form, { code, said, problems }: DirectoryError): readonly Problem[] =>
  problems.length === 0 &&
  form.action === 'key' &&
  (code === 'unauthorized' || said.code === 'operator_key_refused')
    ? [toProblem('key', said)]
    : problems.filter(({ path }) => FIELDS.some(field => field === path))

async function act(directory: LocalDirectory, view: View, request: FormRequest): Promise<Rendered> {
  const { form } = request
  const text = (name: string) => form[name]?.trim() ?? ''
  switch (form.action) {
    case 'leave':
      return leave(directory, view)
    case 'challenge': {
      const wallet = { address: text('address'), network: toNetwork(text('network')) }
      const { message } = await directory.challenge(wallet, { browser: browserOf(request) })
      return toPage(view, token => toMessage(view, token, { message, network: wallet.network }))
    }
    case 'sign': {
      // Forms send line ends as CRLF.
      const message = (form.message ?? '').replaceAll('\r\n', '\n')
      const signed = { message, signature: text('signature'), hours: SESSION_HOURS }
      const { key } = await directory.signIn(signed, {
        from: request.from,
        browser: browserOf(request),
      })
      return enter(directory, view, { kind: 'wallet', key })
    }
    default: {
      const key = text('key')
      // A browser must not store a key that can change the entries of others.
      if (isOperator(await directory.listKeys({ key })))
        throw new DirectoryError('forbidden', say('operator_key_refused'))
      return enter(directory, view, { kind: 'key', key })
    }
  }
}

const enter = async (directory: LocalDirectory, view: View, session: Session): Promise<Rendered> => ({
  text: '',
  location: view.href(readPlace(view.request), { endpoint: view.request.parameters.endpoint }),
  cookie: toSessionCookie(await directory.openSession(session, view.request.from)),
})

/** Revokes the key that was created for the session; a key that the reader entered stays valid. */
async function leave(directory: LocalDirectory, view: View): Promise<Rendered> {
  const id = sessionIdOf(view.request)
  const session = id === undefined ? undefined : await directory.findSession(id)
  if (id !== undefined) await directory.closeSession(id)
  if (session?.kind === 'wallet')
    await directory.signOut(session).catch(error => {
      if (toRefusal(error).code !== 'unauthorized') throw error
    })
  return { text: '', location: view.href('/sign-in'), cookie: NO_SESSION }
}

function toPage(view: View, content: (token: Token) => Html, rest: Pick<Rendered, 'failed'> = {}): Rendered {
  const { signIn } = view.words.owner
  const main = (token: Token) =>
    html`<div class="text"><h1>${signIn.title}</h1><p class="lead">${signIn.intro}</p>${content(token)}</div>`
  return toOwnerPage(view, signIn.title, main, { ...rest, script: WALLET_ADDRESS })
}

const toAction = ({ href, request }: View): string =>
  href('/sign-in', { to: request.parameters.to, endpoint: request.parameters.endpoint })

const labelOf = ({ words }: View, field: FieldName): string =>
  field === 'address'
    ? words.owner.signIn.address
    : words.register.fields[field === 'network' ? 'x402Config.network' : field]![0]

function toField(
  view: View,
  name: FieldName,
  problems: readonly Problem[],
  attributes: Html,
  value?: string,
): Html {
  const problem = problems.find(({ path }) => path === name)
  const wrong = problem && toProblemText(view, problem)
  const common = html`id="${name}" name="${name}" required autocomplete="off" ${attributes}${wrong && html` aria-invalid="true" aria-describedby="${name}-problem"`}`
  return html`<div class="field"><label for="${name}">${labelOf(view, name)}</label>${name === 'address' ? toAddressInput(common, value ?? '') : html`<input ${common}${value === undefined ? undefined : html` value="${value}"`}>`}${wrong && html`<p class="problem" id="${name}-problem"${wrong.mark}>${wrong.text}</p>`}</div>`
}

function toWays(view: View, token: Token, form: Form, problems: readonly Problem[]): Html {
  const { signIn } = view.words.owner
  return html`${view.request.publicUrl === undefined ? html`<p class="note">${signIn.noWallets}</p>` : toWallets(view, token, form, problems)}
<form class="register panel" action="${toAction(view)}" method="post"><h2>${signIn.byKey}</h2>${toTokenField(token)}<p class="note">${signIn.byKeyText}</p>
${toField(view, 'key', problems, html`type="password" maxlength="128" spellcheck="false"`)}
<p class="buttons"><button name="action" value="key">${signIn.title}</button></p></form>`
}

function toWallets(view: View, token: Token, form: Form, problems: readonly Problem[]): Html {
  const { signIn } = view.words.owner
  return html`<section class="panel" hidden><h2>${signIn.byWallet}</h2><p class="note">${signIn.byWalletText}</p><div id="wallets" class="buttons" data-unnamed="${signIn.unnamedWallet}"></div></section>
<p id="wallet-said" class="problem" role="alert" data-failed="${signIn.notSigned}"></p>
<form id="challenge" class="register panel" action="${toAction(view)}" method="post"><h2>${signIn.byHand}</h2>${toTokenField(token)}<p class="note">${signIn.byHandText}</p>
<div class="payment">${toField(view, 'network', problems, html`maxlength="64"`, chainLabel(form.network ?? 'base'))}
${toField(view, 'address', problems, html`maxlength="128" spellcheck="false"`, form.address)}</div>
<p class="buttons"><button class="quiet">${signIn.getMessage}</button></p><input type="hidden" name="action" value="challenge"></form>`
}

function toMessage(view: View, token: Token, { message, network }: ToSign): Html {
  const { signIn } = view.words.owner
  return html`<form id="sign" class="register panel" action="${toAction(view)}" method="post">${toTokenField(token)}<input type="hidden" name="action" value="sign"><input type="hidden" name="network" value="${network}">
<div class="field"><label for="message">${signIn.message}</label><textarea id="message" class="code" name="message" rows="12" readonly spellcheck="false">\n${message}</textarea><p>${toCopyButton(view, message, signIn.message)}</p><p class="help">${signIn.messageHelp}</p></div>
<div class="field"><label for="signature">${signIn.signature}</label><input id="signature" name="signature" required maxlength="1000" autocomplete="off" spellcheck="false"></div>
<p class="buttons"><button>${signIn.title}</button> <a href="${toAction(view)}">${signIn.otherWay}</a></p></form>`
}
