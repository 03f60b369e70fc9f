// What agents may use and what they spend: collections, and the account of the keys with a policy.

import { fromMicroDollars, toMicroDollars } from '../../domain/money/money.ts'
import { COLLECTIONS_PATH, HIDDEN, MAX_ITEMS } from '../../domain/operating.ts'
import type { SpendingSum } from '../../domain/spending.ts'
import { type Html, html } from '../html.ts'
import { toTable } from '../layout.ts'
import { SPENDING_FILE } from '../page.ts'
import { readList } from './moderation.ts'
import { type Item, type Subject, toAddable, toForm, toItems, type Visit } from './room.ts'

/** Of those whose number has no bound; the file has all. */
const MAX_SHOWN = 100

const AMOUNTS = ['usd', 'confirmedUsd', 'reservedUsd'] as const
const GROUPS = ['agent', 'seller', 'day'] as const

export const SPENDING: Subject = {
  async show({ directory, view, by }) {
    const { operator } = view.words
    const sums = await directory.spending({}, by)
    if (sums.length === 0) return html`<p class="note">${operator.nothingSpent}</p>`
    const tables = GROUPS.map(group => {
      const rows = sumBy(sums, group).map(({ name, payments, micros }) => [
        name,
        view.number(payments),
        ...micros.map(each => `$${fromMicroDollars(each)}`),
      ])
      return html`<section><h2>${operator.spentBy[group]}</h2>${toTable([operator.spendingNames[group], ...operator.spendingColumns], rows)}</section>`
    })
    const all = sums.reduce((sum, { usd }) => sum + toMicroDollars(usd)!, 0)
    return html`<p><b>${operator.spentInAll(fromMicroDollars(all))}</b></p><p class="note">${operator.spendingNote}</p>
<p class="buttons"><a class="button quiet" href="${SPENDING_FILE}" download>${operator.spendingFile}</a></p>${tables}`
  },
}

type Sum = { readonly name: string; payments: number; readonly micros: number[] }

/** Days from the newest on, the others by what they spent, the largest first. */
function sumBy(sums: readonly SpendingSum[], group: (typeof GROUPS)[number]): readonly Sum[] {
  const found = new Map<string, Sum>()
  for (const each of sums) {
    const name = group === 'agent' ? `${each.name ?? ''} ${each.agent}`.trim() : each[group]
    const sum = found.get(each[group]) ?? { name, payments: 0, micros: AMOUNTS.map(() => 0) }
    sum.payments += each.payments
    for (const [i, amount] of AMOUNTS.entries()) sum.micros[i]! += toMicroDollars(each[amount])!
    found.set(each[group], sum)
  }
  const rows = [...found.values()]
  if (group !== 'day') rows.sort((a, b) => b.micros[0]! - a.micros[0]!)
  return rows.slice(0, MAX_SHOWN)
}

export const COLLECTIONS: Subject = {
  async show(visit) {
    const { directory, view, by } = visit
    const { operator } = view.words
    const all = (await directory.collections(by)).filter(({ name }) => name !== HIDDEN)
    const [followed, own] = [all.filter(isFollowed), all.filter(each => !isFollowed(each))]
    const lists = await Promise.all(own.map(({ name, items }) => toList(visit, name, items)))
    const { approve } = view.request.parameters
    const form = toForm(visit, {
      fields: [
        { name: 'id', value: 'approved' },
        { name: 'kind', kind: 'choice', values: operator.kinds },
        { name: 'value', value: approve ?? '' },
        { name: 'why', isOptional: true },
      ],
      buttons: [{ action: 'collect' }],
    })
    const found = html`${own.length === 0 ? html`<p class="note">${operator.noneHidden}</p>` : lists}<section><h2>${operator.followedCollections}</h2>${toItems(
      visit,
      followed.map(({ name, items }) => ({ name, notes: [operator.itemsOf(view.number(items))] })),
      operator.noneHidden,
    )}</section>`
    return html`${toAddable(visit, 'collect', form, found, approve !== undefined)}
<section><h2>${operator.list}</h2><p class="note">${operator.listNote}</p>${toForm(visit, {
      fields: [{ name: 'id' }, { name: 'items', kind: 'area' }],
      buttons: [{ action: 'import' }],
    })}</section>`
  },

  acts: {
    async collect({ directory, by }, { id = '', kind, value, why }) {
      await directory.collect(id, { items: [{ kind, value, why: why || null }] }, by)
    },
    async drop({ directory, by }, { id = '', kind, value }) {
      await directory.uncollect(id, { items: [{ kind, value }] }, by)
    },
    async import({ directory, by }, { id = '', items: text = '' }) {
      const items = readList(text)
      for (let from = 0; from < Math.max(1, items.length); from += MAX_ITEMS)
        await directory.collect(id, { items: items.slice(from, from + MAX_ITEMS) }, by)
    },
  },
}

/** Its name is the address that it is followed by. */
const isFollowed = ({ name }: { readonly name: string }): boolean => name.includes('/')

async function toList(visit: Visit, id: string, count: number): Promise<Html> {
  const { directory, view } = visit
  const { operator, colon } = view.words
  const { items } = (await directory.collection(id)).decode()
  const shown = items.slice(0, MAX_SHOWN).map(({ kind, value, why }): Item => {
    const service = kind === 'service' ? directory.requireCatalog().service(value)?.decode().name : undefined
    return {
      name: value,
      title: html`${operator.kinds[kind]}${colon}<b>${service ?? value}</b>`,
      notes: [service && html`<code>${value}</code>`, why ? html`<q>${why}</q>` : undefined],
      sent: { id, kind, value },
      buttons: [{ action: 'drop' }],
    }
  })
  return html`<section><h2>${id}</h2><p class="note">${operator.itemsOf(view.number(count))}</p>${toItems(visit, shown, '')}<p class="buttons"><a class="button quiet" href="${COLLECTIONS_PATH}${id}" download="${id}.json">${operator.download}</a></p></section>`
}
