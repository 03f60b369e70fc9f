// The charts of the census: how many services there are, and what they cost.
import type { CensusDay } from '../../domain/census.ts'
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'
import { type Slot, toCountTicks, toLinesChart, toPriceTicks } from './lines-chart.ts'

const DAY_MS = 86_400_000
/** Lengths of the axis in days: from the first day that was counted, unless that is very young or very old. */
const [MIN_SPAN, MAX_SPAN] = [7, 90]

type Day = { readonly at: string; readonly census: CensusDay | undefined }

/** One for each day up to the newest, counted or not. @param days newest first */
function toDays(days: readonly CensusDay[]): Day[] {
  const byDay = new Map(days.map(census => [census.day, census]))
  const newest = Date.parse(days[0]!.day)
  const age = Math.round((newest - Date.parse(days.at(-1)!.day)) / DAY_MS) + 1
  const span = Math.min(Math.max(age, MIN_SPAN), MAX_SPAN)
  return Array.from({ length: span }, (_, i) => {
    const at = new Date(newest - (span - 1 - i) * DAY_MS).toISOString().slice(0, 10)
    return { at, census: byDay.get(at) }
  })
}

export function toCountsChart(view: View, days: readonly CensusDay[]): Html {
  const { census: words } = view.words
  const { number, day: toDay } = view
  const slots = toDays(days).map(
    ({ at, census }): Slot => ({
      at,
      values: census ? [census.services, census.alive, census.verified] : [],
      reading: census
        ? words.countsOf(toDay(at), number(census.services), number(census.alive), number(census.verified))
        : words.notCounted(toDay(at)),
    }),
  )
  const ticks = toCountTicks(slots.flatMap(({ values }) => values.map(value => value ?? 0)))
  return toLinesChart(view, {
    label: words.countsLabel,
    names: [words.services, words.alive, words.verified],
    slots,
    ticks,
    toShare: value => value / ticks.at(-1)!,
    toText: number,
  })
}

const LINES = ['p75', 'p50', 'p25'] as const

export function toPricesChart(view: View, days: readonly CensusDay[]): Html {
  const { census: words } = view.words
  const { day: toDay } = view
  // A logarithmic scale has no zero, so a free service is drawn at the lowest line.
  const toValue = (price: string | null) => (price === null ? undefined : Number(price))
  const slots = toDays(days).map(({ at, census }): Slot => {
    const prices = LINES.map(name => census?.prices[name] ?? null)
    const [high, middle, low] = prices
    return {
      at,
      values: prices.map(toValue),
      reading:
        high && middle && low ? words.pricesOf(toDay(at), middle, low, high) : words.notCounted(toDay(at)),
    }
  })
  const paid = slots.flatMap(({ values }) => values.flatMap(value => (value ? [value] : [])))
  if (paid.length === 0) return html`<p class="note">${words.noPrices}</p>`
  const ticks = toPriceTicks(paid)
  const [low, high] = [Math.log10(ticks[0]!), Math.log10(ticks.at(-1)!)]
  return toLinesChart(view, {
    label: words.pricesLabel,
    names: [words.p75, words.p50, words.p25],
    slots,
    ticks,
    toShare: value => (Math.log10(Math.max(value, ticks[0]!)) - low) / (high - low),
    toText: value =>
      view.words.proof.dollars(
        value >= 1 ? view.number(value) : value.toFixed(Math.ceil(-Math.log10(value))),
      ),
  })
}

/** All figures of both charts, newest first. */
export function toCensusTable(view: View, days: readonly CensusDay[]): Html {
  const { words, number, day: toDay } = view
  const { census } = words
  const heads = [
    words.service.day,
    census.services,
    census.alive,
    census.verified,
    census.p25,
    census.p50,
    census.p75,
  ]
  const { figures } = words.service
  return html`<details><summary>${figures}</summary><div class="scroll scrolled" tabindex="0" role="group" aria-label="${figures}"><table><thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${days.map(
  ({ day, services, alive, verified, prices }) =>
    html`<tr><th scope="row">${toDay(day)}</th>${[services, alive, verified].map(count => html`<td>${number(count)}</td>`)}${[prices.p25, prices.p50, prices.p75].map(price => html`<td>${price === null ? '–' : words.proof.dollars(price)}</td>`)}</tr>\n`,
)}</tbody></table></div></details>`
}
