// How a service is paid and called: its price and payee, code that calls it, what it takes and gives, and facts about the listing.
import { CALL_LANGUAGES, isPaidByCall, resourceToCall, toCall } from '../../domain/call/call.ts'
import { toJson, toShell } from '../../domain/call/payer.ts'
import { chainLabel, findChain } from '../../domain/chains/chains.ts'
import { asRecord } from '../../domain/json.ts'
import { toMarks } from '../../domain/listing/backing.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { ResourceTerms, TermsAnswer } from '../../domain/terms/terms.ts'
import { toOneLine } from '../../domain/text/invisible.ts'
import { type Html, html } from '../html.ts'
import { toCopyable, toCopyButton, toFold, toRows, toTable, toTime } from '../layout.ts'
import { toBreakable, toCutName, toEnds, toHostLink, toShortUrl } from '../provider-text.ts'
import type { View } from '../view.ts'
import {
  canBePaid,
  type Found,
  findListingChange,
  findPayees,
  findSeenPrice,
  networksOf,
  type Payable,
  protocolNamesOf,
  type StandingReads,
  toAsks,
  toBackerText,
  toBackingText,
} from './service-reads.ts'

type Schema = Readonly<Record<string, unknown>>

type Field = { readonly path: string; readonly field: Schema; readonly isRequired: boolean }

/** Further or more deeply nested fields are left to the JSON. */
const MAX_FIELDS = 50
const MAX_DEPTH = 4
const MAX_TEXT = 300
const MAX_EXAMPLE = 4_000

function toSchemaTable(view: View, title: string, schema: Schema | undefined): Html | undefined {
  if (!schema) return undefined
  const { words } = view
  const fields = fieldsOf(schema, '', 0).take(MAX_FIELDS).toArray()
  const example = schema.example === undefined ? undefined : toJson(schema.example)
  if (fields.length === 0 && example === undefined) return undefined
  const rows = fields.map(each => [
    html`<code>${short(each.path)}</code>`,
    short(typeOf(each.field)),
    short(notesOf(view, each).join(' · ')),
  ])
  const { field, type, about } = words.service.fieldHeads
  return html`<h3>${title}</h3>
${rows.length > 0 ? html`<div class="scrolled">${toTable([field, type, about], rows)}</div>` : undefined}
${example === undefined || example.length > MAX_EXAMPLE ? undefined : html`<p class="note">${words.service.example}</p><pre tabindex="0"><code>${example}</code></pre>`}`
}

/** A generator, so that no more of a large schema is read than is shown. */
function* fieldsOf(schema: Schema, path: string, depth: number): Generator<Field> {
  if (depth > MAX_DEPTH) return
  const required = Array.isArray(schema.required) ? schema.required : []
  for (const [name, property] of Object.entries(asRecord(schema.properties))) {
    const field = asRecord(property)
    const own = path === '' ? name : `${path}.${name}`
    yield { path: own, field, isRequired: required.includes(name) }
    yield* fieldsOf(field, own, depth + 1)
  }
  if (schema.items !== undefined) yield* fieldsOf(asRecord(schema.items), `${path}[]`, depth + 1)
}

function notesOf({ words }: View, { field, isRequired }: Field): string[] {
  const { description, example, minimum, maximum } = field
  return [
    ...(isRequired ? [words.service.required] : []),
    ...(typeof field['x-in'] === 'string' ? [field['x-in']] : []),
    ...(Array.isArray(field.enum) ? [field.enum.map(each => JSON.stringify(each)).join(', ')] : []),
    ...(field.const === undefined ? [] : [JSON.stringify(field.const)]),
    ...rangeOf(minimum, maximum),
    ...(typeof description === 'string' ? [description] : []),
    ...(example === undefined
      ? []
      : [
          `${words.service.example}${words.service.example.endsWith(':') ? ' ' : ''}${JSON.stringify(example)}`,
        ]),
  ]
}

function rangeOf(minimum: unknown, maximum: unknown): string[] {
  const [hasLeast, hasMost] = [typeof minimum === 'number', typeof maximum === 'number']
  if (hasLeast && hasMost) return [`${minimum} – ${maximum}`]
  return hasLeast ? [`≥ ${minimum}`] : hasMost ? [`≤ ${maximum}`] : []
}

