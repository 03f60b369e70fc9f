// The uptime and latency of a service day by day.

import type { History } from '../domain/standing/history.ts'
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

type Scale = {
  /** Milliseconds, from the lowest line to the highest. */
  readonly ticks: readonly number[]
  /** Pixels from the top. */
  readonly toY: (ms: number) => number
}

/** 1, 3, 10, 30 …: about the same distance on a logarithmic scale. */
const STEPS = Array.from({ length: 13 }, (_, i) => (i % 2 === 0 ? 1 : 3) * 10 ** Math.floor(i / 2))
/** With fewer steps a few milliseconds would look like a large difference. */
const MIN_STEPS = 2
/** With more of them only powers of ten are labelled. */
const MAX_TICKS = 5

export function toScale(values: readonly number[], height: number): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const first = Math.max(
    0,
    STEPS.findLastIndex(step => step <= low),
  )
  const above = STEPS.findIndex(step => step >= high)
  const last = Math.max(above < 0 ? STEPS.length - 1 : above, first + MIN_STEPS)
  const steps = STEPS.slice(first, last + 1)
  const ticks = steps.length > MAX_TICKS ? steps.filter(step => Number.isInteger(Math.log10(step))) : steps
  const [bottom, top] = [Math.log(steps[0]!), Math.log(steps.at(-1)!)]
  // Half a line of text at both ends, so that the outermost labels are not clipped.
  const margin = 8
  const toY = (ms: number) => {
    const share = (Math.log(Math.max(ms, steps[0]!)) - bottom) / (top - bottom)
    return Math.round(10 * (height - margin - Math.min(share, 1) * (height - 2 * margin))) / 10
  }
  return { ticks, toY }
}

/** To two digits, like the latency that lists show and sort by; in seconds from one second on. */
export function toLatencyText(
  { words: { proof }, number }: Pick<View, 'words' | 'number'>,
  ms: number,
): string {
  const rounded = Math.round(Number(ms.toPrecision(2)))
  return rounded < 1_000 ? proof.ms(number(rounded)) : proof.seconds(number(rounded / 1_000))
}

// Uptime and latency day by day over one axis of dates. The picture repeats what a list says: each day is an item of it, which pointer
// and keyboard bring into view; a table has all figures.

type Day = History['days'][number]
/** `tally` is undefined if nothing was probed. */
type Slot = { readonly at: string; readonly tally: Day | undefined }

const DAY_MS = 86_400_000
/** Lengths of the axis in days; the shorter one is for young services. */
const SPANS = [30, 90] as const
const STEP = 8
const STRIP = 40
const PLOT = 120
/** Minimum height of a part, so that one failure among many stays visible. */
const MIN_PART = 7

const probesOf = ({ up, failed }: Day): number => up + failed
const meanOf = ({ up, latencyTotalMs }: Day): number => latencyTotalMs / Math.max(up, 1)

/** @param days newest first, as in the history */
export function toDaysChart(view: View, days: readonly Day[]): Html {
  const { service, proof } = view.words
  const probed = days.filter(day => probesOf(day) > 0)
  if (probed.length === 0) return html`<p class="note">${service.noProbes}</p>`
  const slots = toSlots(probed)
  const hasAnswers = probed.some(({ up }) => up > 0)
  const latency = html`<span class="axis-name second">${proof.latency}</span>${toScaleLabels(view, slots)}${toPlot(slots)}`
  const ends = proof.days(view.day(slots[0]!.at), view.day(slots.at(-1)!.at))
  return html`<figure class="chart panel"><figcaption>${toLegend(view, probed, slots.length > probed.length)}</figcaption>
<div class="plots${hasAnswers ? '' : ' single'}"><span class="axis-name">${proof.uptime}</span>${toStrip(slots)}
${hasAnswers ? latency : undefined}
<ol class="days" tabindex="-1" aria-label="${proof.chartLabel} (${ends})">${slots.map((slot, i) => html`<li${i === slots.length - 1 ? html` tabindex="0"` : html` tabindex="-1"`}><span>${toReading(view, slot)}</span></li>`)}</ol>
<div class="dates" aria-hidden="true">${[0, Math.floor(slots.length / 2)].map(i => html`<span>${view.day(slots[i]!.at)}</span>`)}<span>${view.day(slots.at(-1)!.at)}</span></div></div>
</figure>
${toTable(view, probed)}`
}

/** One for each day up to the newest, probed or not. */
function toSlots(probed: readonly Day[]): Slot[] {
  const byDay = new Map(probed.map(day => [day.day, day]))
  const newest = Date.parse(probed[0]!.day)
  const age = Math.round((newest - Date.parse(probed.at(-1)!.day)) / DAY_MS) + 1
  const span = SPANS.find(each => age <= each) ?? SPANS.at(-1)!
  return Array.from({ length: span }, (_, i) => {
    const at = new Date(newest - (span - 1 - i) * DAY_MS).toISOString()
    return { at, tally: byDay.get(at.slice(0, 10)) }
  })
}

