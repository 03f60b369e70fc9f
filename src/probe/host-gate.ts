// Manners towards other people's servers: few requests at a time to one host, and never in quick succession.
import type { Clock } from '../clock.ts'
import type { HostTable } from '../store/hosts.ts'
import { APART_MS, type Host, HostTurns } from './host-turns.ts'

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
   * Waits until one more request may begin at the host. Resolves to the way to leave, which must be called.
   * @throws HostBusy where it would wait, or has waited, for too long; or what the signal was raised with
   */
  enter(host: string, patience: Patience): Promise<() => void>
  /** Gets hosts ready that are about to be asked, where the first is not. @throws where the store is away */
  reserve(hosts: Iterable<string>): Promise<void>
}

/** Nobody is to blame: the host may be asked later. */
export class HostBusy extends Error {
  override readonly name = 'HostBusy'
  constructor(readonly host: string) {
    super(`${host} is being asked by others.`)
  }
}

/** A final dot says only that a name is whole. */
const toName = (host: string) => host.replace(/\.$/, '')

/**
 * One for all who ask strangers in this thread. Over all threads and processes on a store one at a time has its turn at a host,
 * and keeps count of the requests there.
 */
export function createHostGate(parts: { readonly hosts: HostTable; readonly clock: Clock }): HostGate {
  const { clock } = parts
  const turns = new HostTurns(parts)

  function expectedMs(name: string): number {
    const host = turns.find(name)
    if (!host) return 0
    const ahead = host.waiting + (host.inFlight >= MAX_PER_HOST ? 1 : 0)
    return turns.pauseMs(host) + ahead * APART_MS
  }

  /** Ends early with the event, or with the signal. */
  async function pause(ms: number, signal: AbortSignal | undefined, event?: Promise<void>): Promise<void> {
    const enough = new AbortController()
    const signals = signal ? [signal, enough.signal] : [enough.signal]
    await Promise.race([...(event ? [event] : []), clock.sleep(ms, AbortSignal.any(signals))])
    enough.abort()
  }

  async function takePlace(host: Host, { patienceMs, signal }: Patience): Promise<void> {
    const sinceMs = clock.now().getTime()
    for (;;) {
      signal?.throwIfAborted()
      const nowMs = clock.now().getTime()
      const isOurs = turns.isOurs(host)
      const isRoom = isOurs && host.inFlight < MAX_PER_HOST
      // In the same step as the look, so that two who wait cannot both see the place free.
      if (isRoom && turns.pauseMs(host) === 0) {
        host.inFlight++
        host.freeAtMs = nowMs + APART_MS
        host.keptUntilMs = 0
        return
      }
      if (!isOurs && host.inFlight === 0 && (await turns.take(host))) continue
      const leftMs = Math.min(sinceMs - nowMs, 0) + patienceMs
      if (leftMs < 0) throw new HostBusy(host.name)
      if (isRoom) await pause(turns.pauseMs(host), signal)
      // What began within the last turn is let out before the next.
      else if (host.inFlight > 0) await pause(leftMs + 1, signal, host.freed.promise)
      else await pause(LOOK_EVERY_MS, signal)
    }
  }

  function leave(host: Host): void {
    host.inFlight--
    host.freed.resolve()
    host.freed = Promise.withResolvers()
  }

  return {
    async enter(host, patience) {
      const name = toName(host)
      if (expectedMs(name) > patience.patienceMs) throw new HostBusy(name)
      const place = turns.at(name)
      place.waiting++
      try {
        await takePlace(place, patience)
      } finally {
        place.waiting--
      }
      let isInside = true
      return () => {
        if (isInside) leave(place)
        isInside = false
      }
    },
    reserve: hosts => turns.reserve(Iterator.from(hosts).map(toName)),
    [Symbol.asyncDispose]: () => turns[Symbol.asyncDispose](),
  }
}
