// A bar chart as a list: every bar has its name and its number as text, which the drawing repeats.
import { type Html, html } from '../html.ts'
import { toMeter } from '../icons.ts'
import type { View } from '../view.ts'

export type Bar = { readonly label: string | Html; readonly count: number; readonly address?: string }

/** @param toText a count with its unit; of services unless told otherwise */
export function toBars(
  { words, number }: View,
  bars: readonly Bar[],
  toText: (count: string) => string = words.items,
): Html {
  const most = Math.max(...bars.map(({ count }) => count), 1)
  return html`<ul class="bars">${bars.map(
    ({ label, count, address }) =>
      html`<li><span class="label">${address === undefined ? label : html`<a href="${address}">${label}</a>`}</span>${toMeter(count, most)}<span class="count">${toText(number(count))}</span></li>
`,
  )}</ul>`
}
