// Limits requests to other people's servers: few at a time per host and per address, and never in quick succession.
import { networkOf } from '../../domain/hosts/ip-address.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { HostTable } from '../../store/leases.ts'
import type { ResolvedHost } from './safe-fetch.ts'

const MAX_PER_HOST = 2
/** How often a host leased by another thread or process is checked. */
const LOOK_EVERY_MS = 200

export type Patience = {
  /** The longest wait. */
  readonly patienceMs: number
  readonly signal?: AbortSignal | undefined
}

export interface HostGate extends AsyncDisposable {
  /**
   * Waits until another request to the host and its addresses may start. Resolves to a function that the caller must call at the end.
   * @throws HostBusy if the wait would be, or was, too long; or the reason of the signal
   */
  enter(host: ResolvedHost, patience: Patience): Promise<() => void>
  /** Leases the hosts that will be requested next, unless the first is leased already. @throws if the store is unavailable */
  reserve(hosts: Iterable<string>): Promise<void>
}

/** The host may be requested later; it has not failed. */
export class HostBusy extends Error {
  override readonly name = 'HostBusy'
  constructor(
    /** A host, or an address shared by many. */
    readonly place: string,
    /** Distance between two requests there. */
    readonly apartMs: number,
  ) {
    super(`${place} is busy with other requests.`)
  }
}

/** A trailing dot only marks a fully qualified name. */
const toName = (host: string) => host.replace(/\.$/, '')

/**
 * One per thread, shared by everything that sends requests to strangers. Among all threads and processes on a store,
 * one at a time holds the lease of a host and counts its requests. Addresses are counted per thread, because only one
 * thread, the one with the rounds, sends requests all day.
 */
export function createHostGate(parts: { readonly hosts: HostTable; readonly clock: Clock }): HostGate {
  const { clock } = parts
  const leases = new HostLeases(parts)
  const pace = new AddressPace(clock)

  function expectedMsAt(name: string): number {
    const host = leases.find(name)
    if (!host) return 0
    const ahead = host.waiting + (host.inFlight >= MAX_PER_HOST ? 1 : 0)
    return leases.pauseMs(host) + ahead * APART_MS
  }

  /** Ends early with the event or the signal. */
  async function pause(ms: number, signal: AbortSignal | undefined, event?: Promise<void>): Promise<void> {
    const enough = new AbortController()
    const signals = signal ? [signal, enough.signal] : [enough.signal]
    await Promise.race([...(event ? [event] : []), clock.sleep(ms, AbortSignal.any(signals))])
    enough.abort()
  }

  const busy = ({ name }: Host) => new HostBusy(name, APART_MS)
  const addressBusy = (networks: readonly string[]) =>
    new HostBusy(pace.longestQueue(networks).network, ADDRESS_APART_MS)

  /** Checks and takes the slot in one synchronous step, so that two waiting callers cannot both take it. */
  function tryPlace(host: Host, networks: readonly string[]): boolean {
    if (!leases.isOurs(host) || host.inFlight >= MAX_PER_HOST || leases.pauseMs(host) > 0) return false
    if (pace.findFull(networks) || pace.pauseMs(networks) > 0) return false
    host.inFlight++
    host.freeAtMs = clock.now().getTime() + APART_MS
    host.reservedUntilMs = 0
    pace.enter(networks)
    return true
  }

  async function takePlace(host: Host, networks: readonly string[], patience: Patience): Promise<void> {
    const { patienceMs, signal } = patience
    const sinceMs = clock.now().getTime()
    for (;;) {
      signal?.throwIfAborted()
      if (tryPlace(host, networks)) return
      const isOurs = leases.isOurs(host)
      if (!isOurs && host.inFlight === 0 && (await leases.take(host))) continue
      const leftMs = Math.min(sinceMs - clock.now().getTime(), 0) + patienceMs
      const full = pace.findFull(networks)
      const hasCapacity = isOurs && host.inFlight < MAX_PER_HOST
      if (leftMs < 0)
        throw hasCapacity && (full || pace.pauseMs(networks) > 0) ? addressBusy(networks) : busy(host)
      if (hasCapacity && full) await pause(leftMs + 1, signal, full.freed.promise)
      else if (hasCapacity) await pause(Math.max(leases.pauseMs(host), pace.pauseMs(networks)), signal)
      // Requests of the last lease end before the next lease.
      else if (host.inFlight > 0) await pause(leftMs + 1, signal, host.freed.promise)
      else await pause(LOOK_EVERY_MS, signal)
    }
  }

  function leave(host: Host, networks: readonly string[]): void {
    host.inFlight--
    host.freed.resolve()
    host.freed = Promise.withResolvers()
    pace.leave(networks)
  }

  return {
    async enter({ host, addresses }, patience) {
      const name = toName(host)
      const networks = [...new Set(addresses.map(networkOf))]
      if (expectedMsAt(name) > patience.patienceMs) throw new HostBusy(name, APART_MS)
      if (pace.longestQueue(networks).expectedMs > patience.patienceMs) throw addressBusy(networks)
      const lease = leases.at(name)
      lease.waiting++
      try {
        await pace.waiting(networks, () => takePlace(lease, networks, patience))
      } finally {
        lease.waiting--
      }
      let isInside = true
      return () => {
        if (isInside) leave(lease, networks)
        isInside = false
      }
    },
    reserve: hosts => leases.reserve(Iterator.from(hosts).map(toName)),
    [Symbol.asyncDispose]: () => leases[Symbol.asyncDispose](),
  }
}

