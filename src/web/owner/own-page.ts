// The services and webhooks of an owner, each with what is wrong, since when, and how to fix it.
import type { LocalDirectory } from '../../directory/directory.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { isNeverProbed } from '../../domain/hosts/endpoint.ts'
import { type OwnService, parseOwnServicesQuery } from '../../domain/listing/seller.ts'
import { readMessageRecord } from '../../domain/problems.ts'
import { isCounted } from '../../domain/standing/standing.ts'
import type { CreatedWebhook, Webhook } from '../../domain/webhooks.ts'
import { say } from '../../messages/message.ts'
import { LEVEL_ICONS } from '../assets.ts'
import { type Band, sortBands, toAdvice, urgencyOf } from '../bands.ts'
import { toRefusal } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import { toCopyable, toOperatorContact, toResultNote } from '../layout.ts'
import { toMessageText, toWrong } from '../message-text.ts'
import type { FormRequest, Page, Rendered } from '../page.ts'
import { toCutName, toShortUrl } from '../provider-text.ts'
import { findAlerts } from '../service/service-alerts.ts'
import { type Found, readFigures, readFound } from '../service/service-reads.ts'
import { toVerdict, type Verdict, verdictOf } from '../verdict.ts'
import type { View } from '../view.ts'
import { createOwnerForms, type Owner, type Token, toOwnerPage, toTokenField, toWho } from './session.ts'

/** @param contact of the operator; empty if there is none */
export async function readOwn(
  directory: LocalDirectory,
  view: View,
  { service, by, hidden, retired }: OwnService,
  contact: string,
): Promise<Band[]> {
  const { owner, failures } = view.words
  if (hidden)
    return [
      {
        level: 'stop',
        title: failures.hidden,
        text: html`<p>${owner.hiddenSince(view.time(hidden.at))}</p><p>${owner.hiddenWhy}${view.words.colon}${hidden.why}</p>${toOperatorContact(view, contact)}`,
        mend: owner.hiddenMend,
      },
    ]
  if (retired !== null) {
    const { title, mend } = view.words.alerts.retired
    return [
      { level: 'note', title, text: html`<p>${owner.retireMessage}${view.words.colon}${retired}</p>`, mend },
    ]
  }
  const claim: Band[] =
    by === 'wallet'
      ? [{ level: 'note', title: owner.ofOthers, text: html`<p>${owner.ofOthersText}</p>` }]
      : []
  try {
    const found = await readFound(directory, service.id)
    return [...claim, ...toCurrent(view, found, findAlerts(view, found))]
  } catch (error) {
    // Another process has just created it, and the catalog of this one does not have it yet.
    if (toRefusal(error).code === 'not_found') return claim
    throw error
  }
}

/** What the last probe found against a price that is no longer listed says nothing of the present listing. */
function toCurrent(view: View, { standing, service }: Found, alerts: readonly Band[]): readonly Band[] {
  const { rechecking } = view.words.alerts
  const probe = standing?.probes.find(isCounted)
  const edit = standing?.events.find(({ type, code }) => type === 'price' && code === 'edited')
  if (service.status === 'inactive' || !probe || !edit || edit.at <= probe.at) return alerts
  return [
    ...alerts.filter(({ id }) => id !== 'unverified'),
    {
      level: 'note',
      id: 'rechecking',
      title: rechecking.title,
      text: html`<p>${rechecking.text} ${toResultNote(view)}</p>`,
      isForOwner: true,
    },
  ]
}

/** The verdict that buyers see, without what there is to warn of: the bands say why. */
export function ownVerdictOf(
  directory: LocalDirectory,
  view: View,
  { service, hidden, retired }: OwnService,
): Verdict {
  if (hidden) return { tone: 'stop', icon: LEVEL_ICONS.stop, word: view.words.failures.hidden, others: [] }
  const catalog = directory.requireCatalog()
  const figures = { ...readFigures(catalog, service), isRetired: retired !== null }
  return { ...verdictOf(view, service, figures, catalog.marks(service.id)), line: undefined }
}

/** Whether its owner can request a probe: not while it is hidden or discontinued, nor of a host that is never probed. */
export const canProbe = ({ service, hidden, retired }: OwnService): boolean =>
  !hidden && retired === null && !isNeverProbed(service.endpoint)

// Webhooks of an owner: their states, and the forms to test, remove and add one.

