// Limits requests to other people's servers: few at a time per host and per address, and never in quick succession. One gate per
// thread, shared by everything that sends requests to strangers there. Only the thread with the rounds does so all day.
import { networkOf } from '../../domain/hosts/endpoint.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ResolvedHost } from './safe-fetch.ts'

export type Patience = {
  /** The longest wait. */
  readonly patienceMs: number
  readonly signal?: AbortSignal | undefined
}

export interface HostGate {
  /**
   * Waits until another request to the host and its addresses may start. Resolves to a function that the caller must call at the end.
   * @throws HostBusy if the wait would be, or was, too long; or the reason of the signal
   */
  enter(host: ResolvedHost, patience: Patience): Promise<() => void>
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

type Limit = { readonly most: number; readonly apartMs: number }

export const PER_HOST: Limit = { most: 2, apartMs: 1_000 }
/**
 * Per IPv4 address, or the first 64 bits of an IPv6 address, whatever host names lead there. It may be a small server with a hundred
 * names or a CDN with a hundred thousand honest customers: four hosts' worth of concurrent requests, and 18,000 requests an hour, enough
 * to probe every customer of a CDN once an hour.
 */
export const PER_ADDRESS: Limit = { most: 8, apartMs: 200 }

/** Above this number of places, idle ones are dropped. */
const MAX_IDLE = 1_000

type Place = {
  readonly name: string
  readonly limit: Limit
  inFlight: number
  waiting: number
  /** Earliest start of the next request. */
  freeAtMs: number
  freed: PromiseWithResolvers<void>
}

export function createHostGate(clock: Clock): HostGate {
  const places = new Map<string, Place>()
  const nowMs = () => clock.now().getTime()

  function placeAt(kind: 'host' | 'address', name: string): Place {
    const key = `${kind} ${name}`
    const tracked = places.get(key)
    if (tracked) return tracked
    if (places.size >= MAX_IDLE) for (const [each, place] of places) if (isIdle(place)) places.delete(each)
    const limit = kind === 'host' ? PER_HOST : PER_ADDRESS
    const place = { name, limit, inFlight: 0, waiting: 0, freeAtMs: 0, freed: Promise.withResolvers<void>() }
    places.set(key, place)
    return place
  }

  /** A clock set back never lengthens the wait beyond the usual distance. */
  function pauseMs(place: Place): number {
    place.freeAtMs = Math.min(place.freeAtMs, nowMs() + place.limit.apartMs)
    return Math.max(0, place.freeAtMs - nowMs())
  }

  const isFull = ({ inFlight, limit }: Place) => inFlight >= limit.most
  const isIdle = (place: Place) => place.inFlight === 0 && place.waiting === 0 && pauseMs(place) === 0
  const expectedMs = (place: Place) =>
    pauseMs(place) + (place.waiting + (isFull(place) ? 1 : 0)) * place.limit.apartMs
  const busy = ({ name, limit }: Place) => new HostBusy(name, limit.apartMs)

  /** Ends early with the event or the signal. */
  async function sleep(ms: number, signal: AbortSignal | undefined, event?: Promise<void>): Promise<void> {
    const enough = new AbortController()
    const signals = signal ? [signal, enough.signal] : [enough.signal]
    await Promise.race([...(event ? [event] : []), clock.sleep(ms, AbortSignal.any(signals))])
    enough.abort()
  }

  /** Checks and takes the slots in one synchronous step, so that two waiting callers cannot both take one. */
  function tryTake(wanted: readonly Place[]): boolean {
    if (wanted.some(place => isFull(place) || pauseMs(place) > 0)) return false
    for (const place of wanted) {
      place.inFlight++
      place.freeAtMs = nowMs() + place.limit.apartMs
    }
    return true
  }

  async function wait(wanted: readonly Place[], { patienceMs, signal }: Patience): Promise<void> {
    const sinceMs = nowMs()
    do {
      const full = wanted.find(isFull)
      const resting = wanted.toSorted((a, b) => pauseMs(b) - pauseMs(a))[0]!
      const leftMs = Math.min(sinceMs - nowMs(), 0) + patienceMs
      if (leftMs < 0) throw busy(full ?? resting)
      if (full) await sleep(leftMs + 1, signal, full.freed.promise)
      else await sleep(pauseMs(resting), signal)
      signal?.throwIfAborted()
    } while (!tryTake(wanted))
  }

  function leave(wanted: readonly Place[]): void {
    for (const place of wanted) {
      place.inFlight--
      place.freed.resolve()
      place.freed = Promise.withResolvers()
    }
  }

  return {
    async enter({ host, addresses }, patience) {
      const networks = [...new Set(addresses.map(networkOf))]
      // A trailing dot only marks a fully qualified name.
      const wanted = [
        placeAt('host', host.replace(/\.(?=$|:)/, '')),
        ...networks.map(network => placeAt('address', network)),
      ]
      const late = wanted.find(place => expectedMs(place) > patience.patienceMs)
      if (late) throw busy(late)
      patience.signal?.throwIfAborted()
      if (!tryTake(wanted)) {
        for (const place of wanted) place.waiting++
        await wait(wanted, patience).finally(() => {
          for (const place of wanted) place.waiting--
        })
      }
      let isInside = true
      return () => {
        if (isInside) leave(wanted)
        isInside = false
      }
    },
  }
}