function typeOf({ type, format, items, anyOf, oneOf }: Schema): string {
  const choices = [anyOf, oneOf].find(Array.isArray)
  if (choices) return [...new Set(choices.map(each => typeOf(asRecord(each))))].join(' | ')
  if (type === 'array') return `${typeOf(asRecord(items)) || 'array'}${items === undefined ? '' : '[]'}`
  const name = Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : ''
  return typeof format === 'string' ? `${name} (${format})` : name
}

const short = (text: string): string => {
  const line = toOneLine(text)
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line
}

/** How it is called and paid. Of what must not be paid, what its listing says. */
export function toCallFold(view: View, found: Payable): Html {
  const { service, terms } = found
  const { words, number } = view
  const isPayable = canBePaid(found)
  const isMppOnly = terms?.noteCodes.some(({ code }) => code === 'mpp_only')
  const resource = isPayable && terms ? resourceToCall(terms) : undefined
  const { paymentAddress, network } = service.x402Config
  const fields = resource?.input ? fieldsOf(resource.input, '', 0).take(MAX_FIELDS).toArray().length : 0
  const summary = resource
    ? words.service.callSummary(
        resource.tool ?? resource.method,
        CALL_LANGUAGES.map(language => words.service.callFor[language]),
        fields > 0 ? number(fields) : undefined,
      )
    : words.service.paySummary(chainLabel(network), toEnds(paymentAddress))
  return toFold(
    'call',
    isPayable ? words.service[isMppOnly ? 'callByMpp' : 'call'] : words.service.listing,
    summary,
    html`${resource && terms ? toCode(view, service, terms, resource) : undefined}${toPayment(view, found)}`,
  )
}

/** Code in several languages, and what goes in and comes out. The tabs are disclosures of one group, which work without a script. */
function toCode(view: View, service: Service, terms: TermsAnswer, { input, output }: ResourceTerms): Html {
  const { words } = view
  const texts = CALL_LANGUAGES.map(language => ({ language, text: toCall(service, terms, language) }))
  return html`<p>${isPaidByCall(service, terms) ? words.service.callNote : words.service.callUnpaid}</p>
<div class="tabs">${texts.map(
    ({ language, text }, i) =>
      html`<details name="call"${i === 0 ? html` open` : undefined}><summary>${words.service.callFor[language]}</summary><div class="code"><pre tabindex="0"><code>${text}</code></pre>${toCopyButton(view, text, words.service.callFor[language])}</div></details>`,
  )}</div>
${toSchemaTable(view, words.service.input, input)}
${toSchemaTable(view, words.service.output, output)}
<h3>${words.service.pay}</h3>`
}

/** The request for the terms is shown only if no code to call the service precedes it: a bare request may not ask for payment. */
function toPayment(view: View, found: Payable): Html {
  const { words } = view
  const { service, terms } = found
  const { x402Config, pricing, endpoint } = service
  const isPayable = canBePaid(found)
  // What must not be paid has no button that copies it.
  const toValue = (text: string, what: string, shown = toBreakable(text)) =>
    isPayable ? toCopyable(view, text, what, shown) : html`<code>${shown}</code>`
  const { paymentAddress, network } = x402Config
  const chain = findChain(network)
  const asked = findSeenPrice(terms)
  const list = toRows([
    [
      words.service.address,
      // The link is about the listed address, so it stands before the others.
      html`${toValue(paymentAddress, words.service.address)}<br><a href="${view.href(`/sellers/${encodeURIComponent(paymentAddress)}`)}">${words.seller.more}</a>${toOtherPayees(view, found)}`,
    ],
    [
      words.filters.chain.label,
      html`${chain?.label ?? network} ${toValue(chain?.id ?? network, words.filters.chain.label)}${toOtherNetworks(view, found)}`,
    ],
    [
      words.service.price,
      html`${pricing.pricePerRequest} ${pricing.currency} ${words.perRequest}${asked && html`<br>${toAsks(view, asked)}`}`,
    ],
    [words.service.endpoint, toValue(endpoint, words.service.endpoint, toShortUrl(endpoint))],
  ])
  if (!isPayable) return list
  return html`${list}
${terms && resourceToCall(terms) ? undefined : html`<p class="curl"><span>${words.service.curl}</span>${toCopyable(view, `curl -i ${toShell(endpoint)}`, 'curl')}</p>`}
<p class="note">${words.service.payCheck}</p>`
}

