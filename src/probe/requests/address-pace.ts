// Limits the request rate per address, whatever host names lead to it. An address may be a small server with a hundred names or a CDN
// with a hundred thousand honest customers: its limit is above that of a host, and below what overloads a small server.
import type { Clock } from '../../runtime/clock.ts'

/** Four hosts' worth of concurrent requests. */
export const MAX_PER_ADDRESS = 8
/** Five a second are 18,000 an hour: enough to probe every customer of a CDN once an hour. */
export const ADDRESS_APART_MS = 200
/** Above this number of networks, idle ones are dropped. */
const MAX_IDLE = 1_000

type NetworkLoad = {
  readonly network: string
  inFlight: number
  waiting: number
  /** Earliest start of the next request. */
  freeAtMs: number
  freed: PromiseWithResolvers<void>
}

/**
 * Counts requests per network: an IPv4 address, or the first 64 bits of an IPv6 address. A host name with several
 * addresses counts at each.
 */
export class AddressPace {
  readonly #clock: Clock
  readonly #loads = new Map<string, NetworkLoad>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @returns a network at its limit of concurrent requests; undefined if none is */
  findFull(networks: readonly string[]): NetworkLoad | undefined {
    return this.#tracked(networks).find(({ inFlight }) => inFlight >= MAX_PER_ADDRESS)
  }

  /** @returns how long to wait before the next request. A clock set back never lengthens the wait beyond the usual distance. */
  pauseMs(networks: readonly string[]): number {
    return Math.max(0, ...this.#tracked(networks).map(load => this.#pauseMs(load)))
  }

  /** @returns the network with the longest queue, and its expected waiting time */
  longestQueue(networks: readonly string[]): { readonly network: string; readonly expectedMs: number } {
    const queues = networks.map(network => {
      const load = this.#loads.get(network)
      if (!load) return { network, expectedMs: 0 }
      const ahead = load.waiting + (load.inFlight >= MAX_PER_ADDRESS ? 1 : 0)
      return { network, expectedMs: this.#pauseMs(load) + ahead * ADDRESS_APART_MS }
    })
    return queues.reduce((a, b) => (b.expectedMs > a.expectedMs ? b : a))
  }

  /** Counts the caller as waiting while `run` runs. */
  async waiting<T>(networks: readonly string[], run: () => Promise<T>): Promise<T> {
    const loads = networks.map(network => this.#loadOf(network))
    for (const load of loads) load.waiting++
    try {
      return await run()
    } finally {
      for (const load of loads) load.waiting--
    }
  }

  enter(networks: readonly string[]): void {
    for (const network of networks) {
      const load = this.#loadOf(network)
      load.inFlight++
      load.freeAtMs = this.#clock.now().getTime() + ADDRESS_APART_MS
    }
  }

  leave(networks: readonly string[]): void {
    for (const load of this.#tracked(networks)) {
      load.inFlight--
      load.freed.resolve()
      load.freed = Promise.withResolvers()
    }
  }

  #tracked(networks: readonly string[]): NetworkLoad[] {
    return networks.flatMap(network => this.#loads.get(network) ?? [])
  }

  #loadOf(network: string): NetworkLoad {
    const tracked = this.#loads.get(network)
    if (tracked) return tracked
    if (this.#loads.size >= MAX_IDLE) this.#forgetIdle()
    const load = { network, inFlight: 0, waiting: 0, freeAtMs: 0, freed: Promise.withResolvers<void>() }
    this.#loads.set(network, load)
    return load
  }

  #forgetIdle(): void {
    for (const load of this.#loads.values()) {
      const isIdle = load.inFlight === 0 && load.waiting === 0 && this.#pauseMs(load) === 0
      if (isIdle) this.#loads.delete(load.network)
    }
  }

  #pauseMs(load: NetworkLoad): number {
    const nowMs = this.#clock.now().getTime()
    load.freeAtMs = Math.min(load.freeAtMs, nowMs + ADDRESS_APART_MS)
    return Math.max(0, load.freeAtMs - nowMs)
  }
}
