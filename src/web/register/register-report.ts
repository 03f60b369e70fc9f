// What an endpoint answered to a check, and how the service would stand in the list.

import { chainLabel } from '../../domain/chains/chains.ts'
import type { CheckName, CheckReport } from '../../domain/check.ts'
import type { Problem } from '../../domain/errors.ts'
import { endpointHost } from '../../domain/hosts/endpoint.ts'
import { categoryLabels } from '../../domain/listing/categories.ts'
import { payableOf } from '../../domain/listing/draft-from-check.ts'
import { readMessageRecord } from '../../domain/message-view.ts'
import { type Html, html } from '../html.ts'
import { LEVEL_ICONS } from '../icons.ts'
import { toMessageParagraph, toProblemText } from '../message-text.ts'
import type { View } from '../view.ts'
import type { Form } from './register-fields.ts'

/** What makes a listing; as long as none of it is known there is nothing to preview. */
const SHOWN = ['description', 'pricing.pricePerRequest', 'x402Config.network', 'x402Config.paymentAddress']

export function toPreview(view: View, form: Form, { resources }: CheckReport): Html | undefined {
  const { words, language } = view
  const { register } = words
  const given = (name: string) => form[name]?.trim() ?? ''
  if (!SHOWN.some(given)) return undefined
  const text = (name: string) => given(name) || html`<i class="blank">${register.fields[name]![0]}</i>`
  const [price, network] = [given('pricing.pricePerRequest'), given('x402Config.network')]
  const asked = payableOf(resources)
  return html`<section class="report preview" aria-labelledby="preview"><h2 id="preview">${register.preview}</h2>
<p class="name">${text('name')}</p><p class="host">${endpointHost(given('endpoint'))}</p>${asked && html`<p class="note" title="${asked.url}"><code>${asked.method} ${asked.url}</code></p>`}
<p>${text('description')}</p>
<p class="price">${price ? html`<strong>${price}</strong> ${given('pricing.currency')} <small>${words.perRequest}</small>` : text('pricing.pricePerRequest')}</p>
<p class="note">${given('category') ? categoryLabels(given('category'))[language] : text('category')} · ${network ? chainLabel(network) : text('x402Config.network')}</p>
<p class="note"><code>${text('x402Config.paymentAddress')}</code></p></section>`
}

/** Checks without which nothing is known of the terms. */
const READING: readonly CheckName[] = ['url', 'public_address', 'reachable', 'answers_402', 'readable_terms']

/**
 * What a check found, whether the service can be registered all the same, and how.
 * @param problems of the checks that failed
 */
export function toFindings(
  view: View,
  { checks }: CheckReport,
  problems: readonly Problem[],
): Html | undefined {
  if (problems.length === 0) return undefined
  const { unread, differs } = view.words.register
  const isUnread = checks.some(({ check, result }) => result === 'failed' && READING.includes(check))
  return toFinding(view, isUnread ? unread : differs, problems)
}

/** Why nothing can be read from a URL, nor be registered. */
export const toRefusedUrl = (view: View, problems: readonly Problem[]): Html =>
  toFinding(view, view.words.register.refusedUrl, problems)

function toFinding(
  view: View,
  { title, next }: View['words']['register']['differs'],
  problems: readonly Problem[],
): Html {
  const { words } = view
  const { fields } = words.register
  const found = problems.map(problem => {
    const { path } = problem
    const { text, mark } = toProblemText(view, problem)
    return path === 'endpoint'
      ? html`<p${mark}>${text}</p>`
      : html`<p><a href="#${path}">${fields[path]![0]}</a>${words.colon}<span${mark}>${text}</span></p>`
  })
  return html`<div class="bands" role="alert" tabindex="-1"><div class="band care">${LEVEL_ICONS.care}<div><p class="title"><strong>${title}</strong></p>${found}<p>${next}</p></div></div></div>`
}

export function toReport(
  view: View,
  { wouldVerify, outcome, checks, notes, noteCodes, requests, domain }: CheckReport,
): Html {
  const { register } = view.words
  // It can be paid, and these values are not what was asked about: a verdict on them would be made up.
  const isUncompared = !wouldVerify && outcome === 'payable'
  return html`<section class="report" aria-labelledby="report" role="status"><h2 id="report">${register.checked}</h2>
<p><strong>${wouldVerify ? register.wouldVerify : isUncompared ? register.notCompared : register.wouldNotVerify}</strong></p>
<details><summary>${register.allChecks}</summary><ul class="checks">${checks.map(
    ({ check, result, detail, ...record }) =>
      html`<li class="${result}"><strong>${register.checks[check]}</strong> <span class="result">${register.results[result]}</span>${toMessageParagraph(view, readMessageRecord(record, detail))}</li>`,
  )}</ul></details>
${domain ? html`<p>${view.words.service.provedBy(domain.host)}</p>` : undefined}
${notes.length > 0 ? html`<h3>${register.notes}</h3><ul>${notes.map((note, i) => html`<li>${toMessageParagraph(view, readMessageRecord(noteCodes[i], note))}</li>`)}</ul>` : undefined}
${requests.length > 0 ? html`<details><summary>${register.requests}</summary><ul>${requests.map(({ method, path, status, as }) => html`<li><code>${method} ${path}</code> → ${status ?? register.noAnswer}${as === 'customer' ? register.asCustomer : ''}</li>`)}</ul></details>` : undefined}
</section>`
}
