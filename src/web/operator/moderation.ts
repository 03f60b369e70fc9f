// Reports, and what is hidden: by service, wallet and host, with the list to take along.
import { DirectoryError } from '../../domain/errors.ts'
import type { Entry } from '../../domain/listing/service.ts'
import {
  COLLECTED_KINDS,
  type Collected,
  MAX_ITEMS,
  parseReportsQuery,
  type Report,
} from '../../domain/operating.ts'
import { say } from '../../messages/message.ts'
import { html } from '../html.ts'
import { toTime } from '../layout.ts'
import { HIDDEN_FILE } from '../page.ts'
import { toCutName, toHost } from '../provider-text.ts'
import { toHit } from '../search/find.ts'
import { toVerdict, type Verdict, verdictOf } from '../verdict.ts'
import type { View } from '../view.ts'
import type { Item, Subject, Visit } from './room.ts'
import { readNames, toActor, toAddable, toAsked, toForm, toItems, toNews } from './room.ts'

export const REPORTS: Subject = {
  async show(visit) {
    const { directory, view, by } = visit
    const reports = await directory.listReports(parseReportsQuery({}), by)
    const listed = await directory.lookUp(reports.map(({ serviceId }) => serviceId))
    const named = await readNames(visit)
    const items = reports.map(report => {
      const service = directory.requireCatalog().service(report.serviceId)?.decode()
      const hit = service && toHit(directory, service)
      const verdict = hit && verdictOf(view, hit.service, hit.figures, hit.backing)
      const reporter = named(report.reporter)
      return toReport(view, { ...report, reporter }, listed.get(report.serviceId)?.entry, verdict)
    })
    return toItems(visit, items, view.words.operator.noReports)
  },

  acts: {
    async settle({ directory, by }, { id = '' }) {
      await directory.resolveReport(id, by)
    },
    async hideReported(visit, { id = '', serviceId, why }) {
      await visit.directory.hide({ items: [{ kind: 'service', value: serviceId, why }] }, visit.by)
      await visit.directory.resolveReport(id, visit.by)
    },
  },
}

/** @param entry of the service, unless it was removed */
function toReport(view: View, reported: Report, entry: Entry | null | undefined, verdict?: Verdict): Item {
  const { id, serviceId, kind, text, reporter, createdAt } = reported
  const { operator, report, proof, colon } = view.words
  const name = toCutName(entry?.name ?? serviceId)
  const { delivered = 0, purchases = 0 } = entry?.delivery ?? {}
  const tests = proof.deliveredOf(view.number(delivered), view.number(purchases))
  return {
    name,
    title: html`<b>${report.kinds[kind]}</b>${colon}<a href="${view.href(`/services/${serviceId}`)}">${name}</a>`,
    notes: [
      verdict && toVerdict({ ...verdict, line: verdict.line === tests ? undefined : verdict.line }),
      html`<q>${text}</q>`,
      entry ? html`<a href="${view.href(`/services/${serviceId}`)}#bought">${tests}</a>` : undefined,
      html`${toTime(view, createdAt)} · ${operator.reportedBy}${colon}${reporter.startsWith('env_') ? operator.keyOfSettings : undefined} <code>${reporter}</code>`,
    ],
    sent: { id, serviceId },
    buttons: [{ action: 'settle' }],
    further: [
      {
        title: operator.hideReported,
        input: html`<div class="field"><label for="why-${id}">${operator.fields.why![0]}</label><input id="why-${id}" name="why" required maxlength="500"><p class="help">${operator.fields.why![1]}</p></div>`,
        buttons: [{ action: 'hideReported', isDangerous: true }],
      },
    ],
  }
}

export const HIDDEN: Subject = {
  async show(visit) {
    const { directory, view, by } = visit
    const { operator } = view.words
    const rules = await directory.hiddenList(by)
    const listed = await directory.lookUp(rules.map(({ value }) => value))
    const named = await readNames(visit)
    const lists = COLLECTED_KINDS.map(kind => {
      const items = rules
        .filter(rule => rule.kind === kind)
        .map(rule => toRule(view, { ...rule, who: named(rule.who) }, listed.get(rule.value)?.entry))
      return html`<section><h2>${operator.hiddenKinds[kind]}</h2>${toItems(visit, items, operator.noneHidden)}</section>`
    })
    const form = toForm(visit, {
      fields: [{ name: 'kind', kind: 'choice', values: operator.kinds }, { name: 'value' }, { name: 'why' }],
      buttons: [{ action: 'hide' }],
    })
    const items = [{ name: 'items', kind: 'area' }] as const
    const importing = toForm(visit, { fields: items, buttons: [{ action: 'import' }] })
    return html`${toAddable(visit, 'hide', form, html`${lists}`)}
<section><h2>${operator.list}</h2><p class="note">${operator.listNote}</p><p class="buttons"><a class="button quiet" href="${HIDDEN_FILE}" download>${operator.download}</a></p>${importing}</section>`
  },

  acts: {
    hide: (visit, { kind, value, why }) => hide(visit, [{ kind, value, why }]),
    async show({ directory, view, by }, { kind, value }) {
      const { services } = await directory.show({ items: [{ kind, value }] }, by)
      return toNews(view.words.operator.shownAgain(view.number(services)))
    },
    import: (visit, { items = '' }) => hide(visit, readList(items)),
  },
}

/** @param entry of a service, unless it was removed since */
function toRule(view: View, rule: Collected, entry: Entry | null | undefined): Item {
  const { kind, value, why, who, at } = rule
  const name = entry ? html`<b>${toCutName(entry.name)}</b>` : html`<code>${value}</code>`
  return {
    name: entry?.name ?? value,
    title:
      kind === 'host'
        ? html`<b>${value}</b>`
        : html`<a href="${view.href(kind === 'service' ? `/services/${value}` : `/sellers/${value}`)}">${name}</a>`,
    notes: [
      entry ? html`${toHost(entry.endpoint)} · <code>${value}</code>` : undefined,
      html`<q>${why}</q>`,
      html`${toTime(view, at)} · ${toActor(view, who)}`,
    ],
    sent: { kind, value },
    further: [toAsked(view, 'show', view.words.operator.showSure(entry ? toCutName(entry.name) : value))],
  }
}

/** A longer list is sent in parts, which repeated change nothing. */
async function hide({ directory, view, by }: Visit, items: readonly unknown[]) {
  let services = 0
  const unknown: string[] = []
  for (let from = 0; from < Math.max(1, items.length); from += MAX_ITEMS) {
    const hidden = await directory.hide({ items: items.slice(from, from + MAX_ITEMS) }, by)
    services += hidden.services
    unknown.push(...hidden.unknown)
  }
  const { operator, colon } = view.words
  return toNews(
    operator.hidNow(view.number(services)),
    unknown.length > 0
      ? html`<p>${operator.unknownIds}${colon}<code>${unknown.join(' ')}</code></p>`
      : undefined,
  )
}

/** The content of an exported file: items, or a collection of them. @throws DirectoryError `invalid_request` if it is neither */
export function readList(text: string): readonly unknown[] {
  try {
    const list = JSON.parse(text)
    const items: unknown = list.items ?? list
    if (Array.isArray(items)) return items
  } catch {}
  throw new DirectoryError('invalid_request', say('hidden_list_expected'))
}
