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
    /** Or an address, which many hosts may share. */
    readonly host: string,
    /** Distance between two requests there. */
    readonly apartMs: number,
  ) {
    super(`${host} is busy with other requests.`)
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

/** Above this number of queues, idle ones are dropped. */
const MAX_IDLE = 1_000

type Queue = {
  readonly name: string
  readonly limit: Limit
  inFlight: number
  waiting: number
  /** Earliest start of the next request. */
  freeAtMs: number
  freed: PromiseWithResolvers<void>
}

export function createHostGate(clock: Clock): HostGate {
  const queues = new Map<string, Queue>()
  const nowMs = () => clock.now().getTime()

  function queueOf(kind: 'host' | 'address', name: string): Queue {
    const key = `${kind} ${name}`
    const tracked = queues.get(key)
    if (tracked) return tracked
    if (queues.size >= MAX_IDLE) for (const [each, queue] of queues) if (isIdle(queue)) queues.delete(each)
    const limit = kind === 'host' ? PER_HOST : PER_ADDRESS
    const queue = { name, limit, inFlight: 0, waiting: 0, freeAtMs: 0, freed: Promise.withResolvers<void>() }
    queues.set(key, queue)
    return queue
  }

  /** A clock set back never lengthens the wait beyond the usual distance. */
  function pauseMs(queue: Queue): number {
    queue.freeAtMs = Math.min(queue.freeAtMs, nowMs() + queue.limit.apartMs)
    return Math.max(0, queue.freeAtMs - nowMs())
  }

  const isFull = ({ inFlight, limit }: Queue) => inFlight >= limit.most
  const isIdle = (queue: Queue) => queue.inFlight === 0 && queue.waiting === 0 && pauseMs(queue) === 0
  const expectedMs = (queue: Queue) =>
    pauseMs(queue) + (queue.waiting + (isFull(queue) ? 1 : 0)) * queue.limit.apartMs
  const busy = ({ name, limit }: Queue) => new HostBusy(name, limit.apartMs)

  /** Ends early with the event or the signal. */
  async function sleep(ms: number, signal: AbortSignal | undefined, event?: Promise<void>): Promise<void> {
    const enough = new AbortController()
    const signals = signal ? [signal, enough.signal] : [enough.signal]
    await Promise.race([...(event ? [event] : []), clock.sleep(ms, AbortSignal.any(signals))])
    enough.abort()
  }

  /** Checks and takes the slots in one synchronous step, so that two waiting callers cannot both take one. */
  function tryTake(wanted: readonly Queue[]): boolean {
    if (wanted.some(queue => isFull(queue) || pauseMs(queue) > 0)) return false
    for (const queue of wanted) {
      queue.inFlight++
      queue.freeAtMs = nowMs() + queue.limit.apartMs
    }
    return true
  }

  async function wait(wanted: readonly Queue[], { patienceMs, signal }: Patience): Promise<void> {
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

  function leave(wanted: readonly Queue[]): void {
    for (const queue of wanted) {
      queue.inFlight--
      queue.freed.resolve()
      queue.freed = Promise.withResolvers()
    }
  }

  return {
    async enter({ host, addresses }, patience) {
      const networks = [...new Set(addresses.map(networkOf))]
      // A trailing dot only marks a fully qualified name.
      const wanted = [
        queueOf('host', host.replace(/\.(?=$|:)/, '')),
        ...networks.map(network => queueOf('address', network)),
      ]
      const late = wanted.find(queue => expectedMs(queue) > patience.patienceMs)
      if (late) throw busy(late)
      patience.signal?.throwIfAborted()
      if (!tryTake(wanted)) {
        for (const queue of wanted) queue.waiting++
        await wait(wanted, patience).finally(() => {
          for (const queue of wanted) queue.waiting--
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
