// The page on which an owner manages one service: standing, edit, proof by the domain, retire, remove.
import type { LocalDirectory } from '../../directory/directory.ts'
import type { WriteResult } from '../../directory/owners.ts'
import { DirectoryError, type Problem } from '../../domain/errors.ts'
import { isNeverProbed } from '../../domain/hosts/endpoint.ts'
import type { Backing } from '../../domain/listing/backing.ts'
import { type OwnService, parseOwnServicesQuery } from '../../domain/listing/seller.ts'
import type { Service } from '../../domain/listing/service.ts'
import { readMessageRecord } from '../../domain/problems.ts'
import { MAX_LIMIT, MAX_QUERY_LENGTH } from '../../domain/queries/queries.ts'
import { unprobedReason } from '../../domain/standing/trust.ts'
import type { Webhook } from '../../domain/webhooks.ts'
import { say } from '../../messages/message.ts'
import { toBands } from '../bands.ts'
import { toRefusal } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import { toResultNote, toWaitingPart } from '../layout.ts'
import { toMessageParagraph, toWrong } from '../message-text.ts'
import type { FormRequest, Page, Rendered } from '../page.ts'
import { toCutName, toForeign, toNameHeading } from '../provider-text.ts'
import {
  type Form,
  toBody,
  toEndpointField,
  toFieldsets,
  toListingForm,
  toSummary,
} from '../register/register-fields.ts'
import { toProofFile } from '../register/register-page.ts'
import { toBadge } from '../service/service-call.ts'
import { toVerdict } from '../verdict.ts'
import type { View } from '../view.ts'
import {
  actOnWebhook,
  canProbe,
  isAbout,
  ownVerdictOf,
  readOwn,
  toHookForm,
  toSecret,
  toWebhooks,
} from './own-page.ts'
import { createOwnerForms, type Owner, type Token, toOwnerPage, toTokenField, toWho } from './session.ts'

/** Returns null if there is none, and undefined if the catalog of this process does not have the service yet. */
function readDomain(directory: LocalDirectory, id: string): Backing['domain'] | undefined {
  try {
    return directory.requireFound(directory.requireCatalog().backing(id), id).domain
  } catch (error) {
    if (toRefusal(error).code === 'not_found') return undefined
    throw error
  }
}

/** @param canProbe whether a probe can be requested: not while it is discontinued */
function toDomainProof(
  view: View,
  service: Service,
  domain: Backing['domain'],
  { token, path, canProbe }: { readonly token: Token; readonly path: string; readonly canProbe: boolean },
): Html {
  const { proof } = view.words.owner
  if (domain)
    return html`<section id="domain"><h2>${proof.title}</h2><p>${view.words.service.provedBy(domain.host)}</p><p class="note">${view.words.service.provedNote[domain.names]} ${view.words.alerts.since(view.time(domain.since))}</p></section>`
  return html`<section id="domain"><h2>${proof.title}</h2>
${toProofFile(view, service)}<p class="note">${proof.fileNote}</p>
<p class="note">${proof.when} ${service.status === 'verified' ? undefined : proof.unverified}</p>
${canProbe ? html`<form action="${view.href(path)}" method="post">${toTokenField(token)}<p class="buttons"><button class="quiet" name="action" value="probe">${proof.look}</button></p></form>` : undefined}</section>`
}

// Renders the page of an owner's service.

type Shown = {
  /** The submitted form, if it was refused. */
  readonly form: Form | undefined
  readonly problems: readonly Problem[]
  readonly webhooks: readonly Webhook[]
  readonly notice: Html
  /** Of the operator; empty if there is none. */
  readonly contact: string
}

async function toOwnService(
  directory: LocalDirectory,
  view: View,
  owner: Owner,
  own: OwnService,
  { form, problems, webhooks, notice, contact }: Shown,
): Promise<(token: Token) => Html> {
  const bands = await readOwn(directory, view, own, contact)
  const { words, href } = view
  const { owner: said } = words
  const { service, retired, hidden, by } = own
  const { id, name } = service
  const path = `/yours/${id}`
  // Nothing is told of a hidden service but that it is.
  const domain = hidden ? undefined : readDomain(directory, id)
  // Nobody looks for a proof at a host that is never probed.
  const mayProve = domain !== undefined && (domain !== null || !isNeverProbed(service.endpoint))
  const lastChecked = hidden ? undefined : directory.requireCatalog().status(id)?.decode().lastChecked
  const isWaiting = isProbeAhead(view, lastChecked) || bands.some(({ id }) => id === 'rechecking')
  // What is wrong in the form is near it; what is wrong at the endpoint can wait.
  const isWrong = form?.action === 'edit' && problems.length > 0
  const notes = bands.length > 0 ? toBands(view, bands, { isOwner: true }) : html`<p>${said.fine}</p>`
  return token => html`<article class="own"><p class="crumbs"><a href="${href('/yours')}">${said.title}</a></p>
${toNameHeading(name, toForeign(view, name))}
${toWaitingPart(
  html`<p class="heads">${hidden ? undefined : html`${toVerdict(ownVerdictOf(directory, view, own))}<a href="${href(`/services/${id}`)}">${said.publicPage}</a>`}</p>
${toWho(view, owner, token)}
${notice}${toDone(view, lastChecked)}
${isWrong ? undefined : notes}`,
  isWaiting,
)}
<form class="buttons" action="${href(path)}" method="post">${toTokenField(token)}${by === 'wallet' ? html`<button name="action" value="claim">${said.claim}</button>` : undefined}${canProbe(own) ? html`<button name="action" value="probe">${said.probe}</button>` : undefined}${retired === null || hidden ? undefined : html`<button name="action" value="restore">${said.restore}</button>`}</form>
${hidden ? undefined : toEdit(view, service, form?.action === 'edit' ? form : undefined, form?.action === 'edit' ? problems : [], token, path)}${isWrong ? notes : undefined}
<div class="parts">
${hidden || retired !== null ? undefined : toRank(view, directory, service)}
${hidden || !mayProve ? undefined : toDomainProof(view, service, domain, { token, path, canProbe: canProbe(own) })}
${toWebhooks(view, webhooks, token, path, hidden ? undefined : toHookForm(view, token, path, form?.url ?? ''))}
${hidden ? undefined : toBadge(view, service, isWaiting)}
</div><div class="parts">
${hidden || retired !== null ? undefined : toRetirement(view, token, path)}
${toRemoval(view, token, path)}
</div></article>`
}

