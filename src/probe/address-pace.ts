// How often one machine is asked, by whatever names it goes. An address may be a small server with a hundred names or a delivery
// network with a hundred thousand honest customers: it is asked more often than a host, and no more often than a small server bears.
import type { Clock } from '../runtime/clock.ts'

/** Four hosts' worth: what one machine has in hand at a time. */
export const MAX_PER_ADDRESS = 8
/** Five a second are 18,000 an hour: all customers of a delivery network that a round asks once an hour. */
export const ADDRESS_APART_MS = 200
/** Beyond it those that are idle are forgotten. */
const MAX_IDLE = 1_000

type Crowd = {
  readonly network: string
  inFlight: number
  waiting: number
  /** The next request may not begin before. */
  freeAtMs: number
  freed: PromiseWithResolvers<void>
}

/** Counts by network: an IPv4 address, the first 64 bits of an IPv6 address. A name may lead to several, and counts at each. */
export class AddressPace {
  readonly #clock: Clock
  readonly #crowds = new Map<string, Crowd>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The one that has enough in hand; undefined where none has. */
  fullOf(networks: readonly string[]): Crowd | undefined {
    return this.#known(networks).find(({ inFlight }) => inFlight >= MAX_PER_ADDRESS)
  }

  /** How long they are owed a pause. A clock that was set back keeps nobody waiting for longer than the distance. */
  pauseMs(networks: readonly string[]): number {
    return Math.max(0, ...this.#known(networks).map(crowd => this.#pauseMs(crowd)))
  }

  /** The network with the longest queue, and how long it is likely to take. */
  longest(networks: readonly string[]): { readonly network: string; readonly expectedMs: number } {
    const queues = networks.map(network => {
      const crowd = this.#crowds.get(network)
      if (!crowd) return { network, expectedMs: 0 }
      const ahead = crowd.waiting + (crowd.inFlight >= MAX_PER_ADDRESS ? 1 : 0)
      return { network, expectedMs: this.#pauseMs(crowd) + ahead * ADDRESS_APART_MS }
    })
    return queues.reduce((a, b) => (b.expectedMs > a.expectedMs ? b : a))
  }

  /** For as long as it runs one more is in the queue. */
  async waiting<T>(networks: readonly string[], run: () => Promise<T>): Promise<T> {
    const crowds = networks.map(network => this.#at(network))
    for (const crowd of crowds) crowd.waiting++
    try {
      return await run()
    } finally {
      for (const crowd of crowds) crowd.waiting--
    }
  }

  enter(networks: readonly string[]): void {
    for (const network of networks) {
      const crowd = this.#at(network)
      crowd.inFlight++
      crowd.freeAtMs = this.#clock.now().getTime() + ADDRESS_APART_MS
    }
  }

  leave(networks: readonly string[]): void {
    for (const crowd of this.#known(networks)) {
      crowd.inFlight--
      crowd.freed.resolve()
      crowd.freed = Promise.withResolvers()
    }
  }

  #known(networks: readonly string[]): Crowd[] {
    return networks.flatMap(network => this.#crowds.get(network) ?? [])
  }

  #at(network: string): Crowd {
    const known = this.#crowds.get(network)
    if (known) return known
    if (this.#crowds.size >= MAX_IDLE) this.#forgetIdle()
    const crowd = { network, inFlight: 0, waiting: 0, freeAtMs: 0, freed: Promise.withResolvers<void>() }
    this.#crowds.set(network, crowd)
    return crowd
  }

  #forgetIdle(): void {
    for (const crowd of this.#crowds.values()) {
      const isIdle = crowd.inFlight === 0 && crowd.waiting === 0 && this.#pauseMs(crowd) === 0
      if (isIdle) this.#crowds.delete(crowd.network)
    }
  }

  #pauseMs(crowd: Crowd): number {
    const nowMs = this.#clock.now().getTime()
    crowd.freeAtMs = Math.min(crowd.freeAtMs, nowMs + ADDRESS_APART_MS)
    return Math.max(0, crowd.freeAtMs - nowMs)
  }
}
