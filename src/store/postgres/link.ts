// A few connections to one server that are closed together: after any connection trouble all are discarded, so that no statement of
// a lost transaction can run on a new connection.
//
// Errors become messages that are safe to publish: no SQL, no address, no password.
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { DirectoryError } from '../../domain/errors.ts'
import { type Message, say, verbatim } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Query, Rows, Value } from '../session.ts'

const AWAY = say('store_away')

/** By SQLSTATE, or by its class, which is the first two characters. */
const MESSAGES: Readonly<Record<string, Message>> = {
  '25006': say('store_read_only'),
  '28': say('store_user_refused'),
  '3D': say('store_database_missing'),
  '42501': say('store_user_not_allowed'),
  '53100': say('store_full'),
  '53': say('store_crowded'),
  '55P03': say('store_busy'),
}

/** SQLSTATE classes of violated constraints, bad values and wrong statements: bugs of this program, not temporary trouble. */
const MISTAKES = /^(0A|21|22|23|42)/

/** A failed or timed-out connection, as opposed to an error that the server returned. */
class ConnectionTrouble extends Error {
  override readonly name = 'ConnectionTrouble'
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

const isServerError = (error: unknown): boolean => error instanceof Error && error.name === 'PostgresError'

/** Whether the connection is lost and must be closed. */
function isConnectionTrouble(error: unknown): boolean {
  if (error instanceof ConnectionTrouble) return true
  if (isServerError(error)) return /^(08|57P0)/.test(codeOf(error))
  return /^(CONNECTION_|CONNECT_|E[A-Z]+$|ERR_)/.test(codeOf(error))
}

/** Whether a retry can succeed: the server is unreachable, starting, or failing over. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionTrouble(error) || (isServerError(error) && /^(25006|53|57|55P03)/.test(codeOf(error)))

export const isKind = (error: unknown, sqlState: string): boolean =>
  isServerError(error) && codeOf(error).startsWith(sqlState)

/** Errors of the engine become `store_unavailable`; errors that the caller threw pass unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!isServerError(error) && !isConnectionTrouble(error)) return error
  const code = codeOf(error)
  // The client attaches statement and values to its errors; the cause keeps only what may be logged.
  const cause = new Error(`${code} ${(error as Error).message}`.trim())
  const message = isServerError(error) ? (MESSAGES[code] ?? MESSAGES[code.slice(0, 2)]) : AWAY
  if (message === undefined && MISTAKES.test(code)) {
    return new Error('The store refused a row that breaks its rules.', { cause })
  }
  return new DirectoryError('store_unavailable', message ?? AWAY, [], { cause })
}

const CONNECT_MS = 3_000
/** Maximum time for a response; a broken network is not reported otherwise. */
const RESPONSE_MS = 10_000
const SCRIPT_MS = 60 * 60 * 1_000
/** Interval of the timeout check: one timer for all statements costs less than one for each. */
const CHECK_MS = 500
const BIGINT = 20

/** A process that vanishes inside a transaction holds the write lock; these timeouts release it within seconds. */
const SERVER_SETTINGS = {
  application_name: 'shirube',
  idle_in_transaction_session_timeout: 5_000,
  lock_timeout: 8_000,
  statement_timeout: 60_000,
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
}

type PostgresHost = {
  readonly host: string
  readonly port: number
  /** Path of a Unix socket; takes precedence over host and port. */
  readonly path?: string
}

export type PostgresAddress = {
  readonly hosts: readonly PostgresHost[]
  /** The same address with a placeholder for the hosts. */
  readonly client: string
}

type LinkOptions = {
  readonly address: PostgresAddress
  readonly host: PostgresHost
  readonly connections: number
  readonly clock: Clock
  readonly onNotify?: (payload: string) => unknown
  readonly onLost?: () => void
}

/** A pending statement. Checks are counted instead of clock time, which may be set back. */
type Pending = { checksLeft: number; readonly reject: (error: unknown) => void }

export class PostgresLink {
  readonly #clock: Clock
  readonly #sockets = new Set<Socket>()
  readonly #onLost: () => void
  readonly #sql: postgres.Sql
  readonly #pending = new Set<Pending>()
  readonly #ended = new AbortController()
  #isChecking = false
  #dead = false