/** The wallets that the endpoint asks to pay on the listed network in place of the listed one, whole: only so can they be compared. */
function toOtherPayees({ words }: View, { service, terms }: Payable): Html | undefined {
  if (!terms || service.status === 'inactive' || !terms.asListed.network || terms.asListed.address)
    return undefined
  const others = findPayees(service.x402Config, terms)
  return html`<br><b class="wrong">${words.proof.asksToPay}${words.colon}${others.map((payTo, i) => html`${i > 0 ? ', ' : ''}<code>${toBreakable(payTo)}</code>`)}</b>`
}

function toOtherNetworks({ words }: View, { service, terms }: Payable): Html | undefined {
  if (!terms || service.status === 'inactive' || terms.asListed.network) return undefined
  return html`<br><b class="wrong">${words.alerts.otherNetwork.text(networksOf(terms).join(', '))}</b>`
}

// Who stands behind a service: who has confirmed it, since when it is listed and from where, its badge, and its data.

type Row = readonly [name: string, value: Html | string | undefined]

export function toProviderFold(view: View, found: Found): Html {
  const { service, standing, backing } = found
  const { words } = view
  const { createdAt, id } = service
  const tool = found.terms?.resources[0]?.tool
  const changedAt = standing && findListingChange(standing.events)
  const rows: readonly Row[] = [
    [words.service.backing, toBackingText(view, backing, found)],
    ...(tool === undefined ? [] : [[words.service.tool, html`<code>${tool}</code>`] as const]),
    [words.service.chains, toChains(service)],
    ...(found.terms
      ? [[words.filters.protocol.label, protocolNamesOf(found.terms).join(', ')] as const]
      : []),
    [words.service.eventTypes.registered, toTime(view, createdAt)],
    ...(changedAt === undefined ? [] : [[words.proof.priceListed, toTime(view, changedAt)] as const]),
    ...toOrigin(view, standing),
    [words.service.id, html`<code>${id}</code>`],
    [words.service.data, html`<a href="/api/services/${id}">/api/services/${id}</a>`],
  ]
  // Of the listing of a stranger, the verdict says it.
  const confirmed = toBackerText(view, toMarks(backing), found) ?? words.proof.nobody
  const summary = [
    ...(backing.representative ? [] : [confirmed]),
    words.service.listedSince(view.day(createdAt)),
  ]
  return toFold(
    'provider',
    words.service.provider,
    summary.join(' · '),
    html`${toRows(rows)}<div class="parts">${toBadge(view, service)}</div>`,
  )
}

/** What a sample shows: what its listing says, without an address to pay. */
export function toSampleFacts(view: View, { service, standing }: Found): readonly Row[] {
  const { words } = view
  const { pricing, id } = service
  return [
    [words.service.price, `${pricing.pricePerRequest} ${pricing.currency} ${words.perRequest}`],
    [words.service.chains, toChains(service)],
    ...toOrigin(view, standing),
    [words.service.id, html`<code>${id}</code>`],
  ]
}

const toChains = ({ supportedChains }: Service): string => supportedChains.map(chainLabel).join(', ')

/** Only for services from elsewhere; a registration here is the default. */
function toOrigin({ words: { service } }: View, standing: StandingReads): [string, Html | string][] {
  const { source, sourceUrl } = standing?.provenance ?? { source: 'registered', sourceUrl: null }
  if (source === 'registered') return []
  return [[service.source, sourceUrl === null ? service.sources[source] : toHostLink(sourceUrl)]]
}

/** @param isWaiting for a probe: the picture, which is loaded later, would show another verdict than the page */
export function toBadge(view: View, { id, name }: Service, isWaiting = false): Html {
  const { words, request } = view
  // As it is drawn here, so it is copied.
  const path = view.hrefForPrograms(`/services/${id}/badge.svg`)
  const plain = toCutName(name).replace(/[[\]\\`]/g, '')
  const code = `[![${words.service.badgeAlt(plain)}](${request.origin}${path})](${request.origin}/services/${id})`
  return html`<section id="badge"><h3>${words.service.badge}</h3>${isWaiting ? undefined : html`<p><img src="${path}" alt="${words.service.badgeAlt(toCutName(name))}" height="24"></p>`}<p class="note">${words.service.badgeNote}</p><p class="curl">${toCopyable(view, code, words.service.badgeCode)}</p></section>`
}
