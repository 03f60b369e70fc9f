// Opens a link on demand, finds the primary among several hosts, and backs off exponentially after failures.

import { DirectoryError } from '../../domain/errors.ts'
import { verbatim } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import { ConnectionTrouble, type PostgresAddress, type PostgresHost, PostgresLink } from './link.ts'

/** During the back-off, calls fail at once with the last error instead of waiting for another. */
const BACK_OFF_MS = { min: 50, max: 2_000 }

export type ConnectorOptions = {
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
