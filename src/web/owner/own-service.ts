// Renders the page of an owner's service.

import type { LocalDirectory } from '../../directory/directory.ts'
import type { Problem } from '../../domain/errors.ts'
import { isNeverProbed } from '../../domain/hosts/endpoint.ts'
import type { OwnService } from '../../domain/listing/own-services.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { Webhook } from '../../domain/webhooks.ts'
import { toBands } from '../bands.ts'
import { type Html, html } from '../html.ts'
import { toNameHeading } from '../provider-text.ts'
import {
  type Form,
  toEndpointField,
  toFieldsets,
  toListingForm,
  toSummary,
} from '../register/register-fields.ts'
import { toBadge } from '../service/service-facts.ts'
import { toStanding } from '../service-card.ts'
import type { View } from '../view.ts'
import { toResultNote, toWaitingPart } from '../waiting.ts'
import { readDomain, toDomainProof } from './domain-proof.ts'
import { toSeenField } from './edit-conflict.ts'
import { type Owner, toTokenField, toWho } from './frame.ts'
import { canProbe, readOwn } from './own-reads.ts'
import type { Token } from './session.ts'
import { toHookForm, toWebhooks } from './webhooks.ts'

export type Shown = {
  /** The submitted form, if it was refused. */
  readonly form: Form | undefined
  readonly problems: readonly Problem[]
  readonly webhooks: readonly Webhook[]
  readonly notice: Html
  /** Of the operator; empty if there is none. */
  readonly contact: string
}

export async function toOwnService(
  directory: LocalDirectory,
  view: View,
  owner: Owner,
  own: OwnService,
  { form, problems, webhooks, notice, contact }: Shown,
): Promise<(token: Token) => Html> {
  const bands = await readOwn(directory, view, owner, own, contact)
  const { words, href } = view
  const { owner: said } = words
  const { service, retired, hidden, by } = own
  const { id, name, status } = service
  const path = `/yours/${id}`
  // Nothing is told of a hidden service but that it is.
  const domain = hidden ? undefined : readDomain(directory, id)
  // Nobody looks for a proof at a host that is never probed.
  const mayProve = domain !== undefined && (domain !== null || !isNeverProbed(service.endpoint))
  const lastChecked = hidden ? undefined : directory.reads.status(id)?.decode().lastChecked
  const isWaiting = isProbeAhead(view, lastChecked) || bands.some(({ id }) => id === 'rechecking')
  return token => html`<article class="own"><p class="crumbs"><a href="${href('/yours')}">${said.title}</a></p>
${toNameHeading(name)}
${toWaitingPart(
  html`<p class="heads">${hidden ? undefined : toStanding(view, status, { isSample: false, isRetired: retired !== null })}${hidden ? undefined : html`<a href="${href(`/services/${id}`)}">${said.publicPage}</a>`}</p>
${toWho(view, owner, token)}
${notice}${toDone(view, lastChecked)}
${bands.length > 0 ? toBands(view, bands, { isOwner: true }) : html`<p>${said.fine}</p>`}`,
  isWaiting,
)}
<form class="buttons" action="${href(path)}" method="post">${toTokenField(token)}${by === 'wallet' ? html`<button name="action" value="claim">${said.claim}</button>` : undefined}${canProbe(own) ? html`<button name="action" value="probe">${said.probe}</button>` : undefined}${retired === null || hidden ? undefined : html`<button name="action" value="restore">${said.restore}</button>`}</form>
${hidden ? undefined : toEdit(view, service, form?.action === 'edit' ? form : undefined, form?.action === 'edit' ? problems : [], token, path)}
<div class="parts">
${hidden || !mayProve ? undefined : toDomainProof(view, service, domain, { token, path, canProbe: canProbe(own) })}
${hidden || retired !== null ? undefined : toRetirement(view, token, path)}
${toWebhooks(view, webhooks, token, path, hidden ? undefined : toHookForm(view, token, path, form?.url ?? ''))}
${hidden ? undefined : toBadge(view, service)}
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
  return html`<section class="edit"><h2>${owner.edit}</h2><p class="note">${owner.editText}</p>
<form class="register" action="${view.href(path)}" method="post" novalidate>${toTokenField(token)}${toSeenField(service)}${toSummary(view, problems)}
<fieldset>${toEndpointField(view, filled)}</fieldset>${toFieldsets(view, filled)}
<p class="buttons"><button name="action" value="edit">${owner.save}</button></p></form></section>`
}

const toRetirement = ({ words: { owner }, href }: View, token: Token, path: string): Html =>
  html`<section><h2>${owner.retire}</h2><p class="note">${owner.retireText}</p><form class="register" action="${href(path)}" method="post">${toTokenField(token)}<div class="field"><label for="retire-message">${owner.retireMessage}</label><textarea id="retire-message" name="message" rows="2" required maxlength="500"></textarea></div><p class="buttons"><button class="quiet danger" name="action" value="retire">${owner.retireButton}</button></p></form></section>`

const toRemoval = ({ words: { owner }, href }: View, token: Token, path: string): Html =>
  html`<section><h2>${owner.remove}</h2><p class="note">${owner.removeText}</p><form action="${href(path)}" method="post">${toTokenField(token)}<p><label class="pick"><input type="checkbox" name="sure" value="1" required>${owner.removeSure}</label></p><p class="buttons"><button class="quiet danger" name="action" value="remove">${owner.removeButton}</button></p></form></section>`
