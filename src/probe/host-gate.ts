// Manners towards other people's servers: few requests at a time to one host and to one machine, and never in quick succession.

import { networkOf } from '../domain/ip-address.ts'
import type { Clock } from '../runtime/clock.ts'
import type { HostTable } from '../store/hosts.ts'
import { ADDRESS_APART_MS, AddressPace } from './address-pace.ts'
import { APART_MS, type Host, HostLeases } from './host-leases.ts'
import type { ResolvedHost } from './safe-fetch.ts'

export const MAX_PER_HOST = 2
/** A host that another thread or process is asking is looked at so often. */
const LOOK_EVERY_MS = 200

export type Patience = {
  /** Nobody waits for longer. */
  readonly patienceMs: number
  readonly signal?: AbortSignal | undefined
}

export interface HostGate extends AsyncDisposable {
  /**
   * Waits until one more request may begin there, by the host's name and by its addresses. Resolves to the way to leave, which must be called.
   * @throws HostBusy where it would wait, or has waited, for too long; or what the signal was raised with
   */
  enter(place: ResolvedHost, patience: Patience): Promise<() => void>
  /** Gets hosts ready that are about to be asked, where the first is not. @throws where the store is away */
  reserve(hosts: Iterable<string>): Promise<void>
}

/** Nobody is to blame: the host may be asked later. */
export class HostBusy extends Error {
  override readonly name = 'HostBusy'
  constructor(
    /** A host, or an address where many lead. */
    readonly place: string,
    /** Between two requests there. */
    readonly apartMs: number,
  ) {
    super(`${place} is being asked by others.`)
  }
}

/** A final dot says only that a name is whole. */
const toName = (host: string) => host.replace(/\.$/, '')

/**
 * One for all who ask strangers in this thread. Over all threads and processes on a store one at a time has the lease of a host,
 * and keeps count of the requests there. What leads to one address is counted in the thread: of the threads that ask strangers
 * all the day, the rounds, there is one.
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

  /** Ends early with the event, or with the signal. */
  async function pause(ms: number, signal: AbortSignal | undefined, event?: Promise<void>): Promise<void> {
    const enough = new AbortController()
    const signals = signal ? [signal, enough.signal] : [enough.signal]
    await Promise.race([...(event ? [event] : []), clock.sleep(ms, AbortSignal.any(signals))])
    enough.abort()
  }

  const busy = ({ name }: Host) => new HostBusy(name, APART_MS)
  const crowded = (networks: readonly string[]) =>
    new HostBusy(pace.longest(networks).network, ADDRESS_APART_MS)

  /** Takes the place of a request in the same step as the look, so that two who wait cannot both see it free. */
  function tryPlace(host: Host, networks: readonly string[]): boolean {
    if (!leases.isOurs(host) || host.inFlight >= MAX_PER_HOST || leases.pauseMs(host) > 0) return false
    if (pace.fullOf(networks) || pace.pauseMs(networks) > 0) return false
    host.inFlight++
    host.freeAtMs = clock.now().getTime() + APART_MS
    host.keptUntilMs = 0
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
      const full = pace.fullOf(networks)
      const hasCapacity = isOurs && host.inFlight < MAX_PER_HOST
      if (leftMs < 0)
        throw hasCapacity && (full || pace.pauseMs(networks) > 0) ? crowded(networks) : busy(host)
      if (hasCapacity && full) await pause(leftMs + 1, signal, full.freed.promise)
      else if (hasCapacity) await pause(Math.max(leases.pauseMs(host), pace.pauseMs(networks)), signal)
      // What began within the last lease is let out before the next.
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
      if (pace.longest(networks).expectedMs > patience.patienceMs) throw crowded(networks)
      const place = leases.at(name)
      place.waiting++
      try {
        await pace.waiting(networks, () => takePlace(place, networks, patience))
      } finally {
        place.waiting--
      }
      let isInside = true
      return () => {
        if (isInside) leave(place, networks)
        isInside = false
      }
    },
    reserve: hosts => leases.reserve(Iterator.from(hosts).map(toName)),
    [Symbol.asyncDispose]: () => leases[Symbol.asyncDispose](),
  }
}
