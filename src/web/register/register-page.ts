// Registration: the form, what a check of the endpoint found, the page of what was registered, and a check for anybody.

import type { LocalDirectory } from '../../directory/directory.ts'
import { chainLabel } from '../../domain/chains/chains.ts'
import { type CheckName, type CheckReport, draftFromCheck, fillDraft, payableOf } from '../../domain/check.ts'
import { type DirectoryError, type Problem, toProblem } from '../../domain/errors.ts'
import { PROOF_FILE } from '../../domain/hosts/domain-proof.ts'
import { endpointHost, isNeverProbed } from '../../domain/hosts/endpoint.ts'
import { toMarks } from '../../domain/listing/backing.ts'
import { categoryLabels } from '../../domain/listing/categories.ts'
import type { Service } from '../../domain/listing/service.ts'
import { readMessageRecord } from '../../domain/problems.ts'
import { refusalOf } from '../../domain/terms/terms.ts'
import type { Message } from '../../messages/message.ts'
import { LEVEL_ICONS, STATUS_ICONS } from '../assets.ts'
import { type Band, toBands, urlNotes } from '../bands.ts'
import { toRefusal } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import { toCopyable, toDocument, toResultNote, toWaitingPart } from '../layout.ts'
import { toFieldLink, toMessageParagraph, toMessageText, toWrong } from '../message-text.ts'
import {
  assertOurs,
  findOwner,
  issueToken,
  type Owner,
  type Token,
  toMark,
  toTokenField,
} from '../owner/session.ts'
import { type FormRequest, type Page, type PageRequest, type Rendered, toRendered } from '../page.ts'
import { toBreakable, toForeign, toShortened } from '../provider-text.ts'
import { findAlerts } from '../service/service-alerts.ts'
import { toBadge } from '../service/service-call.ts'
import type { Found } from '../service/service-reads.ts'
import { toVerdict, type Verdict, verdictOf } from '../verdict.ts'
import { createView, type View } from '../view.ts'
import {
  type Filled,
  type Form,
  toBody,
  toEndpointField,
  toFlat,
  toForm,
  toRegistrant,
} from './register-fields.ts'

/** What makes a listing; as long as none of it is known there is nothing to preview. */
const SHOWN = ['description', 'pricing.pricePerRequest', 'x402Config.network', 'x402Config.paymentAddress']

function toPreview(view: View, form: Form, { resources }: CheckReport): Html | undefined {
  const { words, language } = view
  const { register } = words
  const given = (name: string) => form[name]?.trim() ?? ''
  if (!SHOWN.some(given)) return undefined
  const text = (name: string) => given(name) || html`<i class="blank">${register.fields[name]![0]}</i>`
  const [price, network] = [given('pricing.pricePerRequest'), given('x402Config.network')]
  const asked = payableOf(resources)
  return html`<section class="panel report preview" aria-labelledby="preview"><h2 id="preview">${register.preview}</h2>
<p class="name">${text('name')}</p><p class="host">${endpointHost(given('endpoint'))}</p>${asked && html`<p class="note" title="${asked.url}"><code>${asked.method} ${asked.url}</code></p>`}
<p>${text('description')}</p>
<p class="price">${price ? html`<strong>${price}</strong> ${given('pricing.currency')} <small>${words.perRequest}</small>` : text('pricing.pricePerRequest')}</p>
<p class="note">${given('category') ? categoryLabels(given('category'))[language] : text('category')} · ${network ? chainLabel(network) : text('x402Config.network')}</p>
<p class="note"><code>${text('x402Config.paymentAddress')}</code></p></section>`
}

/** Checks without which nothing is known of the terms. */
const READING: readonly CheckName[] = ['url', 'public_address', 'reachable', 'answers_402', 'readable_terms']

const isUnread = ({ checks }: CheckReport): boolean =>
  checks.some(({ check, result }) => result === 'failed' && READING.includes(check))

