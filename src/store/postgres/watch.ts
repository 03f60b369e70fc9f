// Other processes notify of their commits by NOTIFY; the last seq is polled every second, in case a notification is lost or the engine
// has none.
import type { Clock } from '../../runtime/clock.ts'
import type { Seq } from '../store.ts'
import { CommitWatch } from '../watch.ts'
import { PostgresConnector } from './connector.ts'
import type { PostgresAddress } from './link.ts'
import { type Capabilities, CHANNEL } from './open.ts'

const POLL_MS = 1_000
/** Polls in a row that may find new seqs before notifications are considered broken: one may be in transit. */
const SILENT_POLLS = 3

type WatchOptions = {
  readonly address: PostgresAddress
  readonly capabilities: Capabilities
  readonly clock: Clock
  readonly lastSeq: () => Promise<Seq>
  readonly onLacking: (sentence: string) => void
}

export class PostgresWatch extends CommitWatch {
  readonly #options: WatchOptions
  /** undefined: the engine has no notifications. */
  readonly #listener: PostgresConnector | undefined
  #isListening = false
  /** Polls that found new seqs while no notification has ever arrived. */
  #silentPolls = 0

  constructor(options: WatchOptions) {
    super()
    this.#options = options
    const { address, capabilities, clock } = options
    if (!capabilities.canNotify) return
    this.#listener = new PostgresConnector({
      address,
      clock,
      role: 'primary',
      connections: 1,
      onNotify: payload => {
        this.#silentPolls = Number.NEGATIVE_INFINITY
        this.reached(Number(payload))
      },
      onLost: () => {
        this.#isListening = false
        // Followers notice the lost store at once, not only at the next write.
        this.notify()
      },
    })
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]()
    await this.#listener?.[Symbol.asyncDispose]()
  }

  protected async poll(signal: AbortSignal): Promise<void> {
    const { clock, lastSeq } = this.#options
    while (!signal.aborted) {
      const wasListening = this.#isListening
      // LISTEN before the poll, so that no commit is missed in between.
      await this.#listen().catch(() => {})
      try {
        if (this.reached(await lastSeq()) && wasListening) this.#noteSilence()
      } catch {
        // A broken network may go unnoticed on the listening connection.
        this.#listener?.drop()
        this.notify()
      }
      await clock.sleep(POLL_MS, signal)
    }
  }

  async #listen(): Promise<void> {
    if (this.#isListening || !this.#listener) return
    const link = await this.#listener.link()
    await link.query(`LISTEN ${CHANNEL}`)
    this.#isListening = true
  }

  /** A proxy may swallow notifications, as a pooler in transaction mode does. */
  #noteSilence(): void {
    if (++this.#silentPolls !== SILENT_POLLS) return
    this.#options.onLacking(
      'Its notifications do not arrive: writes of other processes are found by polling every second.',
    )
  }
}
