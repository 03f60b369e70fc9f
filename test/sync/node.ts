// A directory that can be stopped and started again at the same address, and can follow others.

import { type Config, readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import { type App, openApp } from '../../src/app/server.ts'
import { accountOf } from '../../src/domain/chains/addresses.ts'
import { deriveId } from '../../src/domain/ids.ts'
import type { Service } from '../../src/domain/listing/service.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { SyncBounds, SyncProgress } from '../../src/sync/source-reader.ts'
import { sharedEmbedder } from '../embedder.ts'
import { freePort } from '../free-port.ts'
import { temporaryPath } from '../store/temporary-path.ts'

export const draft = (name: string, price = '0.01') => ({
  name,
  description: `${name}, described.`,
  endpoint: `https://${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.example/v1`,
  category: 'data',
  pricing: { currency: 'USDC', pricePerRequest: price, freeQuota: 5 },
  x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base' },
})

/** Runs like any other, but days can pass between two steps of a test. */
export class LeapingClock implements Clock {
  #ahead = 0

  now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal)
  }

  leap(ms: number): void {
    this.#ahead += ms
  }
}

export class Node implements AsyncDisposable {
  readonly #config: Config
  #app: App | undefined
  /** Of what is read from a source, where a test needs smaller ones. */
  bounds: SyncBounds | undefined
  /** May do everything. */
  key = ''

  readonly #clock: Clock

  private constructor(settings: Record<string, string>, clock: Clock) {
    this.#clock = clock
    this.#config = readConfig(settings)
  }

  static async start(
    name: string,
    databaseUrl = `sqlite:${temporaryPath(`${name}.db`)}`,
    clock: Clock = systemClock,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Node> {
    const settings = {
      DATABASE_URL: databaseUrl,
      DIRECTORY_NAME: name,
      PORT: String(await freePort()),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      PROBE: 'off',
      RATE_LIMIT: '0',
      ALLOW_PRIVATE_ENDPOINTS: 'on',
      ...more,
    }
    const node = new Node(settings, clock)
    await node.#open()
    await using operator = await openOperator(node.#config, { clock })
    const made = await operator.keys.create({ name, scopes: ['register', 'admin'], expiresAt: null })
    node.key = made.key
    return node
  }

  async #open(): Promise<void> {
    // The test itself says when a source is read.
    const options = { clock: this.#clock, embedder: sharedEmbedder(), followsSources: false }
    this.#app = await openApp(this.#config, options)
    await this.#app.caughtUp
  }

  /** @param meanwhile is done while it does not run */
  async restart(meanwhile: () => unknown = () => {}): Promise<void> {
    await this.#app![Symbol.asyncDispose]()
    await meanwhile()
    await this.#open()
  }

  get directory() {
    return this.#app!.directory
  }

  get url(): string {
    return this.#app!.urls[0]!
  }

  get databaseUrl(): string {
    return this.#config.databaseUrl
  }

  /** As the command line does it, beside the running server; resolves when the server shows it. */
  async sync(url: string, onProgress?: SyncProgress) {
    const { bounds } = this
    await using operator = await openOperator(this.#config, { clock: this.#clock, ...(bounds && { bounds }) })
    const report = await operator.sync(url, undefined, onProgress)
    await using store = await openStore(this.databaseUrl, { clock: systemClock })
    const seq = await store.lastSeq()
    while ((await this.directory.health()).seq < seq) await Bun.sleep(2)
    return report
  }

  async sources() {
    await using operator = await openOperator(this.#config, { clock: this.#clock })
    return operator.sources()
  }

  /** A key as a wallet gets it for its signature. */
  async walletKey(address: string): Promise<string> {
    await using operator = await openOperator(this.#config, { clock: this.#clock })
    const wallet = accountOf(address, 'base')!
    const made = await operator.keys.create({ name: address, scopes: ['register'], expiresAt: null, wallet })
    return made.key
  }

  async register(name: string, price?: string): Promise<Service> {
    return (await this.directory.register(draft(name, price), { key: this.key })).service.decode()
  }

  async get(id: string): Promise<Service | undefined> {
    return this.directory.get(id).then(
      service => service.decode(),
      () => undefined,
    )
  }

  /** The id here of what another directory lists. */
  idOf(id: string, source: Node): string {
    return source === this ? id : deriveId(id, source.url)
  }

  /** What is the same in all that follow each other: the export but for id, status and trust, and the rest of the listings. */
  async shared(): Promise<unknown[]> {
    const entries = await Array.fromAsync(this.directory.export())
    const shared = await Promise.all(
      entries.map(async ({ id, trustScore: _, status: __, ...entry }) => {
        const { description, category, pricing } = (await this.get(id))!
        return { ...entry, description, category, pricing }
      }),
    )
    return shared.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app?.[Symbol.asyncDispose]()
  }
}