/** Whether the probe that was requested has not run yet. */
function isProbeAhead({ request: { parameters } }: View, lastChecked: string | undefined): boolean {
  const { done, since } = parameters
  return done !== undefined && since !== undefined && (lastChecked === undefined || lastChecked === since)
}

/** What was done, and when the probe that follows runs: not again once it has run. */
function toDone(view: View, lastChecked: string | undefined): Html | undefined {
  const { owner } = view.words
  const { done, since, from } = view.request.parameters
  if (!done || !Object.hasOwn(owner.done, done)) return undefined
  const text = owner.done[done as keyof typeof owner.done]
  if (since === undefined) return html`<p class="notice" role="status">${text}</p>`
  const isRun = !isProbeAhead(view, lastChecked)
  const isLater = from !== undefined && !Number.isNaN(Date.parse(from))
  const next = isRun
    ? owner.probed(view.time(lastChecked!))
    : html`${isLater ? owner.probeFrom(view.time(from)) : owner.probeSoon} ${toResultNote(view)}`
  return html`<p class="notice" role="status">${isRun && done === 'probe' ? undefined : html`${text} `}${next}</p>`
}

function toEdit(
  view: View,
  service: Service,
  form: Form | undefined,
  problems: readonly Problem[],
  token: Token,
  path: string,
): Html {
  const { owner } = view.words
  const filled = { form: form ?? toListingForm(service), problems }
  return html`<section class="edit"><h2>${owner.edit}</h2>
<form class="register panel" action="${view.href(path)}" method="post" novalidate>${toTokenField(token)}
<fieldset>${toEndpointField(view, filled)}</fieldset>${toFieldsets(view, filled)}
<p>${owner.editText}</p><p class="buttons"><button name="action" value="edit">${owner.save}</button></p></form></section>`
}

/** Why it is not the first, for a sentence that is asked in the form. */
function toRank(view: View, directory: LocalDirectory, { id }: Service): Html {
  const { words, href, number, request } = view
  const { rank: said } = words.owner
  const { q = '', lang } = request.parameters
  const asked = q.trim().slice(0, MAX_QUERY_LENGTH)
  const rank = asked === '' ? undefined : directory.requireCatalog().rank(id, { q: asked }, view.language)
  return html`<section id="rank"><h2>${said.ask}</h2><p class="note">${said.text}</p>
<form class="register" action="/yours/${id}#rank" method="get">${lang && html`<input type="hidden" name="lang" value="${lang}">`}<div class="field"><label for="rank-q">${said.label}</label><input id="rank-q" name="q" value="${asked}" placeholder="${said.example}" required maxlength="${MAX_QUERY_LENGTH}" autocomplete="off"></div><p class="buttons"><button class="quiet">${said.show}</button></p></form>
${
  rank &&
  html`<h3>${rank.position === null ? (rank.total > MAX_LIMIT ? said.beyond(number(rank.total)) : said.unfit) : said.place(number(rank.position), number(rank.total))}</h3>
${rank.position === 1 ? html`<p>${said.first}</p>` : undefined}${
  rank.before.length > 0
    ? html`<p>${said.before}${words.colon.trim()}</p><ol class="lines">${rank.before.map(({ id, name, decides }) => html`<li><a href="${href(`/services/${id}`)}"${toForeign(view, name)}>${toCutName(name)}</a> <span class="note">${said.decides[decides]}</span></li>`)}</ol>`
    : undefined
}${rank.help.length > 0 ? html`<p>${said.help}${words.colon.trim()}</p>${rank.help.map(each => toMessageParagraph(view, readMessageRecord(each, each.text)))}` : undefined}`
}</section>`
}

