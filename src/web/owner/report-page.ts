// Reports a service to the operator, by the rules of the API. Only who is signed in can: an operator reads every report, and what is
// limited by wallet and network cannot be sent by everybody who passes by.
import type { LocalDirectory } from '../../directory/directory.ts'
import type { DirectoryError } from '../../domain/errors.ts'
import type { Service } from '../../domain/listing/service.ts'
import { REPORT_KINDS, type Report } from '../../domain/operating.ts'
import { renderFailure, toRefusal } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import { toTime } from '../layout.ts'
import { toWrong } from '../message-text.ts'
import type { FormRequest, Page, PageRequest, Rendered } from '../page.ts'
import type { Form } from '../register/register-fields.ts'
import { createView, type View } from '../view.ts'
import { assertOurs, findOwner, type Owner, type Token, toOwnerPage, toTokenField, toWho } from './session.ts'

export function createReportPage(directory: LocalDirectory): Required<Pick<Page, 'render' | 'submit'>> {
  async function open(
    request: PageRequest,
    work: (view: View, service: Service, owner: Owner) => Promise<Rendered> | Rendered,
  ): Promise<Rendered> {
    const view = createView(request)
    try {
      const service = directory
        .requireFound(directory.requireCatalog().service(request.id), request.id)
        .decode()
      const owner = await findOwner(directory, request)
      return owner ? await work(view, service, owner) : toPage(view, service, () => toSignedOut(view))
    } catch (error) {
      return renderFailure(request, toRefusal(error))
    }
  }

  return {
    render: request =>
      open(request, (view, service, owner) => toPage(view, service, token => toForm(view, owner, token))),
    submit: (request: FormRequest) =>
      open(request, async (view, service, owner) => {
        const { form, from } = request
        const { kind, text } = form
        try {
          assertOurs(request)
          const { report } = await directory.report(service.id, { kind, text }, { ...owner.session, from })
          return toPage(view, service, () => toReported(view, report))
        } catch (error) {
          const refusal = toRefusal(error)
          const { report } = view.words
          const fieldOf = (path: string) => [path, path === 'kind' ? report.kind : report.text] as const
          const main = (token: Token) =>
            html`${toWrong(view, refusal, fieldOf)}${toForm(view, owner, token, form)}`
          return toPage(view, service, main, refusal.code)
        }
      }),
  }
}

function toPage(
  view: View,
  { id, name }: Service,
  content: (token: Token) => Html,
  failed?: DirectoryError['code'],
): Rendered {
  const { report } = view.words
  const main = (token: Token) =>
    html`<div class="text"><p class="crumbs"><a href="${view.href(`/services/${id}`)}">${name}</a></p>
<h1>${report.title}</h1><p class="lead">${report.intro}</p>
${content(token)}</div>`
  return toOwnerPage(view, report.title, main, { failed })
}

const toSignedOut = ({ words: { report, owner }, href, request }: View): Html =>
  html`<p>${report.signInFirst}</p><p class="buttons"><a class="button" href="${href('/sign-in', { to: request.path.slice(1) })}">${owner.signIn.title}</a></p>`

function toForm(view: View, owner: Owner, token: Token, { kind, text = '' }: Form = {}): Html {
  const { report } = view.words
  return html`${toWho(view, owner, token)}
<form class="register panel" action="${view.href(view.request.path)}" method="post">${toTokenField(token)}
<div class="field"><label for="kind">${report.kind}</label><select id="kind" name="kind" required><option value="">${report.choose}</option>${REPORT_KINDS.map(each => html`<option value="${each}"${each === kind ? html` selected` : undefined}>${report.kinds[each]}</option>`)}</select></div>
<div class="field"><label for="text">${report.text}</label><textarea id="text" name="text" rows="6" required aria-describedby="text-help">\n${text}</textarea><p class="help" id="text-help">${report.textHelp}</p></div>
<p class="note">${report.seen}</p>
<p class="buttons"><button>${report.send}</button></p></form>`
}

/** One report of a service is open at a time, so an earlier one comes back in place of another. */
const toReported = (view: View, { kind, text, createdAt }: Report): Html =>
  html`<div class="notice" role="status"><strong>${view.words.report.done}</strong><p>${view.words.report.doneText}</p><p>${toTime(view, createdAt)} · ${view.words.report.kinds[kind]}${view.words.colon}${text}</p></div>`
