// Up to four services side by side.
import type { LocalDirectory } from '../directory/directory.ts'
import { chainLabel } from '../domain/chains/chains.ts'
import { isServiceId } from '../domain/ids.ts'
import { categoryLabels } from '../domain/listing/categories.ts'
import { deliversSeldom, isFailing } from '../domain/standing/delivery.ts'
import { toLatencyText } from './charts/latency-scale.ts'
import { toRefusal, toRefusalText } from './failure.ts'
import { type Html, html } from './html.ts'
import { STATUS_ICONS, toMeter } from './icons.ts'
import { toDocument, toTime } from './layout.ts'
import { toCutName } from './long-names.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { toForeignPhrases, toPhrased } from './phrases.ts'
import { findBackers } from './service/service-backing.ts'
import { readFigures, toShortAmount, toShortPercent, wasProbed } from './service/service-figures.ts'
import { toHost, toHostLink } from './service/service-head.ts'
import { unlessAway } from './service/service-reads.ts'
import { MAX_COMPARED, toStanding } from './service-card.ts'
import { createView, type View } from './view.ts'
import { findWarnings, toWarning, WARNING_LEVELS } from './warnings.ts'

/** Further ids of a URL are not read. */
const MAX_READ = 50
const NONE = '–'

export const createComparePage =
  (directory: LocalDirectory) =>
  async (request: PageRequest): Promise<Rendered> => {
    const view = createView(request)
    const { title } = view.words.compare
    const { parameters } = request
    // Each checked card is a parameter of its own; the shareable URL has all ids in one parameter.
    const ticked = Object.keys(parameters).filter(isServiceId)
    if (ticked.length > 0) return { text: '', location: view.href('/compare', { ids: ticked.join() }) }
    try {
      const main = await toMain(view, directory, (parameters.ids ?? '').split(',').filter(Boolean))
      return toRendered(toDocument(view, { title, main }))
    } catch (error) {
      const refusal = toRefusal(error)
      const main = html`<h1>${title}</h1>${toRefusalText(view, '', refusal)}`
      return toRendered(toDocument(view, { title, main }), { failed: refusal.code })
    }
  }

/** undefined if there is no such service. */
async function readCompared(directory: LocalDirectory, id: string) {
  const { reads } = directory
  const service = reads.find(id)?.decode()
  const status = reads.findStatus(id)?.decode()
  if (!service || !status) return undefined
  const [bought, reported] = await Promise.all([
    unlessAway(() => directory.purchases(id, { limit: 1 })),
    unlessAway(() => directory.outcomes(id, { limit: 1 })),
  ])
  return {
    service,
    status,
    figures: readFigures(reads, service),
    marks: reads.marks(id),
    readsPayments: reads.readsPayments(service.x402Config.network),
    delivery: bought?.decode().delivery,
    payers: reported?.decode().payers,
  }
}

async function toMain(view: View, directory: LocalDirectory, ids: readonly string[]): Promise<Html> {
  const { compare, service } = view.words
  const wanted = [...new Set(ids)].slice(0, MAX_READ)
  const listed = wanted.flatMap(id => directory.reads.find(id)?.decode() ?? [])
  const compared = await Promise.all(
    listed.slice(0, MAX_COMPARED).map(({ id }) => readCompared(directory, id)),
  )
  const found = compared.filter(each => each !== undefined)
  const missing = wanted.filter(id => !listed.some(each => each.id === id)).map(id => id.slice(0, 64))
  const left = listed.slice(MAX_COMPARED).map(({ name }) => toCutName(name))
  const notes = [
    ...(missing.length > 0 ? [compare.unknown(missing.slice(0, MAX_COMPARED).join(', '))] : []),
    ...(left.length > 0 ? [compare.most(view.number(MAX_COMPARED), left.join(', '))] : []),
  ]
  const told = notes.map(note => html`<p class="note" role="status">${note}</p>`)
  const search = html`<p><a href="${view.href('/')}">${service.toSearch}</a></p>`
  if (found.length === 0)
    return html`<div class="empty"><h1>${toPhrased(view, compare.empty)}</h1>${told}<p>${compare.emptyHint}</p>${search}</div>`
  const rows = toRows(view).map(row => ({ ...row, best: findBest(row, found) }))
  const isMarked = rows.some(({ best }) => best !== undefined)
  return html`<div class="compare"><h1>${compare.title}</h1><p class="lead">${toPhrased(view, isMarked ? compare.introMarked : compare.intro)}</p>${told}
${toTable(view, found, rows)}${search}</div>`
}

