// The hosts at which this thread has its turn. In the store a turn ends when all its requests have, and not before the next may
// begin: so whoever comes after need not know what was before.
import type { Clock } from '../runtime/clock.ts'
import type { HostTable } from '../store/hosts.ts'

export const APART_MS = 1_000
/** Requests begin within this time; who wants more lets others have their turn first. */
const USE_MS = 10_000
/** What begins last ends 15 s later at most; the rest is for clocks that differ and a thread that stands still. */
export const TURN_MS = 40_000
const LOOK_EVERY_MS = 1_000
/** After a whole turn others have this long to take theirs. */
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

type Turn = Host & {
  /** 0: the store has it not as ours. */
  untilMs: number
  /** Not wanted again before. */
  restsUntilMs: number
}

export class HostTurns implements AsyncDisposable {
  readonly #table: HostTable
  readonly #clock: Clock
  readonly #holder = crypto.randomUUID()
  readonly #turns = new Map<string, Turn>()
  readonly #closing = new AbortController()
  #watching: Promise<void> | undefined
  #lastWrite: Promise<unknown> = Promise.resolve()

  constructor({ hosts, clock }: { readonly hosts: HostTable; readonly clock: Clock }) {
    this.#table = hosts
    this.#clock = clock
  }

  find(name: string): Host | undefined {
    return this.#turns.get(name)
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
    return this.#isAhead(this.#turns.get(name)?.untilMs ?? 0, USE_MS)
  }

  /** Resolves to whether it is ours then. Nothing of ours is under way there. @throws where the store is away */
  async take(host: Host): Promise<boolean> {
    const turn = this.#at(host.name)
    // Where it has ended in the store, others could have had theirs.
    if (!this.#isAhead(turn.untilMs + TURN_MS - USE_MS, TURN_MS)) turn.untilMs = 0
    if (turn.untilMs > 0 && !this.isOurs(turn)) {
      turn.restsUntilMs = this.#nowMs() + this.pauseMs(turn) + OTHERS_MS
      await this.#giveBack([turn])
    }
    if (!this.#isAhead(turn.restsUntilMs, APART_MS + OTHERS_MS)) await this.#take([host.name])
    return this.isOurs(turn)
  }

  /** Takes all of these that are free, where the first is not ours yet, and keeps them for a while: one write for many. */
  async reserve(names: Iterator<string>): Promise<void> {
    const { value: first, done } = names.next()
    if (done || this.#turns.has(first)) return
    const others = Iterator.from(names).filter(name => !this.#turns.has(name))
    const taken = await this.#take([...new Set([first, ...others])])
    for (const name of taken) this.#at(name).keptUntilMs = this.#nowMs() + USE_MS
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#watching
    // What is under way elsewhere in the process, or cannot be written, ends by itself.
    await this.#giveBack([...this.#turns.values()].filter(isIdle)).catch(() => {})
  }

  #at(name: string): Turn {
    const known = this.#turns.get(name)
    if (known) return known
    const freed = Promise.withResolvers<void>()
    const counts = { inFlight: 0, waiting: 0, freeAtMs: 0, keptUntilMs: 0 }
    const turn = { name, ...counts, freed, untilMs: 0, restsUntilMs: 0 }
    this.#turns.set(name, turn)
    this.#watching ??= this.#watch()
    return turn
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
      const taken = await this.#table.take(wanted, { holder: this.#holder, now, leaseMs: TURN_MS })
      for (const name of taken) this.#at(name).untilMs = now.getTime() + USE_MS
      return taken
    })
  }

  /** From this step on they are not ours, whenever it is written. */
  async #giveBack(turns: readonly Turn[]): Promise<void> {
    const now = this.#clock.now()
    const endOf = (turn: Turn) => new Date(now.getTime() + this.pauseMs(turn))
    const ends = new Map(turns.filter(({ untilMs }) => untilMs > 0).map(turn => [turn.name, endOf(turn)]))
    for (const turn of turns) turn.untilMs = 0
    if (ends.size > 0) await this.#inOrder(() => this.#table.leave(ends, { holder: this.#holder, now }))
  }

  /** Gives back what nobody here wants any more, as long as there is something. */
  async #watch(): Promise<void> {
    const { signal } = this.#closing
    while (this.#turns.size > 0 && !signal.aborted) {
      await this.#clock.sleep(LOOK_EVERY_MS, signal)
      const isKept = ({ keptUntilMs }: Turn) => this.#isAhead(keptUntilMs, USE_MS)
      const unwanted = [...this.#turns.values()].filter(turn => isIdle(turn) && !isKept(turn))
      for (const turn of unwanted)
        if (turn.untilMs === 0 && this.pauseMs(turn) === 0) this.#turns.delete(turn.name)
      // A store that is away cannot be told; the turns end by themselves.
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
