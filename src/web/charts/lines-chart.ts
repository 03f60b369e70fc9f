// Figures day by day as lines over one axis of dates. The picture repeats what a list says: each day is an item of it, which pointer
// and keyboard bring into view; a table has all figures.
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'

export type Slot = {
  readonly at: string
  /** One value per line; undefined if nothing was counted that day or the figure does not exist. */
  readonly values: readonly (number | undefined)[]
  /** The day in words. */
  readonly reading: string
}

export type Lines = {
  /** Accessible name. */
  readonly label: string
  /** Name of each line. Lines differ in dashes as well as in colour. */
  readonly names: readonly string[]
  /** Oldest first, one for each day. */
  readonly slots: readonly Slot[]
  readonly ticks: readonly number[]
  /** Share of the height from the bottom, 0 to 1. */
  readonly toShare: (value: number) => number
  readonly toText: (value: number) => string
}

const STEP = 8
const HEIGHT = 160
/** Half a line of text at both ends, so that the outermost labels are not clipped. */
const MARGIN = 8

export function toLinesChart(view: View, lines: Lines): Html {
  const { label, names, slots, ticks, toText } = lines
  const toY = (value: number) =>
    Math.round(10 * (HEIGHT - MARGIN - lines.toShare(value) * (HEIGHT - 2 * MARGIN))) / 10
  const width = slots.length * STEP
  const last = slots.length - 1
  const ends = view.words.proof.days(view.day(slots[0]!.at), view.day(slots[last]!.at))
  return html`<figure class="chart"><figcaption><span class="legend lines">${names.map((name, i) => html`<span class="line${i + 1}">${name}</span> `)}</span></figcaption>
<div class="plots single"><svg class="labels" width="72" height="${HEIGHT}" aria-hidden="true">${ticks.map(tick => html`<text x="66" y="${toY(tick)}" dy=".35em">${toText(tick)}</text>`)}</svg>
<svg class="plot" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="grid-lines" d="${ticks.map(tick => `M0 ${toY(tick)}h${width}`).join('')}"/>${names.map((_, i) => toLine(slots, i, toY))}</svg>
<ol class="days" tabindex="-1" aria-label="${label} (${ends})">${slots.map(({ reading }, i) => html`<li tabindex="${i === last ? '0' : '-1'}"><span>${reading}</span></li>`)}</ol>
<div class="dates" aria-hidden="true">${[0, Math.floor(slots.length / 2)].map(i => html`<span>${view.day(slots[i]!.at)}</span>`)}<span>${view.day(slots[last]!.at)}</span></div></div>
</figure>`
}

/** A line through consecutive days; a single day is a dot. */
function toLine(slots: readonly Slot[], line: number, toY: (value: number) => number): Html {
  const points = slots.flatMap(({ values }, i) => {
    const value = values[line]
    return value === undefined ? [] : [{ i, x: i * STEP + STEP / 2, y: toY(value) }]
  })
  const path = points.map(({ i, x, y }, n) => `${points[n - 1]?.i === i - 1 ? 'L' : 'M'}${x} ${y}`).join('')
  const alone = points.filter(({ i }, n) => points[n - 1]?.i !== i - 1 && points[n + 1]?.i !== i + 1)
  return html`<path class="line line${line + 1}" d="${path}"/><path class="dots line${line + 1}" d="${alone.map(({ x, y }) => `M${x} ${y}h0`).join('')}"/>`
}

/** From 0 to the next round number, in four steps. */
export function toCountTicks(values: readonly number[]): number[] {
  const most = Math.max(4, ...values)
  const magnitude = 10 ** Math.floor(Math.log10(most / 4))
  const step = [1, 2, 2.5, 5, 10]
    .map(each => each * magnitude)
    .find(each => 4 * each >= most && each % 1 === 0)!
  return [0, 1, 2, 3, 4].map(place => place * step)
}

/** With more of them only powers of ten have lines. */
const MAX_PRICE_TICKS = 6

/** 1, 2, 5, 10 … of the powers of ten that enclose all values, which are positive. */
export function toPriceTicks(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  const powers = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i))
  const fine = powers.flatMap((power, i) => (i === high - low ? [power] : [power, 2 * power, 5 * power]))
  return fine.length > MAX_PRICE_TICKS ? powers : fine
}
