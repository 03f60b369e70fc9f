// Webhooks of an owner: their states, and the forms to test, remove and add one.

import type { LocalDirectory } from '../../directory/directory.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { readMessageRecord } from '../../domain/message-view.ts'
import type { CreatedWebhook, Webhook } from '../../domain/webhooks.ts'
import { type Html, html } from '../html.ts'
import { toCopyable } from '../layout.ts'
import { toMessageText } from '../message-text.ts'
import type { FormRequest } from '../page.ts'
import { toShortUrl } from '../provider-text.ts'
import type { View } from '../view.ts'
import { type Owner, toTokenField } from './frame.ts'
import type { Token } from './session.ts'

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
${webhooks.length === 0 ? undefined : html`<ul class="hooks">${webhooks.map(webhook => toWebhook(view, webhook, token, path))}</ul>`}${webhooks.some(({ state }) => state === 'unconfirmed') ? html`<p class="note">${owner.hooksConfirm} <a href="${view.href('/docs/webhooks')}#answerChallenge">${owner.hooksReference}</a></p>` : undefined}${more}</section>`
}

function toWebhook(view: View, webhook: Webhook, token: Token, path: string): Html {
  const { id, url, state, reason } = webhook
  const said = reason === null ? undefined : toMessageText(view, readMessageRecord(webhook, reason))
  const { href } = view
  const { owner } = view.words
  return html`<li><form action="${href(path)}" method="post">${toTokenField(token)}<input type="hidden" name="hook" value="${id}"><p><code>${toShortUrl(url)}</code></p>
<p class="note"><b class="${state}">${owner.hookStates[state]}</b> ·\u00a0${toFilterText(view, webhook)}${said && html` ·\u00a0<span${said.mark}>${said.text}</span>`}</p>
<p class="buttons"><button class="quiet small" name="action" value="test" aria-label="${owner.hookTest}: ${url}">${owner.hookTest}</button><button class="quiet small danger" name="action" value="unhook" aria-label="${owner.hookRemove}: ${url}">${owner.hookRemove}</button></p></form></li>`
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
  return html`<form class="register inline" action="${view.href(path)}" method="post">${toTokenField(token)}<div class="field"><label for="hook-url">${owner.hookUrl}</label><input id="hook-url" type="url" name="url" value="${url}" required maxlength="2048" autocomplete="off" placeholder="https://example.com/hook"></div><button class="quiet" name="action" value="hook">${owner.hookAdd}</button></form>`
}

/** The secret is shown only in the response to the form that created the webhook. */
export const toSecret = (view: View, { secret }: CreatedWebhook): Html => {
  const { owner } = view.words
  return html`<div class="notice" role="status"><strong>${owner.done.hook}</strong><p>${owner.secret}${view.words.colon.trim()}</p><p>${toCopyable(view, secret, owner.secret)}</p><p class="note">${owner.secretText}</p></div>`
}