function toReading(view: View, { at, tally }: Slot): string {
  const { number, day } = view
  const { proof } = view.words
  if (!tally) return proof.dayNone(day(at))
  const all = number(probesOf(tally))
  if (tally.up === 0) return proof.daySilent(day(at), all)
  const latency = toLatencyText(view, meanOf(tally)).replace(' ', '\u00a0')
  const off = tally.mismatched > 0 ? proof.dayOff(number(tally.mismatched)) : ''
  return proof.dayUp(day(at), number(tally.up), all, latency) + off
}

/** From the bottom: as listed, not as listed, no answer. They differ in colour, height and hatching. */
function toStrip(slots: readonly Slot[]): Html {
  const bars = slots.map(({ tally }, i) => {
    const x = i * STEP + 1
    const rect = (kind: string, y: number, height: number) =>
      height > 0
        ? html`<rect class="${kind}" x="${x}" y="${y}" width="${STEP - 2}" height="${height}"/>`
        : undefined
    if (!tally) return rect('none', STRIP - 3, 3)
    const part = (count: number) =>
      count === 0
        ? 0
        : Math.min(STRIP, Math.max(MIN_PART, Math.round((STRIP * count) / Math.max(probesOf(tally), 1))))
    const lost = part(tally.failed)
    const off = Math.min(part(tally.mismatched), STRIP - lost)
    return html`${rect('lost', 0, lost)}${rect('off', lost, off)}${rect('fill', lost + off, STRIP - lost - off)}`
  })
  return html`<svg class="strip" viewBox="0 0 ${slots.length * STEP} ${STRIP}" preserveAspectRatio="none" aria-hidden="true"><defs><pattern id="hatch" width="3" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(30)"><path class="hatch" d="M0 0v6"/></pattern></defs>${bars}</svg>`
}

const answeredOf = (slots: readonly Slot[]) =>
  slots.flatMap(({ tally }, i) => (tally && tally.up > 0 ? [{ i, mean: meanOf(tally) }] : []))

/** A line through consecutive days. The scale is logarithmic, so that one slow day does not flatten the others. */
function toPlot(slots: readonly Slot[]): Html {
  const answered = answeredOf(slots)
  const { ticks, toY } = toScale(
    answered.map(({ mean }) => mean),
    PLOT,
  )
  const points = answered.map(({ i, mean }) => ({ i, x: i * STEP + STEP / 2, y: toY(mean) }))
  const line = points.map(({ i, x, y }, n) => `${points[n - 1]?.i === i - 1 ? 'L' : 'M'}${x} ${y}`).join('')
  const dots = points.map(({ x, y }) => `M${x} ${y}h0`).join('')
  const width = slots.length * STEP
  return html`<svg class="plot" viewBox="0 0 ${width} ${PLOT}" preserveAspectRatio="none" aria-hidden="true"><path class="grid-lines" d="${ticks.map(tick => `M0 ${toY(tick)}h${width}`).join('')}"/><path class="line" d="${line}"/><path class="dots" d="${dots}"/></svg>`
}

function toScaleLabels(view: View, slots: readonly Slot[]): Html {
  const { ticks, toY } = toScale(
    answeredOf(slots).map(({ mean }) => mean),
    PLOT,
  )
  return html`<svg class="labels" width="72" height="${PLOT}" aria-hidden="true">${ticks.map(tick => html`<text x="66" y="${toY(tick)}" dy=".35em">${toLatencyText(view, tick)}</text>`)}</svg>`
}

/** Only the kinds that occur. */
function toLegend({ words: { proof } }: View, probed: readonly Day[], hasGaps: boolean): Html {
  const kinds = [
    'up' as const,
    ...(probed.some(({ mismatched }) => mismatched > 0) ? ['off' as const] : []),
    ...(probed.some(({ failed }) => failed > 0) ? ['lost' as const] : []),
    ...(hasGaps ? ['none' as const] : []),
  ]
  return html`<span class="legend">${kinds.map(kind => html`<span class="${kind}">${proof.legend[kind]}</span> `)}</span>`
}

function toTable(view: View, days: readonly Day[]): Html {
  const { words, number, day: toDay } = view
  const { day, answered, failed, latency, figures } = words.service
  return html`<details><summary>${figures}</summary><div class="scroll scrolled" tabindex="0" role="group" aria-label="${figures}"><table><thead><tr>${[day, answered, failed, latency].map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${days.map(each => html`<tr><th scope="row">${toDay(each.day)}</th><td>${number(each.up)}</td><td>${number(each.failed)}</td><td>${each.up > 0 ? toLatencyText(view, meanOf(each)) : '–'}</td></tr>`)}
</tbody></table></div></details>`
}
