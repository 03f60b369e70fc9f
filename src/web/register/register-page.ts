// The registration page: a URL is pasted, the endpoint fills in the rest, and problems are shown beside the fields.
import type { LocalDirectory } from '../../directory/directory.ts'
import type { CheckName, CheckReport } from '../../domain/check.ts'
import { type DirectoryError, type Problem, toProblem } from '../../domain/errors.ts'
import { categoryKey } from '../../domain/listing/categories.ts'
import { draftFromCheck, fillDraft } from '../../domain/listing/draft-from-check.ts'
import { parseOwnServicesQuery } from '../../domain/listing/own-services.ts'
import type { Service } from '../../domain/listing/service.ts'
import { readMessageRecord } from '../../domain/message-view.ts'
import { type Band, toBands } from '../bands.ts'
import { toRefusal } from '../failure.ts'
import { type Html, html } from '../html.ts'
import { toDocument } from '../layout.ts'
import { repeatedNotes, signerNotes, typingNotes, urlNotes } from '../listing-notes.ts'
import { assertOurs, findOwner, type Owner, toWrong } from '../owner/frame.ts'
import { issueToken, type Token, toMark } from '../owner/session.ts'
import { type FormRequest, type Page, type PageRequest, type Rendered, toRendered } from '../page.ts'
import { createView, type View } from '../view.ts'
import { type Filled, type Form, toBody, toFlat } from './register-fields.ts'
import { readEndpointValues, toForm, toRegistrant } from './register-form.ts'
import { toFindings, toPreview, toRefusedUrl, toReport } from './register-report.ts'

type Sender = { readonly view: View; readonly owner: Owner | undefined }

export function createRegisterPage(directory: LocalDirectory): Required<Pick<Page, 'render' | 'submit'>> {
  const open = async (request: PageRequest): Promise<Sender> => ({
    view: createView(request),
    owner: await findOwner(directory, request),
  })
  return {
    async render(request: PageRequest) {
      return toPage(await open(request), {})
    },
    async submit(request: FormRequest): Promise<Rendered> {
      const sender = await open(request)
      const { form } = request
      try {
        // A typed key proves that the form was not forged; a cookie alone would not.
        if (sender.owner) assertOurs(request)
        return form.action === 'check'
          ? await check(directory, sender, request)
          : await register(directory, sender, request)
      } catch (error) {
        return toRefused(directory, sender, form, toRefusal(error))
      }
    },
  }
}

const keyOf = ({ owner }: Sender, form: Form): string => owner?.session.key ?? form.key?.trim() ?? ''

/** Redirects, so that reloading the page does not register twice. */
async function register(
  directory: LocalDirectory,
  sender: Sender,
  { form, from }: FormRequest,
): Promise<Rendered> {
  const { href, request } = sender.view
  const by = { key: keyOf(sender, form), from, ...(form.once && { once: form.once }) }
  const { id } = await directory.register(toBody(form), by)
  return { text: '', location: href(`/services/${id}`, { registered: toMark(request, id) }) }
}

/** Empty fields are filled in from the endpoint, and then compared with it like the others. */
async function check(
  directory: LocalDirectory,
  sender: Sender,
  { form, from }: FormRequest,
): Promise<Rendered> {
  // Nothing can be asked there, so that it counts as no check.
  const refused = directory.problemsOf(toBody(form)).filter(({ path }) => path === 'endpoint')
  if (!form.endpoint?.trim())
    return toPage(sender, { filled: { form, problems: refused } }, 'invalid_request')
  if (refused.length > 0)
    return toPage(sender, {
      filled: { form, problems: [], isChecked: true },
      notice: toRefusedUrl(sender.view, refused),
    })
  const ask = async (filled: Form): Promise<CheckReport> =>
    (await directory.check(toCheckBody(filled), { key: keyOf(sender, form), from })).report
  const first = await ask(form)
  const all = { ...form, ...toFlat(fillDraft(toBody(form), first).draft) }
  const isComplete = PAID_AT.every(name => !all[name]?.trim() || form[name]?.trim())
  const checked = isComplete ? first : await ask(all).catch(error => keepFirst(error, first))
  // Name and category are our suggestions; the rest comes from the endpoint.
  const { name: _, category: __, endpoint: ___, ...endpointValues } = toFlat(draftFromCheck(first))
  const problems = toProblems(checked)
  const filled: Filled = {
    form: all,
    // What fails at the endpoint itself is said once, above the form.
    problems: problems.filter(({ path }) => path !== 'endpoint'),
    isChecked: true,
    endpointValues,
  }
  return toPage(sender, {
    filled,
    report: checked,
    notice: html`${toFindings(sender.view, checked, problems)}${toBands(sender.view, await findNotes(directory, sender, all), { isOwner: true })}`,
  })
}

