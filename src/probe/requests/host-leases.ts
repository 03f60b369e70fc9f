// The hosts leased by this thread. In the store a lease ends after its last request plus the minimum distance, so the
// next holder needs no history.
import type { Clock } from '../../runtime/clock.ts'
import type { HostTable } from '../../store/leases.ts'

export const APART_MS = 1_000
/** Requests may start during this time; then other holders get a turn. */
const USE_MS = 10_000
/** A request ends at most 15 s after `USE_MS`; the rest allows for clock differences and a stalled thread. */
export const LEASE_MS = 40_000
const LOOK_EVERY_MS = 1_000
/** Time for other holders to take a lease after a full one of ours. */
const OTHERS_MS = 500

/** The caller maintains the counts. */
export type Host = {
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

export class HostLeases implements AsyncDisposable {
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
      await this.#clock.sleep(LOOK_EVERY_MS, signal)
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