// The hosts leased by this thread. In the store a lease ends after its last request plus the minimum distance, so the
// next holder needs no history.

export const APART_MS = 1_000
/** Requests may start during this time; then other holders get a turn. */
const USE_MS = 10_000
/** A request ends at most 15 s after `USE_MS`; the rest allows for clock differences and a stalled thread. */
export const LEASE_MS = 40_000
const LEASE_LOOK_EVERY_MS = 1_000
/** Time for other holders to take a lease after a full one of ours. */
const OTHERS_MS = 500

/** The caller maintains the counts. */
type Host = {
  readonly name: string
  inFlight: number
  waiting: number
  /** Earliest start of the next request. */
  freeAtMs: number
  /** Reserved until then, although not in use yet. */
  reservedUntilMs: number
  freed: PromiseWithResolvers<void>
}

type HostLease = Host & {
  /** 0: not leased in the store. */
  untilMs: number
  /** Not leased again before. */
  restsUntilMs: number
}

class HostLeases implements AsyncDisposable {
  readonly #table: HostTable
  readonly #clock: Clock
  readonly #holder = crypto.randomUUID()
  readonly #leases = new Map<string, HostLease>()
  readonly #closing = new AbortController()
  #watching: Promise<void> | undefined
  #lastWrite: Promise<unknown> = Promise.resolve()

  constructor({ hosts, clock }: { readonly hosts: HostTable; readonly clock: Clock }) {
    this.#table = hosts
    this.#clock = clock
  }

  find(name: string): Host | undefined {
    return this.#leases.get(name)
  }

  at(name: string): Host {
    return this.#at(name)
  }

  /** @returns how long to wait before the next request. A clock set back never lengthens the wait beyond the usual distance. */
  pauseMs(host: Host): number {
    const nowMs = this.#nowMs()
    host.freeAtMs = Math.min(host.freeAtMs, nowMs + APART_MS)
    return Math.max(0, host.freeAtMs - nowMs)
  }

  /** Whether this thread may start a request there now. */
  isOurs({ name }: Host): boolean {
    return this.#isAhead(this.#leases.get(name)?.untilMs ?? 0, USE_MS)
  }

