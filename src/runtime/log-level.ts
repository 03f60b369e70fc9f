// How bad something is that the log tells, and what it tells of a request.

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** One answered request. Holds no query string and no key: both can be secrets. */
export type RequestLine = {
  readonly at: Date
  /** Of characters that need no escaping. */
  readonly id: string
  readonly method: string
  readonly route: string
  /** Of characters that need no escaping. */
  readonly path: string
  readonly status: number
  readonly ms: number
  /** undefined where the body is streamed. */
  readonly bytes: number | undefined
  readonly caller: 'key' | 'address'
}

/** Not being ready yet, or the store being away, is told by its own lines; a fault of ours is an error. */
export const levelOf = (status: number): LogLevel =>
  status === 503 ? 'warn' : status >= 500 ? 'error' : 'info'
