// Standard output and standard error: what is asked for goes to the first, everything said about it to the second. Much of it was
// written by strangers, so nothing leaves from here that steers a terminal but what `paint` has put in.
import { toLines, toVisibleJson } from '../domain/unseen.ts'
import { CommandFailed } from './command.ts'

const STANDARD_WIDTH = 80

/** The width of the terminal; nothing is cut in a pipe or a file. */
export const outputWidth = (): number =>
  process.stdout.isTTY ? process.stdout.columns || STANDARD_WIDTH : Number.POSITIVE_INFINITY

export async function print(text: string): Promise<void> {
  await write(`${toTerminal(text)}\n`)
}

export const printJson = (value: unknown): Promise<void> =>
  write(`${toVisibleJson(JSON.stringify(value, null, 2))}\n`)

/** As it is: not for what strangers wrote. Waits for a slow reader rather than gathering everything in memory. */
export async function write(text: string | Uint8Array): Promise<void> {
  if (process.stdout.write(text)) return
  await new Promise<void>(resolve => process.stdout.once('drain', resolve))
}

export function say(sentence: string): void {
  process.stderr.write(`${toTerminal(sentence)}\n`)
}

/** `export | head` ends the reader early: that is no failure of the command. */
export function endQuietlyWithTheReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
}

/** Stands for the beginning of a colour until the text leaves; nobody else can know it. */
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
  // Bun has asked the terminal and NO_COLOR already; a pipe gets none even where colour is forced.
  const isWanted = process.stdout.isTTY === true && Bun.enableANSIColors
  return isWanted ? `${MARK}${COLORS[color]}m${text}${MARK}0m` : text
}

/** The bytes of a file, or of standard input for `-`. */
export async function openInput(path: string): Promise<AsyncIterable<Uint8Array>> {
  return (await openMeasuredInput(path)).input
}

export type MeasuredInput = {
  readonly input: AsyncIterable<Uint8Array>
  /** Which part of it was read, from 0 to 1; undefined where its end is not known. */
  readonly fraction: () => number | undefined
}

/** The same, and how much of it was read so far. */
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

/** Asks somebody at a terminal; nobody there says no. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  process.stderr.write(`${question} [y/N] `)
  for await (const line of console) return /^y(es)?$/i.test(line.trim())
  return false
}