type Found = NonNullable<Awaited<ReturnType<typeof readCompared>>>
type Row = {
  readonly name: keyof View['words']['compare']['rows']
  readonly of: (found: Found) => Html | string | undefined
  /** Shown below the value. */
  readonly below?: (found: Found) => Html | undefined
  /** Lower is better; undefined if it cannot be compared. */
  readonly rank?: (found: Found) => number | undefined
}

function toRows(view: View): Row[] {
  const { words, number, language } = view
  const { compare, proof } = words
  const backers = ({ marks, figures }: Found) => {
    const { wallet, domain } = findBackers(marks, figures)
    return (
      [...(wallet ? [compare.claimed] : []), ...(domain ? [compare.domain] : [])].join(', ') || compare.nobody
    )
  }
  return [
    {
      name: 'status',
      of: ({ service, figures }) => toStanding(view, service.status, figures),
      below: ({ service, figures, marks }) =>
        html`${findWarnings(figures, marks).map(name => toWarning(view, name, service, figures))}`,
    },
    { name: 'backing', of: found => (found.figures.isSample ? undefined : backers(found)) },
    {
      name: 'price',
      of: ({ service: { pricing }, figures: { asks } }) =>
        html`${pricing.pricePerRequest} ${pricing.currency}${asks === undefined ? undefined : html`<br><b class="wrong">${proof.asks(`${asks} ${pricing.currency}`)}</b>`}`,
    },
    {
      name: 'dollars',
      of: ({ figures: { dollars } }) => dollars && proof.dollars(toShortAmount(dollars.amount)),
      rank: ({ figures: { dollars } }) => dollars && Number(dollars.amount),
    },
    {
      name: 'free',
      of: ({ service: { pricing } }) =>
        pricing.freeQuota > 0 ? words.service.freeCount(number(pricing.freeQuota)) : undefined,
    },
    {
      name: 'uptime',
      of: ({ figures: { uptime, isSample } }) =>
        uptime === undefined || isSample ? undefined : proof.percent(number(toShortPercent(uptime))),
      rank: ({ figures: { uptime } }) => (uptime === undefined ? undefined : -uptime),
    },
    {
      name: 'latency',
      of: ({ figures: { latencyMs } }) =>
        latencyMs === undefined ? undefined : toLatencyText(view, latencyMs),
      rank: ({ figures: { latencyMs } }) => latencyMs,
    },
    {
      name: 'payments',
      of: ({ status: { txCount }, figures: { isSample }, readsPayments }) =>
        isSample ? undefined : readsPayments || txCount > 0 ? number(txCount) : proof.unknown,
      rank: ({ status: { txCount } }) => (txCount > 0 ? -txCount : undefined),
    },
    {
      name: 'delivery',
      of: ({ delivery, figures: { isSample, poorDelivery } }) =>
        isSample || !delivery
          ? undefined
          : poorDelivery
            ? html`<b class="${isFailing(poorDelivery) || deliversSeldom(poorDelivery) ? 'wrong' : 'doubtful'}">${toDeliveryText(view, delivery)}</b>`
            : toDeliveryText(view, delivery),
      below: ({ payers, figures: { isSample } }) =>
        isSample || !payers ? undefined : toReports(view, payers),
    },
    {
      name: 'trust',
      of: ({ service: { trustScore }, figures: { isSample } }) =>
        isSample ? undefined : `${trustScore} / 100`,
      below: ({ service: { trustScore }, figures: { isSample } }) =>
        isSample ? undefined : toMeter(trustScore),
      rank: ({ service: { trustScore } }) => -trustScore,
    },
    { name: 'chains', of: ({ service }) => service.supportedChains.map(chainLabel).join(', ') },
    { name: 'category', of: ({ service }) => categoryLabels(service.category)[language] },
    {
      name: 'checked',
      of: ({ service, status, figures }) =>
        !figures.isSample && wasProbed(service, status, figures.isRetired)
          ? toTime(view, status.lastChecked)
          : undefined,
    },
    {
      name: 'host',
      of: ({ service: { endpoint }, figures: { isSample } }) =>
        isSample ? toHost(endpoint) : toHostLink(endpoint),
    },
  ]
}

