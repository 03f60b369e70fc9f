// The log: lines on standard error, as JSON or for people at a terminal.
import { writeSync } from 'node:fs'
import { toOneLine, toVisibleJson } from '../domain/text/invisible.ts'
import { MAX_BYTES_PER_UNIT } from '../memory/arena.ts'
import { type Clock, systemClock } from './clock.ts'

// Log levels, and the fields of a logged request.

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/** A completed request. Contains no query string and no key: both can be secrets. */
type RequestLine = {
  readonly at: Date
  /** Like `path`, without characters that control a terminal. */
  readonly id: string
  readonly method: string
  readonly route: string
  readonly path: string
  readonly status: number
  readonly ms: number
  /** undefined if the body is streamed. */
  readonly bytes: number | undefined
  readonly caller: 'key' | 'address'
}

/** 503 (not ready, store unavailable) has log lines of its own; any other 5xx is a fault of ours. */
const levelOf = (status: number): LogLevel => (status === 503 ? 'warn' : status >= 500 ? 'error' : 'info')

// Log lines for people at a terminal: time of day, level, message, and the fields by name.

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

function toLogText({ time, level, message, fields = {} }: LogEntry): string {
  const { error, ...others } = fields
  const values = Object.entries(others).map(([name, value]) => ` ${name}=${toValue(value)}`)
  return `${toHead(time, level)} ${toOneLine(message)}${values.join('')}${toErrorText(error)}\n`
}

const toRequestLogText = ({ at, method, path, status, ms, bytes }: RequestLine): string => {
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

// Structured lines on standard error. Lines are buffered and written together: a write per request would cost more than the request.

export interface Log extends Disposable {
  isEnabled(level: LogLevel): boolean
  error(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  debug(message: string, fields?: Record<string, unknown>): void
  request(line: RequestLine): void
  /** Writes the buffered lines at once. */
  flush(): void
}

const FLUSH_AFTER_MS = 100
const BUFFER_BYTES = 32 * 1024

/** `text` is for people at a terminal, `json` for log collectors. */
type LogStyle = 'text' | 'json'

export function createLog({
  level,
  write,
  clock = systemClock,
  style = !write && process.stderr.isTTY ? 'text' : 'json',
}: {
  level: LogLevel
  /** undefined: standard error. */
  write?: (lines: string) => void
  clock?: Clock
  /** undefined: text where standard error is a terminal, else json. */
  style?: LogStyle
}): Log {
  const rank = LOG_LEVELS.indexOf(level)
  const writeBytes = write ? (lines: Buffer) => write(lines.toString()) : writeToStandardError
  // Stored as bytes: buffered strings would survive a minor garbage collection, and then stay until the next full one.
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  let filled = 0
  let isFlushDue = false

  const flush = () => {
    if (filled === 0) return
    const lines = buffer.subarray(0, filled)
    filled = 0
    writeBytes(lines)
  }
  const collect = (line: string) => {
    const maxBytes = line.length * MAX_BYTES_PER_UNIT
    if (filled + maxBytes > BUFFER_BYTES) flush()
    if (maxBytes > BUFFER_BYTES) return writeBytes(Buffer.from(line))
    filled += buffer.write(line, filled)
    if (isFlushDue) return
    isFlushDue = true
    void clock.sleep(FLUSH_AFTER_MS).then(() => {
      isFlushDue = false
      flush()
    })
  }
  const isEnabled = (messageLevel: LogLevel) =>
    messageLevel !== 'silent' && LOG_LEVELS.indexOf(messageLevel) <= rank
  const at = (messageLevel: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    if (!isEnabled(messageLevel)) return
    const time = clock.now().toISOString()
    if (style === 'text') return collect(toLogText({ time, level: messageLevel, message, fields }))
    // The line may be read on a terminal, and contain untrusted text.
    const line = toVisibleJson(
      JSON.stringify({ time, level: messageLevel, message, ...fields }, toPlainErrors),
    )
    collect(`${line}\n`)
  }

  const isRequestLogged = isEnabled('info')
  const toText = style === 'text' ? toRequestLogText : toRequestJson

  process.on('exit', flush)
  return {
    isEnabled,
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    request(line) {
      if (isRequestLogged) collect(toText(line))
    },
    flush,
    [Symbol.dispose]() {
      process.off('exit', flush)
      flush()
    },
  }
}

/** Nothing in it can control a terminal. */
const toRequestJson = ({ at, id, method, route, path, status, ms, bytes, caller }: RequestLine): string => {
  const fields = { time: at.toISOString(), level: levelOf(status), message: 'request', requestId: id }
  return `${JSON.stringify({ ...fields, method, route, path, status, ms: Math.round(ms * 1000) / 1000, bytes, caller })}\n`
}

const toPlainErrors = (_name: string, value: unknown): unknown =>
  value instanceof Error
    ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
    : value

function writeToStandardError(lines: Buffer): void {
  let rest = lines
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(2, rest))
    } catch (error) {
      // A full pipe is retried; a closed one has no reader.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    }
  }
}