/** What is left to do in the form that a check has filled in: its empty fields, and how to register what failed. */
function toLeft(
  { words: { register, colon } }: View,
  report: CheckReport,
  missing: readonly Problem[],
  guessed: readonly string[],
): Html {
  const next = report.wouldVerify ? undefined : isUnread(report) ? register.unread : register.differs
  const toLine = (label: string, paths: readonly string[]) => {
    const links = paths.map(
      (path, i) => html`${i > 0 ? ' · ' : ''}${toFieldLink(path, register.fields[path]![0])}`,
    )
    return paths.length > 0 ? html`<p><b>${label}${colon}</b>${links}</p>` : undefined
  }
  const empty = missing.map(({ path }) => path)
  return html`${toLine(register.missing, empty)}${toLine(register.guessed, guessed)}${next && html`<p>${next}</p>`}`
}

/** Who can pay what was found; undefined if no way to pay was found. */
function toPayers({ words: { proof } }: View, { resources, noteCodes }: CheckReport): string | undefined {
  const found = payableOf(resources)
  if (!found) return undefined
  const { payable } = proof
  if (found.accepts.some(option => option.protocol === 'x402' && !refusalOf(option))) return payable.anyone
  if (noteCodes.some(({ code }) => code === 'mpp_only')) return payable.mpp
  const why = noteCodes.find(({ code }) => code === 'not_by_default_client')?.values.why
  const { assetName, price } = found.accepts[0]!
  const isConfigured = why === 'asset' || why === 'price'
  return isConfigured ? payable.configured(price && `${price} ${assetName}`) : payable.nobody
}

/** What matters most is that nobody can pay. */
const isUnpayable = (view: View, report: CheckReport): boolean =>
  toPayers(view, report) === view.words.proof.payable.nobody

function toReportVerdict(view: View, report: CheckReport): Omit<Verdict, 'others'> {
  const { register, proof, colon } = view.words
  if (!report.wouldVerify) return { tone: 'stop', icon: LEVEL_ICONS.stop, word: register.wouldNotVerify }
  if (isUnpayable(view, report))
    return {
      tone: 'care',
      icon: LEVEL_ICONS.care,
      word: register.unpayable,
      line: register.verifiedUnpayable,
    }
  const payers = toPayers(view, report)
  return {
    tone: 'fine',
    icon: STATUS_ICONS.verified,
    word: register.wouldVerify,
    line: payers && `${proof.payable.title}${colon}${payers}`,
  }
}

/** What was found. Nothing is listed yet that it could be compared with in words. */
function toDetail(view: View, message: Message): Html {
  const { code, values } = message
  if (code === 'network_as_registered') return html`<p>${values.network}</p>`
  if (code === 'address_as_registered') return html`<p><code>${values.address}</code></p>`
  if (code === 'price_as_listed' && !values.upTo) return html`<p>${values.price} ${values.currency}</p>`
  return toMessageParagraph(view, message)
}

/** Why a check failed and what mends it, with a link to the field of it if there is a form. */
function toFailed(
  view: View,
  { check, detail, ...record }: CheckReport['checks'][number],
  isForm: boolean,
): Html {
  const { register, owner, colon } = view.words
  const path = FIELDS[check]
  const { text, mark } = toMessageText(view, readMessageRecord(record, detail))
  return html`<p>${isForm && path !== 'endpoint' ? html`${toFieldLink(path, register.fields[path]![0])}${colon}` : undefined}<span${mark}>${toShortened(text)}</span></p><p><b>${owner.mend}${colon}</b>${register.mends[check]}</p>`
}