  constructor({ address, host, connections, clock, onNotify, onLost }: LinkOptions) {
    this.#clock = clock
    this.#onLost = onLost ?? (() => {})
    this.#sql = postgres(address.client, {
      // `socket` decides where to connect; the client knows only one host, so it never tries another by itself.
      host: 'localhost',
      port: 5432,
      max: connections,
      fetch_types: false,
      max_lifetime: null,
      idle_timeout: 0,
      connect_timeout: CONNECT_MS / 1_000,
      connection: SERVER_SETTINGS,
      onnotice: () => {},
      onclose: () => this.destroy(),
      types: { bigint: { to: BIGINT, from: [BIGINT], serialize: String, parse: Number } },
      socket: () => this.#openSocket(host),
      ...(onNotify && { onnotify: (_channel: string, payload: string) => onNotify(payload) }),
    } as unknown as postgres.Options<Record<string, postgres.PostgresType>>)
  }

  get dead(): boolean {
    return this.#dead
  }

  /** Statements sent without awaiting in between are pipelined, and run in that order on a single connection. */
  query = ((sql: string, values: readonly Value[] = []) =>
    this.#within(RESPONSE_MS, () => this.#send(sql, values, false))) as Query

  /** Several statements in one text, without values, with a long time limit, as for a migration of large tables. */
  script = (text: string): Promise<Rows> => this.#within(SCRIPT_MS, () => this.#send(text, [], true))

  /** Closes everything now; pending statements fail. */
  destroy(): void {
    if (this.#dead) return
    this.#dead = true
    this.#ended.abort()
    for (const socket of this.#sockets) socket.destroy()
    this.#sql.end({ timeout: 0 }).catch(() => {})
    this.#onLost()
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 1 }).catch(() => {})
    this.destroy()
  }

  #send(text: string, values: readonly Value[], simple: boolean): Promise<Rows> {
    const options = { prepare: !simple, simple } as { prepare: boolean }
    const sent = values.map(value => (typeof value === 'string' ? toText(value) : value))
    return this.#sql.unsafe(text, sent, options).values() as unknown as Promise<Rows>
  }

  async #within(ms: number, work: () => Promise<Rows>): Promise<Rows> {
    if (this.#dead) throw new ConnectionTrouble('The connection was lost.')
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    const pending = { checksLeft: Math.ceil(ms / CHECK_MS) + 1, reject }
    this.#pending.add(pending)
    if (!this.#isChecking) void this.#rejectLate()
    try {
      work().then(resolve, reject)
      return await promise
    } catch (error) {
      // The client throws errors without a code when it writes to a closing connection.
      const hasNoCode = error instanceof Error && (error as { code?: unknown }).code === undefined
      const trouble = hasNoCode ? new ConnectionTrouble(error.message, { cause: error }) : error
      if (isConnectionTrouble(trouble)) this.destroy()
      throw trouble
    } finally {
      this.#pending.delete(pending)
    }
  }

  async #rejectLate(): Promise<void> {
    this.#isChecking = true
    while (this.#pending.size > 0 && !this.#dead) {
      await this.#clock.sleep(CHECK_MS, this.#ended.signal)
      for (const pending of this.#pending) {
        if (--pending.checksLeft > 0) continue
        pending.reject(new ConnectionTrouble('The response timed out.'))
      }
    }
    this.#isChecking = false
  }

  async #openSocket({ host, port, path }: PostgresHost): Promise<Socket> {
    if (this.#dead) throw new ConnectionTrouble('The connection was lost.')
    const socket = path === undefined ? connect({ host, port }) : connect({ path })
    this.#sockets.add(socket)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      // The client does not notice a socket that closes before it has taken it over.
      this.destroy()
    })
    const opened = new AbortController()
    try {
      await Promise.race([
        new Promise<void>((resolve, reject) => {
          socket.once('connect', resolve)
          socket.once('error', reject)
        }),
        this.#clock.sleep(CONNECT_MS, opened.signal).then(() => {
          if (!opened.signal.aborted) throw new ConnectionTrouble('The connection timed out.')
        }),
      ])
    } catch (error) {
      socket.destroy()
      throw error
    } finally {
      opened.abort()
    }
    socket.setNoDelay(true)
    // The client takes the server name for TLS from here.
    return Object.assign(socket, { host })
  }
}