/** Returns the action; undefined if the form has none for webhooks. */
export async function actOnWebhook(
  directory: LocalDirectory,
  { session }: Owner,
  { form: { action, hook = '' }, from }: Pick<FormRequest, 'form' | 'from'>,
): Promise<'test' | 'unhook' | undefined> {
  if (action === 'unhook') {
    await directory.removeWebhook(hook, session)
    return action
  }
  if (action !== 'test') return undefined
  const { delivered, detail, ...record } = await directory.testWebhook(hook, { ...session, from })
  if (!delivered) throw new DirectoryError('invalid_request', readMessageRecord(record, detail))
  return action
}

const servicesOf = ({ filter: { serviceId } }: Webhook): readonly string[] | undefined =>
  serviceId === undefined ? undefined : [serviceId].flat()

/** Returns whether the webhook covers the service. */
export const isAbout = (webhook: Webhook, id: string): boolean => servicesOf(webhook)?.includes(id) ?? true

export function toWebhooks(
  view: View,
  webhooks: readonly Webhook[],
  token: Token,
  path: string,
  more?: Html,
): Html | undefined {
  const { owner } = view.words
  if (webhooks.length === 0 && more === undefined) return undefined
  return html`<section aria-labelledby="hooks"><h2 id="hooks">${owner.hooks}</h2><p class="note">${owner.hooksText}</p>
${webhooks.length === 0 ? undefined : html`<ul class="lines">${webhooks.map(webhook => toWebhook(view, webhook, token, path))}</ul>`}${webhooks.some(({ state, url }) => state === 'unconfirmed' && !isNeverProbed(url)) ? html`<p class="note">${owner.hooksConfirm} <a href="${view.href('/docs/webhooks')}#answerChallenge">${owner.hooksReference}</a></p>` : undefined}${more}</section>`
}

function toWebhook(view: View, webhook: Webhook, token: Token, path: string): Html {
  const { id, url, state, reason } = webhook
  const said = reason === null ? undefined : toMessageText(view, readMessageRecord(webhook, reason))
  const { href } = view
  const { owner } = view.words
  return html`<li><form action="${href(path)}" method="post">${toTokenField(token)}<input type="hidden" name="hook" value="${id}"><p><code>${toShortUrl(url)}</code></p>
<p class="note"><b class="${state}">${owner.hookStates[state]}</b> ·\u00a0${toFilterText(view, webhook)}${said && html` ·\u00a0<span${said.mark}>${said.text}</span>`}</p>
<p class="buttons">${isNeverProbed(url) ? undefined : html`<button class="quiet small" name="action" value="test" aria-label="${owner.hookTest}: ${url}">${owner.hookTest}</button>`}<button class="quiet small danger" name="action" value="unhook" aria-label="${owner.hookRemove}: ${url}">${owner.hookRemove}</button></p></form></li>`
}

/** The conditions of its filter, all of which a service must meet. */
function toFilterText({ words: { owner, filters }, number }: View, webhook: Webhook): string {
  const { mine, category, chain } = webhook.filter
  const services = servicesOf(webhook)
  const names = (value: string | readonly string[] | undefined, toName: (id: string) => string) =>
    value === undefined ? [] : [[value].flat().map(toName).join(', ')]
  const parts = [
    ...(mine ? [owner.hookMine] : []),
    ...(services ? [owner.hookOf(number(services.length))] : []),
    ...names(category, filters.category.value),
    ...names(chain, filters.chain.value),
  ]
  return parts.length === 0 ? owner.hookAll : parts.join(' ·\u00a0')
}

export const toHookForm = (view: View, token: Token, path: string, url: string): Html => {
  const { owner } = view.words
  return html`<form class="register" action="${view.href(path)}" method="post">${toTokenField(token)}<div class="field"><label for="hook-url">${owner.hookUrl}</label><input id="hook-url" type="url" name="url" value="${url}" required maxlength="2048" autocomplete="off" placeholder="https://example.com/hook"></div><p class="buttons"><button class="quiet" name="action" value="hook">${owner.hookAdd}</button></p></form>`
}