/** @param left what is left to do in the form; without a form there is nothing to compare with, and every check is shown */
function toReport(view: View, report: CheckReport, left?: Html): Html {
  const { checks, notes, noteCodes, requests, domain } = report
  const { register } = view.words
  const verdict = toReportVerdict(view, report)
  const names = left ? register.checks : { ...register.checks, ...register.found }
  const toRow = (name: string, result: keyof typeof register.results, detail?: Html) =>
    html`<li class="${result}"><strong>${name}</strong> <small class="result">${register.results[result]}</small>${detail}</li>`
  return html`<section class="panel report judged ${verdict.tone}" aria-labelledby="report" role="status" tabindex="-1"><h2 id="report">${register.checked}</h2>
<p>${toVerdict(verdict)}</p>
${checks.map(each => (each.result === 'failed' ? toFailed(view, each, left !== undefined) : undefined))}
${notes.map((note, i) => toMessageParagraph(view, readMessageRecord(noteCodes[i], note)))}${left}
<details${left ? undefined : html` open`}><summary>${register.allChecks}</summary><ul class="lines checks">${checks.map(
    ({ check, result, detail, ...record }) =>
      toRow(
        names[check],
        result,
        result === 'passed' ? toDetail(view, readMessageRecord(record, detail)) : undefined,
      ),
  )}${toRow(register.payable, toPayers(view, report) ? (isUnpayable(view, report) ? 'failed' : 'passed') : 'skipped')}</ul></details>
${domain ? html`<p>${view.words.service.provedBy(domain.host)}</p>` : undefined}
${requests.length > 0 ? html`<details><summary>${register.requests}</summary><ul>${requests.map(({ method, path, status, as }) => html`<li><code>${method} ${path}</code> → ${status ?? register.noAnswer}${as === 'customer' ? register.asCustomer : ''}</li>`)}</ul></details>` : undefined}
</section>`
}

// What is shown after a registration, in the browser that sent it: what happens next, in the words for owners. It has nothing to pay
// with, because a buyer must not read the owner's texts in place of the warnings.

export function toRegistered(view: View, found: Found): Html {
  const { words, href } = view
  const { id, name, status } = found.service
  const { owner, service } = words
  // The notice announces the first probe.
  const bands = findAlerts(view, found).filter(({ id }) => id !== 'waiting')
  const isWaiting = found.standing?.probes.length === 0 && !isNeverProbed(found.service.endpoint)
  const news = html`<p>${toVerdict(verdictOf(view, found.service, found, toMarks(found.backing)))}</p>
<div class="notice" role="status"><p>${service.registeredNow}</p>${isWaiting ? html`<p>${service.registeredNext}</p><p>${toResultNote(view)}</p>` : undefined}</div>
${toStanding(view, bands, status === 'verified')}`
  return html`<article class="own">
<h1>${service.registered}</h1>
<p class="lead"${toForeign(view, name)}>${toBreakable(name)}</p>
${toWaitingPart(news, isWaiting)}
<p class="buttons"><a class="button" href="${href(`/yours/${id}`)}">${owner.manage}</a><a class="button quiet" href="${href(`/services/${id}`)}">${owner.publicPage}</a></p>
<h2>${words.operator.next}</h2>
<div class="parts">${isNeverProbed(found.service.endpoint) ? undefined : html`<section><h3>${owner.proof.title}</h3>${toProofFile(view, found.service)}${found.backing.claimed ? undefined : html`<p class="note">${words.alerts.claim} <a href="${href('/sign-in')}">${owner.signIn.title}</a></p>`}</section>`}${toBadge(view, found.service, isWaiting)}</div></article>`
}

function toStanding(view: View, bands: readonly Band[], isVerified: boolean): Html | undefined {
  if (bands.length > 0) return toBands(view, bands, { isOwner: true })
  return isVerified ? html`<p>${view.words.owner.fine}</p>` : undefined
}

/** The file with which the domain of the endpoint confirms the listing. */
export function toProofFile(view: View, { endpoint, x402Config }: Service): Html {
  const { proof } = view.words.owner
  const content = JSON.stringify({ wallets: [x402Config.paymentAddress] })
  return html`<p class="note">${proof.text(new URL(endpoint).host)}</p><p class="curl"><span>${proof.place}</span>${toCopyable(view, new URL(PROOF_FILE, endpoint).href, proof.place)}</p><p class="curl"><span>${proof.content}</span>${toCopyable(view, content, proof.content)}</p>`
}

