// Uptime and latency by day, drawn: heights tell, colour only repeats; the figures stand in a table below.
import type { History } from '../domain/history.ts'
import { type Html, html } from './html.ts'
import { toDayText } from './language.ts'
import type { View } from './view.ts'

type Day = History['days'][number]

const DAYS = 30
const STEP = 20
const HEIGHT = 80
const DAY_MS = 86_400_000

const probesOf = ({ up, failed }: Day): number => up + failed
const latencyOf = ({ up, latencyTotalMs }: Day): number => Math.round(latencyTotalMs / Math.max(up, 1))

/** @param days newest first, as the history gives them */
export function toHistoryChart(view: View, days: readonly Day[]): Html {
  const { words, number } = view
  const probed = days.filter(day => probesOf(day) > 0)
  const newest = probed[0]
  if (!newest) return html`<p class="note">${words.service.noProbes}</p>`
  const up = probed.reduce((sum, day) => sum + day.up, 0)
  const all = probed.reduce((sum, day) => sum + probesOf(day), 0)
  const latency = probed.reduce((sum, day) => sum + day.latencyTotalMs, 0) / Math.max(up, 1)
  const summary = words.service.chartSummary(
    number(probed.length),
    number(up),
    number(all),
    number(Math.round(latency)),
  )
  const placed = probed
    .map(day => ({
      day,
      x: STEP * (DAYS - 1 - Math.round((Date.parse(newest.day) - Date.parse(day.day)) / DAY_MS)),
    }))
    .filter(({ x }) => x >= 0)
  return html`<p>${summary}</p>
<figure class="chart"><figcaption>${words.service.uptimeChart}</figcaption>${toPicture(`${words.service.uptimeChart}. ${summary}`, placed.map(toUptimeBar))}</figure>
<figure class="chart"><figcaption>${words.service.latencyChart}</figcaption>${toPicture(`${words.service.latencyChart}. ${summary}`, toLatencyBars(placed))}</figure>
${toTable(view, probed)}`
}

type Placed = { readonly day: Day; readonly x: number }

const toPicture = (label: string, bars: readonly Html[]): Html =>
  html`<svg viewBox="0 0 ${DAYS * STEP} ${HEIGHT + 1}" preserveAspectRatio="none" role="img" aria-label="${label}"><defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0v4"/></pattern></defs><path class="axis" d="M0 ${HEIGHT}.5h${DAYS * STEP}"/>${bars}</svg>`

/** Failures stand on top of the answers, hatched. */
function toUptimeBar({ day, x }: Placed): Html {
  const height = Math.round((HEIGHT * day.up) / probesOf(day))
  return html`<g>${height > 0 ? html`<rect class="fill" x="${x + 3}" y="${HEIGHT - height}" width="${STEP - 6}" height="${height}" rx="2"/>` : undefined}${height < HEIGHT ? html`<rect class="lost" x="${x + 3.5}" y="0.5" width="${STEP - 7}" height="${HEIGHT - height - 1}" rx="2"/>` : undefined}</g>`
}

function toLatencyBars(placed: readonly Placed[]): Html[] {
  const slowest = Math.max(...placed.map(({ day }) => latencyOf(day)), 1)
  return placed
    .filter(({ day }) => day.up > 0)
    .map(({ day, x }) => {
      const height = Math.max(2, Math.round((HEIGHT * latencyOf(day)) / slowest))
      return html`<rect class="soft" x="${x + 3}" y="${HEIGHT - height}" width="${STEP - 6}" height="${height}" rx="2"/>`
    })
}

function toTable({ words, number, language }: View, days: readonly Day[]): Html {
  const { day, answered, failed, latency } = words.service
  return html`<details><summary>${words.service.figures}</summary><div class="scroll" tabindex="0" role="group" aria-label="${words.service.figures}"><table><thead><tr>${[day, answered, failed, latency].map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${days.map(each => html`<tr><th scope="row">${toDayText(each.day, language)}</th><td>${number(each.up)}</td><td>${number(each.failed)}</td><td>${each.up > 0 ? `${number(latencyOf(each))} ms` : '–'}</td></tr>`)}
</tbody></table></div></details>`
}
