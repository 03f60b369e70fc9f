// Limits requests to other people's servers: few at a time per host and per address, and never in quick succession.

import { networkOf } from '../../domain/hosts/ip-address.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { HostTable } from '../../store/leases.ts'
import { ADDRESS_APART_MS, AddressPace } from './address-pace.ts'
import { APART_MS, type Host, HostLeases } from './host-leases.ts'
import type { ResolvedHost } from './safe-fetch.ts'

export const MAX_PER_HOST = 2
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
