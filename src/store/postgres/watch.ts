// Other processes notify of their commits by NOTIFY; the last seq is polled every second, in case a notification is lost, or a pooler
// delivers none.
import type { Clock } from '../../runtime/clock.ts'
import type { Seq } from '../store.ts'
import { CommitWatch } from '../watch.ts'
import { PostgresConnector } from './connector.ts'
import type { PostgresAddress } from './link.ts'
import { CHANNEL } from './open.ts'

const POLL_MS = 1_000

type WatchOptions = {
  readonly address: PostgresAddress
  readonly clock: Clock
  readonly lastSeq: () => Promise<Seq>
}

export class PostgresWatch extends CommitWatch {
  readonly #options: WatchOptions
  readonly #listener: PostgresConnector
  #isListening = false

  constructor(options: WatchOptions) {
    super()
    this.#options = options
    const { address, clock } = options
    this.#listener = new PostgresConnector({
      address,
      clock,
      connections: 1,
      onNotify: payload => this.reached(Number(payload)),
      onLost: () => {
        this.#isListening = false
        // Followers notice the lost store at once, not only at the next write.
        this.notify()
      },
    })
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]()
    await this.#listener[Symbol.asyncDispose]()
  }

  protected async poll(signal: AbortSignal): Promise<void> {
    const { clock, lastSeq } = this.#options
    while (!signal.aborted) {
      // LISTEN before the poll, so that no commit is missed in between.
      await this.#listen().catch(() => {})
      try {
        this.reached(await lastSeq())
      } catch {
        // A broken network may go unnoticed on the listening connection.
        this.#listener.drop()
        this.notify()
      }
      await clock.sleep(POLL_MS, signal)
    }
  }

  async #listen(): Promise<void> {
    if (this.#isListening) return
    const link = await this.#listener.link()
    await link.query(`LISTEN ${CHANNEL}`)
    this.#isListening = true
  }
}
