// Tables that fit the terminal; a wide character counts as two columns.
import { toOneLine } from '../../domain/text/unseen.ts'

export type Column<Row> = {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly align?: 'right'
  /** Minimum width when the table is too wide; without it the column is never cut. */
  readonly atLeast?: number
  /** Columns with the highest number are dropped first when the table is too wide; without it the column always stays. */
  readonly dispensable?: number
  readonly paint?: (text: string, row: Row) => string
}

const GAP = '  '
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export const widthOf = (text: string): number => Bun.stringWidth(text)

/** Cuts to the width, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let fitting = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment)
    if (used > width - 1) break
    fitting += segment
  }
  return `${fitting}…`
}

export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number): string {
  const drawn = columns.map(column => {
    const cells = rows.map(row => toOneLine(column.cell(row)).replace(/\s+/g, ' '))
    return { ...column, cells, width: Math.max(widthOf(column.title), ...cells.map(widthOf)) }
  })
  const shown = fit(drawn, width)
  const line = (cellOf: (column: (typeof shown)[number]) => string) => shown.map(cellOf).join(GAP).trimEnd()
  return [
    line(column => pad(column.title, column)),
    ...rows.map((row, i) =>
      line(column => {
        const text = pad(cut(column.cells[i]!, column.width), column)
        return column.paint ? column.paint(text, row) : text
      }),
    ),
  ].join('\n')
}

function pad(text: string, { width, align }: { width: number; align?: 'right' }): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? spaces + text : text + spaces
}

type Drawn = { readonly width: number; readonly atLeast?: number; readonly dispensable?: number }

/** Drops dispensable columns until the rest fits, then narrows the widest columns that may be cut. */
function fit<C extends Drawn>(columns: readonly C[], width: number): C[] {
  const total = (widths: readonly number[]) =>
    widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length)
  let shown = [...columns]
  const smallest = (column: C) => Math.min(column.width, column.atLeast ?? column.width)
  while (total(shown.map(smallest)) > width) {
    const last = shown
      .filter(column => column.dispensable !== undefined)
      .sort((a, b) => b.dispensable! - a.dispensable!)[0]
    if (last === undefined) break
    shown = shown.filter(column => column !== last)
  }
  const widths = shown.map(column => column.width)
  for (let excess = total(widths) - width; excess > 0; excess--) {
    const [widest] = shown
      .map((column, i) => ({ i, spare: widths[i]! - smallest(column) }))
      .filter(({ spare }) => spare > 0)
      .sort((a, b) => widths[b.i]! - widths[a.i]!)
    if (widest === undefined) break
    widths[widest.i]!--
  }
  return shown.map((column, i) => ({ ...column, width: widths[i]! }))
}
