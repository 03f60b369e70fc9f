// The server itself: what it buys, its backups, and its settings.
import { dirname } from 'node:path'
import type { Settings } from '../../domain/operating.ts'
import { toProse } from '../docs-page.ts'
import { html } from '../html.ts'
import { toCopyable, toRows, toTime } from '../layout.ts'
import { toTokenField } from '../owner/session.ts'
import { BACKUP_PATH } from '../page.ts'
import { toCutName, toHost } from '../provider-text.ts'
import { toldOutcome, toOutcomeMark } from '../service/service-proof.ts'
import type { View } from '../view.ts'
import { type Subject, toItems } from './room.ts'

export const PURCHASES: Subject = {
  async show(visit) {
    const { directory, view, by } = visit
    const { operator } = view.words
    const [purchases, { spending }, { settings }] = await Promise.all([
      directory.ownPurchases(by),
      directory.overview(by),
      directory.settings(by),
    ])
    const { perDay, spent } = spending
    // What was paid for lately was paid for with the key of another process.
    const isKeyMissing =
      spent === 0 && settings.some(each => each.name === 'BUYER_KEY_FILE' && each.value === '')
    const items = purchases.map(({ id, at, serviceId, host, state, outcome, transaction, ...paid }) => ({
      name: host,
      title: html`${outcome === null ? html`<b>${operator.purchaseStates[state]}</b>` : toOutcomeMark(view, toldOutcome(outcome, paid.reasonCodes))} · ${serviceId === null ? host : html`<a href="${view.href(`/services/${serviceId}`)}">${toCutName(directory.requireCatalog().service(serviceId)?.decode().name ?? host)}</a>`}`,
      notes: [
        html`${paid.price} ${paid.currency} · ${toHost(host)}`,
        html`${toTime(view, at)} · <code>${id}</code>`,
        transaction === null
          ? undefined
          : html`${operator.transaction}${view.words.colon}${toCopyable(view, transaction, operator.transaction)}`,
      ],
    }))
    return html`<p>${perDay === 0 || isKeyMissing ? `${operator.buysNothing(isKeyMissing, perDay === 0)} ` : undefined}${operator.budget(String(spent), String(perDay))}</p>
${toItems(visit, items, operator.noneHidden)}`
  },
}

const MEBIBYTE = 1024 * 1024

export const toFileName = (file: string): string => file.split(/[/\\]/).at(-1)!

export const BACKUPS: Subject = {
  async show(visit) {
    const { directory, view, by, token } = visit
    const { operator } = view.words
    const { isFile, database, files, nightly } = await directory.backups(by)
    if (!isFile) return html`<p class="note">${operator.backedUpElsewhere}</p>`
    const items = files.map(({ file, bytes, at }) => {
      const name = toFileName(file)
      return {
        name,
        title: html`<a href="${BACKUP_PATH}${name}" download>${name}</a>`,
        notes: [html`${toTime(view, at)} · ${view.number(Math.ceil(bytes / MEBIBYTE))} MiB`],
      }
    })
    return html`<form action="${view.href(view.request.path)}" method="post">${toTokenField(token)}<p class="buttons"><button name="action" value="backUp">${operator.acts.backUp}</button></p></form>
<p class="note">${nightly === null ? operator.notNightly : operator.nightly(nightly)}</p>
<section><h2>${operator.backups}</h2><p class="note">${toProse(operator.backupsNote([...new Set(files.map(({ file }) => `\`${dirname(file)}\``))].join(' · ')))}</p>${toItems(visit, items, operator.noneHidden)}${database === null ? undefined : html`<p>${toProse(operator.restore(database))}</p>`}</section>`
  },

  acts: {
    async backUp({ directory, by }) {
      await directory.backUp(by)
    },
  },
}

export const SETTINGS: Subject = {
  async show({ directory, view, by }) {
    const { operator } = view.words
    const { settings, unknown } = await directory.settings(by)
    // What was changed stands first: that is what is asked when something is wrong.
    const sorted = settings.toSorted((a, b) => Number(a.from === 'default') - Number(b.from === 'default'))
    const groupOf = ({ from, group }: Settings['settings'][number]) =>
      from === 'default' ? (operator.settingGroups[group] ?? group) : operator.changedSettings
    const groups = Object.entries(Object.groupBy(sorted, groupOf)).map(
      ([title, some = []]) =>
        html`<section><h2>${title}</h2>${toRows(some.map(each => toRow(view, each)))}</section>`,
    )
    return html`${unknown.map(sentence => html`<div class="notice wrong"><strong>${operator.unknownSetting}</strong><p lang="en">${sentence}</p></div>`)}
${groups}`
  },
}

/** Beside the name, so that nobody has to look for it in what the setting does: what holds while it is not set. */
function toRow({ words }: View, { name, about: english, value, from }: Settings['settings'][number]) {
  const { operator, colon } = words
  const translated = operator.settingTexts[name.replace(/^RPC_URL_.+/, 'RPC_URL_BASE')]
  const about = translated ?? english
  const lang = translated === undefined ? html` lang="en"` : undefined
  const [sentence = '', holds = ''] =
    (value === '' && /(?:Empty: |未設定：)(.+?)(?:\.(?= |$)|。)/.exec(about)) || []
  return [
    html`<code>${name}</code>`,
    html`${value === '' ? html`${operator.notSet}${colon}<span${lang}>${toProse(holds)}</span>` : html`<code>${value}</code> <small>${operator.origins[from]}</small>`}<br><span class="note"${lang}>${toProse(about.replace(sentence, '').trim())}</span>`,
  ] as const
}
