// Results go to standard output, messages about them to standard error. Much of it is untrusted, so only colours from `paint` reach the
// terminal as control sequences.
import { toLines, toOneLine, toVisibleJson } from '../../domain/text/invisible.ts'
import { CommandFailed } from '../syntax/command.ts'

const STANDARD_WIDTH = 80

/** The width of the terminal; output to a pipe or file is never cut. */
export const outputWidth = (): number =>
  process.stdout.isTTY ? process.stdout.columns || STANDARD_WIDTH : Number.POSITIVE_INFINITY

export async function print(text: string): Promise<void> {
  await write(`${toTerminal(text)}\n`)
}

export const printJson = (value: unknown): Promise<void> =>
  write(`${toVisibleJson(JSON.stringify(value, null, 2))}\n`)

/** Writes unchanged, so not for untrusted text. Waits for a slow reader instead of buffering everything. */
export async function write(text: string | Uint8Array): Promise<void> {
  if (process.stdout.write(text)) return
  await new Promise<void>(resolve => process.stdout.once('drain', resolve))
}

/** To standard error. */
export function printMessage(sentence: string): void {
  process.stderr.write(`${toTerminal(sentence)}\n`)
}

/** `export | head` closes the pipe early: not a failure of the command. */
export function endQuietlyWithTheReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
}

/** Marks the start of a colour until the text is written; untrusted text cannot contain it. */
const MARK = crypto.randomUUID()

function toTerminal(text: string): string {
  const [plain = '', ...painted] = text.split(MARK)
  const parts = painted.map(part => {
    const [, color = '0', rest = ''] = /^(\d+)m([\s\S]*)$/.exec(part) ?? []
    return `\u001b[${color}m${toLines(rest)}`
  })
  return toLines(plain) + parts.join('')
}

const COLORS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const

export function paint(color: keyof typeof COLORS, text: string): string {
  // Bun already considers the terminal and NO_COLOR; a pipe gets no colour even if it is forced.
  const isWanted = process.stdout.isTTY === true && Bun.enableANSIColors
  return isWanted ? `${MARK}${COLORS[color]}m${text}${MARK}0m` : text
}

/** The bytes of a file, or of standard input for `-`. */
export async function openInput(path: string): Promise<AsyncIterable<Uint8Array>> {
  if (path === '-') return Bun.stdin.stream()
  const file = Bun.file(path)
  const found = await file.stat().catch(() => undefined)
  if (found === undefined) throw new CommandFailed(`There is no file ${path}, or it may not be read.`)
  if (found.isDirectory()) throw new CommandFailed(`${path} is a folder, not a file.`)
  return file.stream()
}

/** Asks the user at a terminal; without one the answer is no. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  process.stderr.write(`${question} [y/N] `)
  for await (const line of console) return /^y(es)?$/i.test(line.trim())
  return false
}

// Tables that fit the terminal; a wide character counts as two columns.

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

// Reports the progress of long work: an updated line on a terminal, an occasional line elsewhere.

/** Work between two reports, on a terminal and elsewhere. */
const TERMINAL_STEP = 1_000
const LINE_STEP = 10_000

/** @param what the unit, such as `services read` */
export function createProgress(what: string) {
  const isTerminal = process.stderr.isTTY === true
  let reported = 0
  return {
    /** @param share of the work that is done, from 0 to 1; without it the total is unknown */
    reach(count: number, share?: number): void {
      if (count - reported < (isTerminal ? TERMINAL_STEP : LINE_STEP)) return
      reported = count
      const percent = share === undefined ? '' : ` (${Math.floor(share * 100)} %)`
      const text = `${count.toLocaleString('en')} ${what}${percent}`
      if (isTerminal) process.stderr.write(`\r\u001b[K${text}`)
      else printMessage(text)
    },
    /** Clears the line for other output. */
    clear(): void {
      if (isTerminal) process.stderr.write('\r\u001b[K')
    },
  }
}