const toRetirement = ({ words: { owner }, href }: View, token: Token, path: string): Html =>
  html`<section><h2>${owner.retire}</h2><p class="note">${owner.retireText}</p><form class="register" action="${href(path)}" method="post">${toTokenField(token)}<div class="field"><label for="retire-message">${owner.retireMessage}</label><textarea id="retire-message" name="message" rows="2" required maxlength="500"></textarea></div><p class="buttons"><button class="quiet danger" name="action" value="retire">${owner.retire}</button></p></form></section>`

const toRemoval = ({ words: { owner }, href }: View, token: Token, path: string): Html =>
  html`<section><h2>${owner.remove}</h2><p class="note">${owner.removeText}</p><form action="${href(path)}" method="post">${toTokenField(token)}<p><label class="pick"><input type="checkbox" name="sure" value="1" required>${owner.removeSure}</label></p><p class="buttons"><button class="quiet danger" name="action" value="remove">${owner.removeButton}</button></p></form></section>`

// The page of an owner's service: its problems, and the forms to edit, probe, retire, restore and remove it.

/** The form that was submitted and its result, shown above the page. */
type Attempt = {
  readonly form?: Form
  readonly error?: DirectoryError
  readonly notice?: Html
}

export function createOwnServicePage(
  directory: LocalDirectory,
  contact: string,
): Required<Pick<Page, 'render' | 'submit'>> {
  async function show(view: View, owner: Owner, own: OwnService, attempt: Attempt = {}): Promise<Rendered> {
    const { id } = own.service
    const webhooks = (await directory.listWebhooks(owner.session)).filter(webhook => isAbout(webhook, id))
    const { form, error } = attempt
    const problems: readonly Problem[] = error?.problems ?? []
    const wrong = form?.action === 'edit' ? toSummary(view, problems) : undefined
    const notice = html`${error && (wrong ?? toWrong(view, error))}${attempt.notice}`
    const make = await toOwnService(directory, view, owner, own, {
      form,
      problems,
      webhooks,
      notice,
      contact,
    })
    return toOwnerPage(view, own.service.name, make, { failed: error?.code })
  }

  return createOwnerForms(directory, {
    find: ({ id }, owner) => findOwn(directory, owner, id),
    show,
    async act(view, owner, own, request) {
      const { form } = request
      const { id } = own.service
      if (form.action === 'hook') {
        const body = { url: form.url?.trim(), filter: { serviceId: id } }
        const { webhook } = await directory.createWebhook(body, { ...owner.session, from: request.from })
        return show(view, owner, own, { notice: toSecret(view, webhook) })
      }
      if (form.action === 'edit') {
        await directory.edit(id, toPatch(form), { ...owner.session, from: request.from })
        return { text: '', location: view.href(`/yours/${id}`, { done: 'edit' }) }
      }
      const lastChecked = directory.requireCatalog().status(id)?.decode().lastChecked
      const { done, probed } = await act(directory, owner, own, request)
      const query = { done, ...(probed && { since: lastChecked, from: probed.probedFrom }) }
      return { text: '', location: view.href(done === 'remove' ? '/yours' : `/yours/${id}`, query) }
    },
  })
}

/** Only services of the owner, even if the key may do more. */
async function findOwn(
  directory: LocalDirectory,
  { session }: Owner,
  id: string,
): Promise<OwnService | undefined> {
  // Services are listed by descending id, so this page starts at the requested one.
  const query = parseOwnServicesQuery({ limit: 20, before: `${id.slice(0, 60)}~` })
  const { services } = (await directory.ownServices(query, session)).decode()
  return services.find(({ service }) => service.id === id)
}

/** Returns what was done, and if it is probed then, when. */
async function act(
  directory: LocalDirectory,
  owner: Owner,
  { service }: OwnService,
  request: FormRequest,
): Promise<{ readonly done: string; readonly probed?: Pick<WriteResult, 'probedFrom'> }> {
  const { form, id, from } = request
  const by = { ...owner.session, from }
  const { action } = form
  const isProbed = !isNeverProbed(service.endpoint)
  if (action === 'probe') {
    if (!isProbed) throw new DirectoryError('invalid_request', unprobedReason(service.endpoint))
    return { done: action, probed: await directory.probe(id, by) }
  }
  if (action === 'restore') {
    const probed = await directory.restore(id, by)
    return { done: action, ...(isProbed && { probed }) }
  }
  if (action === 'claim') await directory.claim(id, by)
  else if (action === 'retire') await directory.retire(id, { message: form.message ?? '' }, by)
  else if (action === 'remove') {
    if (form.sure !== '1') throw new DirectoryError('invalid_request', say('confirmation_expected'))
    await directory.remove(id, by)
  } else {
    const done = await actOnWebhook(directory, owner, request)
    if (done === undefined) throw new DirectoryError('invalid_request', say('action_unknown'))
    return { done }
  }
  return { done: action }
}

/** The form shows every field, so an empty one removes its value, and is reported if it is required. */
const toPatch = (form: Form): unknown =>
  JSON.parse(JSON.stringify(toBody(form), (_, value) => (value === undefined ? null : value)))
