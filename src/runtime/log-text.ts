// Log lines for people at a terminal: time of day, level, message, and the fields by name.
import { toOneLine, toVisibleJson } from '../domain/text/invisible.ts'
import { type LogLevel, levelOf, type RequestLine } from './log-level.ts'

const COLORS: Partial<Record<LogLevel, string>> = { error: '31', warn: '33', debug: '2' }
const WIDTH = 5
/** The first lines of a stack tell where the error was. */
const STACK_LINES = 6

type LogEntry = {
  readonly time: string
  readonly level: LogLevel
  readonly message: string
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

export function toLogText({ time, level, message, fields = {} }: LogEntry): string {
  const { error, ...others } = fields
  const values = Object.entries(others).map(([name, value]) => ` ${name}=${toValue(value)}`)
  return `${toHead(time, level)} ${toOneLine(message)}${values.join('')}${toErrorText(error)}\n`
}

export const toRequestLogText = ({ at, method, path, status, ms, bytes }: RequestLine): string => {
  const level = levelOf(status)
  const size = bytes === undefined ? '' : `  ${bytes.toLocaleString('en')} B`
  return `${toHead(at.toISOString(), level)} ${status} ${method} ${path}  ${ms.toFixed(1)} ms${size}\n`
}

function toHead(time: string, level: LogLevel): string {
  const color = COLORS[level]
  const name = level.padEnd(WIDTH)
  return `${time.slice(11, 19)} ${color && Bun.enableANSIColors ? `\u001b[${color}m${name}\u001b[0m` : name}`
}

/** Values are untrusted. */
function toValue(value: unknown): string {
  if (typeof value === 'string')
    return /^[^\s"=]+$/.test(value) ? toOneLine(value) : toOneLine(JSON.stringify(value))
  if (value instanceof Error) return toOneLine(JSON.stringify(value.message))
  return toVisibleJson(JSON.stringify(value) ?? 'undefined')
}

function toErrorText(error: unknown): string {
  if (error === undefined) return ''
  if (!(error instanceof Error)) return ` error=${toValue(error)}`
  const lines = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  const cause = error.cause === undefined ? '' : ` (${toOneLine(String(error.cause))})`
  return [
    `: ${toOneLine(error.message)}${cause}`,
    ...lines.slice(0, STACK_LINES).map(line => `  ${toOneLine(line.trim())}`),
  ].join('\n')
}