/** What is better known before the listing is published. */
async function findNotes(directory: LocalDirectory, { view, owner }: Sender, form: Form): Promise<Band[]> {
  const body = toFlat(toBody(form))
  const endpoint = body.endpoint ?? ''
  const { category = '', 'pricing.currency': currency, 'x402Config.network': entered } = body
  const used = (await directory.categories()).some(
    each => categoryKey(each.id) === categoryKey(category) && each.count > 0,
  )
  const notes = [
    ...urlNotes(view, endpoint),
    ...typingNotes(view, { category, currency, network: entered }, used),
  ]
  if (!owner) return notes
  const own = await directory.ownServices(parseOwnServicesQuery({ limit: 100 }), owner.session)
  const services = own.decode().services.filter(({ by }) => by === 'owner')
  const { x402Config } = toBody(form) as { x402Config: Partial<Service['x402Config']> }
  const { paymentAddress = '', network = '' } = x402Config
  return [
    ...notes,
    ...repeatedNotes(
      view,
      services.map(({ service }) => service),
      endpoint,
    ),
    ...signerNotes(view, owner.wallet, { paymentAddress, network }),
  ]
}

const PAID_AT = ['x402Config.network', 'x402Config.paymentAddress']

/** If the second check is rate limited, the result of the first is shown, which judges none of the values that it filled in. */
function keepFirst(error: unknown, first: CheckReport): CheckReport {
  const refusal = toRefusal(error)
  if (refusal.code !== 'rate_limited') throw refusal
  return first
}

/** The field that fixes a failed check. */
const FIELDS: Readonly<Record<CheckName, string>> = {
  url: 'endpoint',
  public_address: 'endpoint',
  reachable: 'endpoint',
  answers_402: 'endpoint',
  readable_terms: 'endpoint',
  network: 'x402Config.network',
  address: 'x402Config.paymentAddress',
  other_payees: 'x402Config.paymentAddress',
  price: 'pricing.pricePerRequest',
}

/** One problem per field: the first is enough. */
function toProblems({ checks }: CheckReport): Problem[] {
  const failed = checks.filter(({ result }) => result === 'failed')
  const problems = failed.map(({ check, detail, ...record }) =>
    toProblem(FIELDS[check], readMessageRecord(record, detail)),
  )
  return problems.filter(({ path }, i) => problems.findIndex(each => each.path === path) === i)
}

/** Empty fields are not compared. */
function toCheckBody(form: Form): object {
  const { endpoint, pricing, x402Config } = JSON.parse(JSON.stringify(toBody(form)))
  const isPriced = pricing.currency !== undefined && pricing.pricePerRequest !== undefined
  return { endpoint: endpoint ?? '', x402Config, ...(isPriced && { pricing }) }
}

/** All problems at once, also if the key is missing. */
function toRefused(directory: LocalDirectory, sender: Sender, form: Form, refusal: DirectoryError): Rendered {
  const { code, said } = refusal
  const fields =
    code === 'unauthorized' && form.action !== 'check' ? directory.problemsOf(toBody(form)) : refusal.problems
  const problems = code === 'unauthorized' ? [...fields, toProblem('key', said)] : fields
  // The idempotency key was used for another body, so the next attempt gets a new one.
  const kept = code === 'idempotency_conflict' ? { ...form, once: '' } : form
  const filled: Filled = { form: kept, problems, endpointValues: readEndpointValues(form) }
  const notice = problems.length > 0 ? undefined : toWrong(sender.view, refusal)
  return toPage(sender, { filled, notice }, code)
}

type Content = {
  readonly filled?: Filled
  readonly report?: CheckReport
  readonly notice?: Html | undefined
}

function toPage(
  { view, owner }: Sender,
  { filled, report, notice }: Content,
  failed?: Rendered['failed'],
): Rendered {
  const { register } = view.words
  const token: Token = issueToken(view.request)
  const side =
    report &&
    filled &&
    html`<div class="more">${toPreview(view, filled.form, report)}${toReport(view, report)}</div>`
  const main = html`<div class="registering${side ? '' : ' text'}"><h1>${register.title}</h1><p class="lead">${register.intro}</p>${toRegistrant(view, owner, filled?.form.endpoint ?? view.request.parameters.endpoint, token)}${notice}
<div class="columns">${side}<div class="main">${toForm(view, owner, filled, token)}</div></div></div>`
  const document = toDocument(view, { title: register.title, main, place: 'register' })
  return toRendered(document, { failed, cookie: token.cookie })
}
