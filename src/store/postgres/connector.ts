// Opens a link when it is needed, finds the primary among several hosts, and waits longer after every failure.

import { isAhead } from '../../domain/ahead.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { PostgresAddress } from './address.ts'
import { ConnectionTrouble } from './errors.ts'
import { PostgresLink } from './link.ts'

/** Whoever asks in between gets the last failure at once instead of waiting for another. */
const BACK_OFF_MS = { first: 50, most: 2_000 }

export type ConnectorOptions = {
  readonly address: PostgresAddress
  /** any: a standby will do, as for reading. */
  readonly role: 'primary' | 'any'
  readonly connections: number
  readonly clock: Clock
  readonly onNotify?: (payload: string) => void
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

  /** The link as it is, or a new one. */
  async link(): Promise<PostgresLink> {
    if (this.#closed) throw new ConnectionTrouble('The connection is closed.')
    if (this.#link && !this.#link.dead) return this.#link
    if (
      this.#failure &&
      isAhead(this.#failure.untilMs, this.#options.clock.now().getTime(), 2 * BACK_OFF_MS.most)
    )
      throw this.#failure.error
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
      const pauseMs = Math.min(BACK_OFF_MS.first * 2 ** this.#failures++, BACK_OFF_MS.most)
      // Nodes that lost the same server do not come back in the same instant.
      const untilMs = this.#options.clock.now().getTime() + pauseMs * (0.75 + Math.random() / 2)
      this.#failure = { error, untilMs }
      throw error
    }
  }

  async #findHost(): Promise<PostgresLink> {
    const { address, role, ...rest } = this.#options
    // A single host is whatever its operator makes it, also a standby that is about to be promoted.
    const isChoosy = role === 'primary' && address.hosts.length > 1
    let failure: unknown = new ConnectionTrouble('No host is the primary.')
    for (const host of address.hosts) {
      const link = new PostgresLink({ ...rest, address, host })
      try {
        const [row] = await link.query('SHOW transaction_read_only')
        if (!isChoosy || row?.[0] === 'off') return link
      } catch (error) {
        failure = error
      }
      link.destroy()
    }
    throw failure
  }
}