// The registration page: a URL is pasted, the endpoint fills in the rest, and problems are shown beside the fields.

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
  const by = { key: keyOf(sender, form), from, ...(form.once && { idempotencyKey: form.once }) }
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
  if (refused.length > 0) return toPage(sender, { filled: { form, problems: refused } }, 'invalid_request')
  const { view } = sender
  const { all, checked } = await checkAll(
    form,
    async body => (await directory.check(body, { key: keyOf(sender, form), from })).report,
  )
  // Where nothing was read, all is missing.
  const missing = isUnread(checked)
    ? []
    : directory.problemsOf(toBody(all)).filter(({ said }) => said.code === 'required')
  const [guess, given] = [toFlat(draftFromCheck(checked)), toFlat(toBody(all))]
  const guessed = GUESSED.filter(path => given[path] === guess[path])
  // What fails at the endpoint itself is said once, above the form.
  const differing = toProblems(checked).filter(({ path }) => path !== 'endpoint')
  return toPage(sender, {
    filled: { form: all, problems: [...differing, ...missing], isChecked: true },
    report: checked,
    notice: html`${toReport(view, checked, toLeft(view, checked, missing, guessed))}${toBands(view, urlNotes(view, all.endpoint ?? ''), { isOwner: true })}`,
  })
}

/** Asks the endpoint, and again with the values that it has filled in, so that the result covers them. */
async function checkAll(form: Form, ask: (body: object) => Promise<CheckReport>) {
  const first = await ask(toCheckBody(form))
  const all = { ...form, ...toFlat(fillDraft(toBody(form), first)) }
  const isComplete = PAID_AT.every(name => !all[name]?.trim() || form[name]?.trim())
  const checked = isComplete ? first : await ask(toCheckBody(all))
  return { all, checked }
}

/** Endpoints do not state them, so that they are filled in with what is better than nothing. */
const GUESSED = ['name', 'category']
const PAID_AT = ['x402Config.network', 'x402Config.paymentAddress']

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
  const filled: Filled = { form: kept, problems }
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
  const side = report && filled && toPreview(view, filled.form, report)
  const main = html`<div class="registering${side ? '' : ' text'}"><h1>${register.title}</h1><p class="lead">${register.intro}</p>${toRegistrant(view, owner, filled?.form.endpoint ?? view.request.parameters.endpoint, token)}
<div class="columns">${notice}${side}${toForm(view, owner, filled, token)}</div></div>`
  const document = toDocument(view, { title: register.title, main, place: 'register' })
  return toRendered(document, { failed, cookie: token.cookie })
}

// The page that checks an endpoint for anybody, without listing it: each step, what would be listed, and what to mend.

export function createCheckPage(directory: LocalDirectory): Required<Pick<Page, 'render' | 'submit'>> {
  function show(view: View, form: Form, result?: Html, failed?: Rendered['failed']): Rendered {
    const { check, register } = view.words
    const token = issueToken(view.request)
    const main = html`<div class="text"><h1>${check.title}</h1><p class="lead">${check.intro} <a href="${view.href('/probing')}">${view.words.probing.title}</a></p>
<form id="register" class="register" action="${view.href('/check')}" method="post" novalidate>${toTokenField(token)}${toEndpointField(view, { form, problems: [] })}
<p class="buttons"><button name="action" value="check" data-busy="${register.checking}">${check.button}</button></p></form>${result}</div>`
    const document = toDocument(view, { title: check.title, description: check.intro, main })
    return toRendered(document, { failed, cookie: token.cookie })
  }
  return {
    render: request => show(createView(request), { endpoint: request.parameters.endpoint ?? '' }),
    async submit(request) {
      const view = createView(request)
      const { endpoint = '' } = request.form
      const { check, register } = view.words
      try {
        assertOurs(request)
        const { all, checked } = await checkAll({ endpoint }, body => directory.checkFor(request.from, body))
        const next = html`<p class="buttons"><a class="button${checked.wouldVerify && !isUnpayable(view, checked) ? '' : ' quiet'}" href="${view.href('/register', { endpoint: endpoint.trim() })}">${register.title}</a> <span>${check.next}</span></p>`
        return show(
          view,
          { endpoint },
          html`${toReport(view, checked)}${toPreview(view, all, checked)}${next}`,
        )
      } catch (error) {
        const refusal = toRefusal(error)
        return show(view, { endpoint }, toWrong(view, refusal), refusal.code)
      }
    },
  }
}
