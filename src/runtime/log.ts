// Structured lines on standard error. Lines are buffered and written together: a write per request would cost more than the request.
import { writeSync } from 'node:fs'
import { toVisibleJson } from '../domain/text/invisible.ts'
import { MAX_BYTES_PER_UNIT } from '../memory/arena.ts'
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
  /** Writes the buffered lines at once. */
  flush(): void
}

const FLUSH_AFTER_MS = 100
const BUFFER_BYTES = 32 * 1024

/** `text` is for people at a terminal, `json` for log collectors. */
export type LogStyle = 'text' | 'json'

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

/** By microseconds. Nearly every response takes less, and formatting a fraction costs more than this lookup. */
const MS_TEXTS = Array.from({ length: 2_048 }, (_, us) => String(us / 1000))

function toMsText(ms: number): string {
  const us = Math.round(ms * 1000)
  return MS_TEXTS[us] ?? String(us / 1000)
}

/**
 * Concatenated by hand, because nothing needs escaping. Under load thirty requests share a millisecond, and most share a route: parts
 * that equal those of the previous line are reused, because every concatenation costs time.
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