/** The secret is shown only in the response to the form that created the webhook. */
export const toSecret = (view: View, { secret }: CreatedWebhook): Html => {
  const { owner } = view.words
  return html`<div class="notice" role="status"><strong>${owner.done.hook}</strong><p>${owner.secret}${view.words.colon.trim()}</p><p>${toCopyable(view, secret, owner.secret)}</p><p class="note">${owner.secretText}</p><p><a href="#hooks">${owner.hooksNext}</a></p></div>`
}

// The services of the signed-in owner, each with its problems and how to fix them, and the webhooks.

const A_PAGE = 20

export function createOwnPage(
  directory: LocalDirectory,
  contact: string,
): Required<Pick<Page, 'render' | 'submit'>> {
  async function show(view: View, owner: Owner, error?: DirectoryError): Promise<Rendered> {
    const { request } = view
    const query = parseOwnServicesQuery({ limit: A_PAGE, before: request.parameters.before || undefined })
    const [{ services, next }, webhooks] = await Promise.all([
      directory.ownServices(query, owner.session).then(answer => answer.decode()),
      directory.listWebhooks(owner.session),
    ])
    const cards = await Promise.all(
      services.map(async own => ({
        own,
        bands: sortBands(await readOwn(directory, view, own, contact)),
        verdict: ownVerdictOf(directory, view, own),
      })),
    )
    // Stable, so that of equal urgency the newest stays first.
    cards.sort((a, b) => urgencyOf(a.bands) - urgencyOf(b.bands))
    const { owner: words } = view.words
    const done = request.parameters.done as keyof typeof words.done | undefined
    const main = (token: Token) => html`<div class="own"><h1>${words.title}</h1>
<p class="lead">${words.intro}</p>
${toWho(view, owner, token)}
${error && toWrong(view, error)}${done && Object.hasOwn(words.done, done) ? html`<p class="notice" role="status">${words.done[done]}</p>` : undefined}
${cards.length === 0 ? toNone(view) : html`${cards.length > 1 ? html`<p class="note">${words.order}</p>` : undefined}<ul class="owned">${cards.map(({ own, ...each }) => toOwned(view, own, each, token))}</ul>`}
${next === null ? undefined : html`<p><a rel="next" href="${view.href('/yours', { before: next })}">${words.next}</a></p>`}
${toWebhooks(view, webhooks, token, '/yours')}</div>`
    return toOwnerPage(view, words.title, main, { failed: error?.code })
  }

  return createOwnerForms(directory, {
    find: () => null,
    show: (view, owner, _, refused) => show(view, owner, refused?.error),
    async act(view, owner, _, request) {
      const done = await actOnWebhook(directory, owner, request)
      if (done === undefined) throw new DirectoryError('invalid_request', say('action_unknown'))
      return { text: '', location: view.href('/yours', { done }) }
    },
  })
}

const toNone = ({ words: { owner, register }, href }: View): Html =>
  html`<div class="empty"><h2>${owner.none}</h2><p>${owner.noneHint}</p><p><a class="button" href="${href('/register')}">${register.title}</a></p></div>`

/** One verdict, and one thing to do. */
function toOwned(
  view: View,
  { service: { id, name }, by, hidden, retired }: OwnService,
  { bands, verdict }: { readonly bands: readonly Band[]; readonly verdict: Verdict },
  token: Token,
): Html {
  const { owner } = view.words
  const path = view.href(`/yours/${id}`)
  const [worst, ...others] = bands
  const line = worst?.title === verdict.word ? undefined : worst?.title
  const isFine = !worst || worst.id === 'waiting'
  const action = hidden ? undefined : retired !== null ? 'restore' : by === 'wallet' ? 'claim' : undefined
  const todo = action ? owner[action] : isFine ? owner.rank.ask : owner.manage
  const label = html`aria-label="${todo}: ${name}"`
  return html`<li class="panel ${verdict.tone}"><h2><a href="${path}" title="${name}">${toCutName(name)}</a></h2>
<p>${toVerdict({ ...verdict, line })}</p>
${worst ? toAdvice(view, worst) : html`<p class="note">${owner.fine}</p>`}
<form class="buttons" action="${path}" method="post">${toTokenField(token)}${action ? html`<button class="quiet small" name="action" value="${action}" ${label}>${todo}</button>` : html`<a class="button quiet small" href="${path}${isFine ? '#rank' : ''}" ${label}>${todo}</a>`}${others.length === 0 ? undefined : html`<span class="note">${owner.others(view.number(others.length))}</span>`}</form></li>`
}
