// Results go to standard output, messages about them to standard error. Much of it is untrusted, so only colours from `paint` reach the
// terminal as control sequences.
import { toLines, toVisibleJson } from '../../domain/text/unseen.ts'
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
  return (await openMeasuredInput(path)).input
}

export type MeasuredInput = {
  readonly input: AsyncIterable<Uint8Array>
  /** The share read so far, from 0 to 1; undefined if the size is unknown. */
  readonly fraction: () => number | undefined
}

/** The same, with its progress. */
export async function openMeasuredInput(path: string): Promise<MeasuredInput> {
  if (path === '-') return { input: Bun.stdin.stream(), fraction: () => undefined }
  const file = Bun.file(path)
  const found = await file.stat().catch(() => undefined)
  if (found === undefined) throw new CommandFailed(`There is no file ${path}, or it may not be read.`)
  if (found.isDirectory()) throw new CommandFailed(`${path} is a folder, not a file.`)
  const size = found.isFile() ? found.size : 0
  let read = 0
  async function* measure(): AsyncGenerator<Uint8Array> {
    for await (const piece of file.stream()) {
      read += piece.length
      yield piece
    }
  }
  return { input: measure(), fraction: () => (size > 0 ? read / size : undefined) }
}

/** Asks the user at a terminal; without one the answer is no. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  process.stderr.write(`${question} [y/N] `)
  for await (const line of console) return /^y(es)?$/i.test(line.trim())
  return false
}
