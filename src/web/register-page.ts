// Registering by hand: the page takes the form itself, asks the directory as any interface does, and says what is wrong beside each field.
import type { LocalDirectory } from '../directory/directory.ts'
import type { CheckReport } from '../domain/check.ts'
import { draftFromCheck } from '../domain/draft-from-check.ts'
import { type DirectoryError, toProblem } from '../domain/errors.ts'
import { readTold } from '../domain/told.ts'
import { toRefusal } from './failure.ts'
import { type Html, html } from './html.ts'
import { toDocument } from './layout.ts'
import { type FormRequest, type Page, type PageRequest, type Rendered, toRendered } from './page.ts'
import { type Form, toBody, toForm } from './register-form.ts'
import { toMessageParagraph } from './said.ts'
import { createView, type View } from './view.ts'

export function createRegisterPage(directory: LocalDirectory): Required<Pick<Page, 'render' | 'submit'>> {
  return {
    render: (request: PageRequest) => {
      const view = createView(request)
      return toRendered(toPage(view, toForm(view, {}, [])))
    },
    async submit(request: FormRequest): Promise<Rendered> {
      const view = createView(request)
      const { form } = request
      try {
        return form.action === 'check'
          ? await check(directory, view, request)
          : await register(directory, view, form)
      } catch (error) {
        const refusal = toRefusal(error)
        return toRendered(toPage(view, toRefused(view, form, refusal)), { failed: refusal.code })
      }
    },
  }
}

/** The reader is sent on, so that loading the page again registers nothing twice. */
async function register(directory: LocalDirectory, { href }: View, form: Form): Promise<Rendered> {
  const key = form.key?.trim() ?? ''
  const { service } = await directory.register(toBody(form), { key, ...(form.once && { once: form.once }) })
  return { text: '', location: href(`/services/${service.decode().id}`, { registered: 1 }) }
}

async function check(directory: LocalDirectory, view: View, { form, from }: FormRequest): Promise<Rendered> {
  const { report } = await directory.check(toCheckBody(form), { key: form.key?.trim() ?? '', from })
  const checked = report.decode()
  return toRendered(
    toPage(view, html`${toReport(view, checked)}${toForm(view, filledIn(form, checked), [])}`),
  )
}

/** What the reader left empty is told by the endpoint itself; the reader looks at it before it is sent. */
function filledIn(form: Form, report: CheckReport): Form {
  const { pricing, x402Config, ...about } = draftFromCheck(report)
  const told = {
    ...about,
    ...(pricing && prefixed('pricing', pricing)),
    ...(x402Config && prefixed('x402Config', x402Config)),
  }
  const isEmpty = (name: string) => (form[name] ?? '').trim() === ''
  return { ...form, ...Object.fromEntries(Object.entries(told).filter(([name]) => isEmpty(name))) }
}

const prefixed = (prefix: string, fields: Readonly<Record<string, string>>): Form =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]))

/** What is not filled in yet is not compared. */
function toCheckBody(form: Form): object {
  const { endpoint, pricing, x402Config } = JSON.parse(JSON.stringify(toBody(form)))
  const isPriced = pricing.currency !== undefined && pricing.pricePerRequest !== undefined
  return { endpoint: endpoint ?? '', x402Config, ...(isPriced && { pricing }) }
}

function toRefused(view: View, form: Form, { code, said, problems }: DirectoryError): Html {
  const shown = code === 'unauthorized' ? [toProblem('key', said)] : problems
  const notice = html`<div class="notice wrong" role="alert" tabindex="-1"><strong>${view.words.register.failed}</strong>${toMessageParagraph(view, said)}</div>`
  // What was sent before under this name was something else, so the next attempt gets another.
  const kept = code === 'idempotency_conflict' ? { ...form, once: '' } : form
  return html`${shown.length > 0 ? undefined : notice}${toForm(view, kept, shown)}`
}

function toReport(
  view: View,
  { wouldVerify, checks, notes, noteCodes, requests, domain }: CheckReport,
): Html {
  const { register } = view.words
  return html`<section class="report" aria-labelledby="report" role="status"><h2 id="report">${register.checked}</h2>
<p><strong>${wouldVerify ? register.wouldVerify : register.wouldNotVerify}</strong></p>
<ul class="checks">${checks.map(
    ({ check, result, detail, ...told }) =>
      html`<li class="${result}"><strong>${register.checks[check]}</strong> <span class="result">${register.results[result]}</span>${toMessageParagraph(view, readTold(told, detail))}</li>`,
  )}</ul>
${domain ? html`<p>${view.words.service.provedBy(domain.host)}</p>` : undefined}
${notes.length > 0 ? html`<h3>${register.notes}</h3><ul>${notes.map((note, i) => html`<li>${toMessageParagraph(view, readTold(noteCodes[i], note))}</li>`)}</ul>` : undefined}
${requests.length > 0 ? html`<details><summary>${register.requests}</summary><ul>${requests.map(({ method, path, status, as }) => html`<li><code>${method} ${path}</code> → ${status ?? register.noAnswer}${as === 'customer' ? ` (${register.asCustomer})` : ''}</li>`)}</ul></details>` : undefined}
</section>`
}

/** A directory that knows its public address hands out keys for signatures, without its operator. */
function toWalletNote({ words, href, request }: View): Html | undefined {
  const { servers } = request.document as { readonly servers?: readonly { readonly url: string }[] }
  if (!servers?.[0] || servers[0].url === '/') return undefined
  const { byWallet, byWalletLink } = words.register
  return html`<p class="note">${byWallet} <a href="${href('/docs/owners')}#createChallenge">${byWalletLink}</a></p>`
}

function toPage(view: View, content: Html): Html {
  const { title, intro } = view.words.register
  const main = html`<div class="text"><h1>${title}</h1><p class="lead">${intro}</p>${toWalletNote(view)}${content}</div>`
  return toDocument(view, { title, main, place: 'register' })
}
