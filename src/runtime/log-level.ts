// Log levels, and the fields of a logged request.

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** A completed request. Contains no query string and no key: both can be secrets. */
export type RequestLine = {
  readonly at: Date
  /** Contains only characters that need no escaping. */
  readonly id: string
  readonly method: string
  readonly route: string
  /** Contains only characters that need no escaping. */
  readonly path: string
  readonly status: number
  readonly ms: number
  /** undefined if the body is streamed. */
  readonly bytes: number | undefined
  readonly caller: 'key' | 'address'
}

/** 503 (not ready, store unavailable) has log lines of its own; any other 5xx is a fault of ours. */
export const levelOf = (status: number): LogLevel =>
  status === 503 ? 'warn' : status >= 500 ? 'error' : 'info'