/**
 * PostgreSQL rejects text that contains U+0000, even as a parameter. A caller may look up any id, and must get the result that there is
 * none: no id contains the replacement character.
 */
const toText = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)

// Opens a link on demand, finds the primary among several hosts, and backs off exponentially after failures.

/** During the back-off, calls fail at once with the last error instead of waiting for another. */
const BACK_OFF_MS = { min: 50, max: 2_000 }

type ConnectorOptions = {
  readonly address: PostgresAddress
  readonly connections: number
  readonly clock: Clock
  readonly onNotify?: (payload: string) => unknown
  readonly onLost?: () => void
}

export class PostgresConnector implements AsyncDisposable {
  readonly #options: ConnectorOptions
  #link: PostgresLink | undefined
  #opening: Promise<PostgresLink> | undefined
  #failures = 0
  #failure: { readonly error: unknown; readonly untilMs: number } | undefined
  #closed = false

  constructor(options: ConnectorOptions) {
    this.#options = options
  }

  /** The open link, or a new one. */
  async link(): Promise<PostgresLink> {
    if (this.#closed) throw new ConnectionTrouble('The connection is closed.')
    if (this.#link && !this.#link.dead) return this.#link
    const leftMs = (this.#failure?.untilMs ?? 0) - this.#options.clock.now().getTime()
    // A clock that was set back must not make it wait longer.
    if (this.#failure && leftMs > 0 && leftMs <= 2 * BACK_OFF_MS.max) throw this.#failure.error
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** The next call opens a new link. */
  drop(): void {
    this.#link?.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await this.#opening?.catch(() => {})
    await this.#link?.close()
  }

  async #open(): Promise<PostgresLink> {
    try {
      this.#link = await this.#findHost()
      this.#failures = 0
      this.#failure = undefined
      return this.#link
    } catch (error) {
      const pauseMs = Math.min(BACK_OFF_MS.min * 2 ** this.#failures++, BACK_OFF_MS.max)
      // Jitter: nodes that lost the same server do not all reconnect at once.
      const untilMs = this.#options.clock.now().getTime() + pauseMs * (0.75 + Math.random() / 2)
      this.#failure = { error, untilMs }
      throw error
    }
  }

  async #findHost(): Promise<PostgresLink> {
    const { address, ...rest } = this.#options
    // A single host is accepted in any role, also as a standby that is about to be promoted.
    const needsPrimary = address.hosts.length > 1
    let failure: unknown = new ConnectionTrouble('No host is the primary.')
    for (const host of address.hosts) {
      const link = new PostgresLink({ ...rest, address, host })
      try {
        const [row] = await link.query('SHOW transaction_read_only')
        if (!needsPrimary || row?.[0] === 'off') return link
      } catch (error) {
        failure = error
      }
      link.destroy()
    }
    throw failure
  }
}

const FORM = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]*)?(\?[^#]*)?$/i
const DEFAULT_PORT = 5432

/** @throws DirectoryError `store_unavailable`; the address may contain a password and is not repeated. */
export function readPostgresAddress(text: string): PostgresAddress {
  const [, scheme, user, hosts = '', database = '', query = ''] = FORM.exec(text) ?? []
  const list = hosts.split(',').map(readHost)
  if (scheme === undefined || !list.every(host => host !== undefined) || database.length < 2) {
    throw new DirectoryError(
      'store_unavailable',
      verbatim(
        'The database address cannot be read; write postgres://<user>:<password>@<host>:<port>/<database>.',
      ),
    )
  }
  const account = user === undefined ? '' : `${user}@`
  return { hosts: list, client: `postgres://${account}localhost${database}${query}` }
}

function readHost(text: string): PostgresHost | undefined {
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (text !== '' && host === '') return undefined
  const name = decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')) || 'localhost'
  const number = port === undefined ? DEFAULT_PORT : Number(port)
  return name.startsWith('/')
    ? { host: 'localhost', port: number, path: `${name}/.s.PGSQL.${number}` }
    : { host: name, port: number }
}
