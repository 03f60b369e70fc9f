// The hosts of which this thread has the lease. In the store a lease ends when all its requests have, and not before the next may
// begin: so whoever comes after need not know what was before.
import type { Clock } from '../runtime/clock.ts'
import type { HostTable } from '../store/hosts.ts'

export const APART_MS = 1_000
/** Requests begin within this time; who wants more lets others go first. */
const USE_MS = 10_000
/** What begins last ends 15 s later at most; the rest is for clocks that differ and a thread that stands still. */
export const LEASE_MS = 40_000
const LOOK_EVERY_MS = 1_000
/** After a whole lease others have this long to take theirs. */
const OTHERS_MS = 500

/** Guarded by whoever counts the requests. */
export type Host = {
  readonly name: string
  inFlight: number
  waiting: number
  /** The next request may not begin before. */
  freeAtMs: number
  /** Kept until then although nobody asks yet. */
  keptUntilMs: number
  freed: PromiseWithResolvers<void>
}

type HostLease = Host & {
  /** 0: the store has it not as ours. */
  untilMs: number
  /** Not wanted again before. */
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

  /** How long the host is owed a pause. A clock that was set back keeps nobody waiting for longer than the distance. */
  pauseMs(host: Host): number {
    const nowMs = this.#nowMs()
    host.freeAtMs = Math.min(host.freeAtMs, nowMs + APART_MS)
    return Math.max(0, host.freeAtMs - nowMs)
  }

  /** Whether a request may begin there now, as far as others are concerned. */
  isOurs({ name }: Host): boolean {
    return this.#isAhead(this.#leases.get(name)?.untilMs ?? 0, USE_MS)
  }

  /** Resolves to whether it is ours then. Nothing of ours is under way there. @throws where the store is away */
  async take(host: Host): Promise<boolean> {
    const lease = this.#at(host.name)
    // Where it has ended in the store, others could have had theirs.
    if (!this.#isAhead(lease.untilMs + LEASE_MS - USE_MS, LEASE_MS)) lease.untilMs = 0
    if (lease.untilMs > 0 && !this.isOurs(lease)) {
      lease.restsUntilMs = this.#nowMs() + this.pauseMs(lease) + OTHERS_MS
      await this.#giveBack([lease])
    }
    if (!this.#isAhead(lease.restsUntilMs, APART_MS + OTHERS_MS)) await this.#take([host.name])
    return this.isOurs(lease)
  }

  /** Takes all of these that are free, where the first is not ours yet, and keeps them for a while: one write for many. */
  async reserve(names: Iterator<string>): Promise<void> {
    const { value: first, done } = names.next()
    if (done || this.#leases.has(first)) return
    const others = Iterator.from(names).filter(name => !this.#leases.has(name))
    const taken = await this.#take([...new Set([first, ...others])])
    for (const name of taken) this.#at(name).keptUntilMs = this.#nowMs() + USE_MS
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#watching
    // What is under way elsewhere in the process, or cannot be written, ends by itself.
    await this.#giveBack([...this.#leases.values()].filter(isIdle)).catch(() => {})
  }

  #at(name: string): HostLease {
    const known = this.#leases.get(name)
    if (known) return known
    const freed = Promise.withResolvers<void>()
    const counts = { inFlight: 0, waiting: 0, freeAtMs: 0, keptUntilMs: 0 }
    const lease = { name, ...counts, freed, untilMs: 0, restsUntilMs: 0 }
    this.#leases.set(name, lease)
    this.#watching ??= this.#watch()
    return lease
  }

  /** One write after the other: what is taken again must not be given back by a write that was sent before. */
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

  /** From this step on they are not ours, whenever it is written. */
  async #giveBack(leases: readonly HostLease[]): Promise<void> {
    const now = this.#clock.now()
    const endOf = (lease: HostLease) => new Date(now.getTime() + this.pauseMs(lease))
    const ends = new Map(leases.filter(({ untilMs }) => untilMs > 0).map(lease => [lease.name, endOf(lease)]))
    for (const lease of leases) lease.untilMs = 0
    if (ends.size > 0) await this.#inOrder(() => this.#table.leave(ends, { holder: this.#holder, now }))
  }

  /** Gives back what nobody here wants any more, as long as there is something. */
  async #watch(): Promise<void> {
    const { signal } = this.#closing
    while (this.#leases.size > 0 && !signal.aborted) {
      await this.#clock.sleep(LOOK_EVERY_MS, signal)
      const isKept = ({ keptUntilMs }: HostLease) => this.#isAhead(keptUntilMs, USE_MS)
      const unwanted = [...this.#leases.values()].filter(lease => isIdle(lease) && !isKept(lease))
      for (const lease of unwanted)
        if (lease.untilMs === 0 && this.pauseMs(lease) === 0) this.#leases.delete(lease.name)
      // A store that is away cannot be told; the leases end by themselves.
      await this.#giveBack(unwanted).catch(() => {})
    }
    this.#watching = undefined
  }

  /** A time further ahead than it was ever set was set by a clock that has gone back since. */
  #isAhead(untilMs: number, mostMs: number): boolean {
    const leftMs = untilMs - this.#nowMs()
    return leftMs > 0 && leftMs <= mostMs
  }

  #nowMs(): number {
    return this.#clock.now().getTime()
  }
}

const isIdle = ({ inFlight, waiting }: Host) => inFlight === 0 && waiting === 0
