// Structured lines on standard error. Lines are collected and written together: a write per request would cost more than the request.
import { writeSync } from 'node:fs'
import { toVisibleJson } from '../domain/unseen.ts'
import { MAX_BYTES_PER_UNIT } from '../memory/utf8.ts'
import { type Clock, systemClock } from './clock.ts'
import { LOG_LEVELS, type LogLevel, levelOf, type RequestLine } from './log-level.ts'
import { toLogText, toRequestLogText } from './log-text.ts'

export interface Log extends Disposable {
  isEnabled(level: LogLevel): boolean
  error(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  debug(message: string, fields?: Record<string, unknown>): void
  request(line: RequestLine): void
  /** Writes what is collected, at once. */
  flush(): void
}

const FLUSH_AFTER_MS = 100
const BUFFER_BYTES = 32 * 1024

/** `text` is for who sits before a terminal, `json` for whatever gathers logs. */
export type LogStyle = 'text' | 'json'

export function createLog({
  level,
  write,
  clock = systemClock,
  style = !write && process.stderr.isTTY ? 'text' : 'json',
}: {
  level: LogLevel
  /** undefined: to standard error. */
  write?: (lines: string) => void
  clock?: Clock
  /** undefined: as standard error is a terminal or not. */
  style?: LogStyle
}): Log {
  const rank = LOG_LEVELS.indexOf(level)
  const writeBytes = write ? (lines: Buffer) => write(lines.toString()) : writeToStandardError
  // Bytes at once: texts that wait for each other outlive a collection, and then stay until the next full one.
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
    const most = line.length * MAX_BYTES_PER_UNIT
    if (filled + most > BUFFER_BYTES) flush()
    if (most > BUFFER_BYTES) return writeBytes(Buffer.from(line))
    filled += buffer.write(line, filled)
    if (isFlushDue) return
    isFlushDue = true
    void clock.sleep(FLUSH_AFTER_MS).then(() => {
      isFlushDue = false
      flush()
    })
  }
  const isEnabled = (wanted: LogLevel) => wanted !== 'silent' && LOG_LEVELS.indexOf(wanted) <= rank
  const at = (wanted: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    if (!isEnabled(wanted)) return
    const time = clock.now().toISOString()
    if (style === 'text') return collect(toLogText({ time, level: wanted, message, fields }))
    // It may be read on a terminal, and hold what strangers wrote.
    const line = toVisibleJson(JSON.stringify({ time, level: wanted, message, ...fields }, tellErrors))
    collect(`${line}\n`)
  }

  const isRequestLogged = isEnabled('info')
  const toText = style === 'text' ? toRequestLogText : createRequestText()

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

/** By microseconds. Nearly every answer is made in so few, and writing out a fraction costs more than finding its text. */
const MS_TEXTS = Array.from({ length: 2_048 }, (_, us) => String(us / 1000))

function toMsText(ms: number): string {
  const us = Math.round(ms * 1000)
  return MS_TEXTS[us] ?? String(us / 1000)
}

/**
 * By hand: nothing in it needs escaping. Thirty requests share a millisecond under load, and most a route: what the line
 * before had is not put together again, since each piece of a text costs.
 */
function createRequestText(): (line: RequestLine) => string {
  let lastMs = Number.NaN
  let lastLevel = ''
  let head = ''
  let lastMethod = ''
  let lastRoute = ''
  let middle = ''

  return ({ at, id, method, route, path, status, ms, bytes, caller }) => {
    const level = levelOf(status)
    if (at.getTime() !== lastMs || level !== lastLevel) {
      lastMs = at.getTime()
      lastLevel = level
      head = `{"time":"${at.toISOString()}","level":"${level}","message":"request","requestId":"`
    }
    if (method !== lastMethod || route !== lastRoute) {
      lastMethod = method
      lastRoute = route
      middle = `","method":"${method}","route":"${route}","path":"`
    }
    const size = bytes === undefined ? '' : `,"bytes":${bytes}`
    const tail = caller === 'key' ? ',"caller":"key"}\n' : ',"caller":"address"}\n'
    return `${head}${id}${middle}${path}","status":${status},"ms":${toMsText(ms)}${size}${tail}`
  }
}

const tellErrors = (_name: string, value: unknown): unknown =>
  value instanceof Error
    ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
    : value

function writeToStandardError(lines: Buffer): void {
  let rest = lines
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(2, rest))
    } catch (error) {
      // A full pipe is tried again; a closed one has no reader left to tell.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    }
  }
}