  /** Call only without requests in flight there. @returns whether the lease is ours afterwards @throws if the store is unavailable */
  async take(host: Host): Promise<boolean> {
    const lease = this.#at(host.name)
    // Once it has ended in the store, others could have taken it.
    if (!this.#isAhead(lease.untilMs + LEASE_MS - USE_MS, LEASE_MS)) lease.untilMs = 0
    if (lease.untilMs > 0 && !this.isOurs(lease)) {
      lease.restsUntilMs = this.#nowMs() + this.pauseMs(lease) + OTHERS_MS
      await this.#giveBack([lease])
    }
    if (!this.#isAhead(lease.restsUntilMs, APART_MS + OTHERS_MS)) await this.#take([host.name])
    return this.isOurs(lease)
  }

  /** Leases all free ones of these in one write, unless the first is leased already. */
  async reserve(names: Iterator<string>): Promise<void> {
    const { value: first, done } = names.next()
    if (done || this.#leases.has(first)) return
    const others = Iterator.from(names).filter(name => !this.#leases.has(name))
    const taken = await this.#take([...new Set([first, ...others])])
    for (const name of taken) this.#at(name).reservedUntilMs = this.#nowMs() + USE_MS
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#watching
    // Leases with requests in flight, or that cannot be written, expire.
    await this.#giveBack([...this.#leases.values()].filter(isIdle)).catch(() => {})
  }

  #at(name: string): HostLease {
    const existing = this.#leases.get(name)
    if (existing) return existing
    const freed = Promise.withResolvers<void>()
    const counts = { inFlight: 0, waiting: 0, freeAtMs: 0, reservedUntilMs: 0 }
    const lease = { name, ...counts, freed, untilMs: 0, restsUntilMs: 0 }
    this.#leases.set(name, lease)
    this.#watching ??= this.#watch()
    return lease
  }

  /** Serialises writes: a release sent earlier must not undo a later lease. */
  #inOrder<T>(write: () => Promise<T>): Promise<T> {
    const next = this.#lastWrite.then(write)
    this.#lastWrite = next.catch(() => {})
    return next
  }

  #take(names: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#inOrder(async () => {
      const now = this.#clock.now()
      const wanted = names.filter(name => !this.isOurs(this.#at(name)))
      if (wanted.length === 0) return new Set()
      const taken = await this.#table.take(wanted, { holder: this.#holder, now, leaseMs: LEASE_MS })
      for (const name of taken) this.#at(name).untilMs = now.getTime() + USE_MS
      return taken
    })
  }

  /** They stop being ours at once, before the write. */
  async #giveBack(leases: readonly HostLease[]): Promise<void> {
    const now = this.#clock.now()
    const endOf = (lease: HostLease) => new Date(now.getTime() + this.pauseMs(lease))
    const ends = new Map(leases.filter(({ untilMs }) => untilMs > 0).map(lease => [lease.name, endOf(lease)]))
    for (const lease of leases) lease.untilMs = 0
    if (ends.size > 0) await this.#inOrder(() => this.#table.leave(ends, { holder: this.#holder, now }))
  }

  /** Releases idle leases, until none are left. */
  async #watch(): Promise<void> {
    const { signal } = this.#closing
    while (this.#leases.size > 0 && !signal.aborted) {
      await this.#clock.sleep(LEASE_LOOK_EVERY_MS, signal)
      const isReserved = ({ reservedUntilMs }: HostLease) => this.#isAhead(reservedUntilMs, USE_MS)
      const unwanted = [...this.#leases.values()].filter(lease => isIdle(lease) && !isReserved(lease))
      for (const lease of unwanted)
        if (lease.untilMs === 0 && this.pauseMs(lease) === 0) this.#leases.delete(lease.name)
      // Without the store, the leases expire.
      await this.#giveBack(unwanted).catch(() => {})
    }
    this.#watching = undefined
  }

  /** A time further ahead than was ever set comes from a clock that has been set back since. */
  #isAhead(untilMs: number, maxMs: number): boolean {
    const leftMs = untilMs - this.#nowMs()
    return leftMs > 0 && leftMs <= maxMs
  }

  #nowMs(): number {
    return this.#clock.now().getTime()
  }
}

const isIdle = ({ inFlight, waiting }: Host) => inFlight === 0 && waiting === 0

// Limits the request rate per address, whatever host names lead to it. An address may be a small server with a hundred names or a CDN
// with a hundred thousand honest customers: its limit is above that of a host, and below what overloads a small server.

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
class AddressPace {
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