function toDeliveryText(
  { words: { compare }, number }: View,
  { delivered, purchases }: NonNullable<Found['delivery']>,
): string {
  return purchases === 0 ? compare.notBought : compare.delivered(number(delivered), number(purchases))
}

/** What payers say. */
function toReports(
  { words: { compare }, number }: View,
  { settlement: { payers, delivered } }: NonNullable<Found['payers']>,
): Html | undefined {
  return payers === 0
    ? undefined
    : html`<br><span class="sub">${compare.reported(number(delivered), number(payers))}</span>`
}

type RankedRow = Row & { readonly best: number | undefined }

function toTable(view: View, found: readonly Found[], ranked: readonly RankedRow[]): Html {
  const { compare } = view.words
  const ids = found.map(({ service }) => service.id)
  const heads = found.map(({ service: { id, name } }) => {
    const rest = ids.filter(other => other !== id)
    return html`<th scope="col"><span class="head"><a href="${view.href(`/services/${id}`)}" title="${name}">${toForeignPhrases(toCutName(name))}</a> <a class="out" href="${view.href('/compare', { ids: rest.join() })}" aria-label="${compare.remove(name)}">×</a></span></th>`
  })
  const rows = ranked.map(({ name, of, below, best }) => {
    const cells = found.map((each, i) =>
      best === i
        ? html`<td class="best">${of(each)} <small>${STATUS_ICONS.verified}${compare.best}</small>${below?.(each)}</td>`
        : html`<td>${of(each) ?? NONE}${below?.(each)}</td>`,
    )
    return html`<tr><th scope="row">${compare.rows[name]}</th>${cells}</tr>
`
  })
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${compare.title}"><table class="of${found.length}"><thead><tr><th scope="col"><span class="unseen">${compare.row}</span></th>${heads}</tr></thead><tbody>
${rows}</tbody></table></div>`
}

/** A service that does not answer, is invented, or must not be paid is not compared; what one asks above its listed price is. */
const isCompared = ({ service, figures, marks }: Found): boolean =>
  service.status !== 'inactive' &&
  !figures.isSample &&
  findWarnings(figures, marks).every(name => name === 'asksMore' || WARNING_LEVELS[name] !== 'stop')

/** None is the best that asks for more than listed or that was paid and did not deliver. */
const isRecommended = ({ asks, poorDelivery }: Found['figures']): boolean =>
  asks === undefined && poorDelivery === undefined

/** Index of the single best service; undefined if several are equal, if it is not recommended, or if the row is not compared. */
function findBest({ rank }: Row, found: readonly Found[]): number | undefined {
  const ranks = found.map(each => (isCompared(each) ? rank?.(each) : undefined))
  const known = ranks.filter(rank => rank !== undefined)
  const best = Math.min(...known)
  if (known.length < 2 || known.filter(rank => rank === best).length > 1) return undefined
  const index = ranks.indexOf(best)
  return isRecommended(found[index]!.figures) ? index : undefined
}
