// HTML templates that escape every value, so that text of strangers is shown and never executed.

/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

export type Value = Html | string | number | undefined | readonly Value[]

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = parts[0]!
  for (let i = 0; i < values.length; i++) text += toText(values[i]) + parts[i + 1]!
  return new Html(text)
}

function toText(value: Value): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(toText).join('')
  return Bun.escapeHTML(value)
}
