// Manners towards other people's servers: few requests at a time to one host, and never in quick succession.
import type { Clock } from '../clock.ts'

export const MAX_PER_HOST = 2
export const APART_MS = 1_000
/** Hosts that are idle again are forgotten when this many are known. */
const SWEEP_AT = 10_000

type Host = { inFlight: number; waiting: number; freeAtMs: number; freed: PromiseWithResolvers<void> }

export interface HostGate {
  /** Waits for its turn. Resolves to the way to leave, which must be called. @throws what the signal was raised with */
  enter(host: string, signal?: AbortSignal): Promise<() => void>
  /** How long whoever enters now waits at least. */
  waitMs(host: string): number
}

/** One for all who ask strangers in this process. */
export function createHostGate(clock: Clock): HostGate {
  const hosts = new Map<string, Host>()

  function hostOf(name: string): Host {
    const known = hosts.get(name)
    if (known) return known
    if (hosts.size >= SWEEP_AT) sweep()
    const host = { inFlight: 0, waiting: 0, freeAtMs: 0, freed: Promise.withResolvers<void>() }
    hosts.set(name, host)
    return host
  }

  function sweep(): void {
    const nowMs = clock.now().getTime()
    for (const [name, { inFlight, waiting, freeAtMs }] of hosts) {
      if (inFlight === 0 && waiting === 0 && freeAtMs <= nowMs) hosts.delete(name)
    }
  }

  /** A clock that was set back must not keep a host closed for longer than the distance. */
  const pauseMs = ({ freeAtMs }: Host): number =>
    Math.min(Math.max(0, freeAtMs - clock.now().getTime()), APART_MS)

  function leave(host: Host): void {
    host.inFlight--
    host.freed.resolve()
    host.freed = Promise.withResolvers()
  }

  async function takeTurn(host: Host, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      if (host.inFlight >= MAX_PER_HOST) await orAborted(host.freed.promise, signal)
      else if (pauseMs(host) > 0) await clock.sleep(pauseMs(host), signal)
      else {
        // In the same step as the look, so that two who wait cannot both see the place free.
        host.inFlight++
        host.freeAtMs = clock.now().getTime() + APART_MS
        return
      }
    }
  }

  return {
    async enter(name, signal) {
      const host = hostOf(name)
      host.waiting++
      try {
        await takeTurn(host, signal)
      } finally {
        host.waiting--
      }
      let isInside = true
      return () => {
        if (isInside) leave(host)
        isInside = false
      }
    },
    waitMs(name) {
      const host = hosts.get(name)
      if (!host) return 0
      const ahead = host.waiting + (host.inFlight >= MAX_PER_HOST ? 1 : 0)
      return pauseMs(host) + ahead * APART_MS
    },
  }
}

function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise
  return new Promise(resolve => {
    const end = () => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    void promise.then(end)
  })
}
