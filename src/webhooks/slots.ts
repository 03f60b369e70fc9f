// Limits the messages in flight to one host and to one address, however many webhooks and host names lead there.
import { networkOf } from '../domain/hosts/ip-address.ts'
import type { WebhookPool as Pool } from '../domain/webhooks.ts'
import type { ResolvedHost } from '../probe/requests/safe-fetch.ts'

/** A receiver that has not responded by then is slow. */
export const PROMPT_MS = 2_000

/** Limits per host and per address. A CDN has many legitimate receivers at one address, so an address may have more. */
const MAX_IN_FLIGHT: Readonly<Record<'host' | 'address', Readonly<Record<Pool, number>>>> = {
  host: { challenge: 1, prompt: 8, slow: 4 },
  address: { challenge: 2, prompt: 16, slow: 8 },
}
/** A prompt message that becomes slow counts as slow, so the total needs a limit of its own. */
const totalOf = (limits: Readonly<Record<Pool, number>>) => limits.challenge + limits.prompt + limits.slow
export const MAX_PER_HOST = totalOf(MAX_IN_FLIGHT.host)
export const MAX_PER_ADDRESS = totalOf(MAX_IN_FLIGHT.address)

type Message = { readonly pool: Pool; readonly sinceMs: number }

export class Slots {
  readonly #inFlight = new Map<string, Set<Message>>()

  /** Returns a function that must be called at the end; undefined if the host or the address is at its limit. */
  enter({ host, addresses }: ResolvedHost, pool: Pool, now: Date): (() => void) | undefined {
    const networks = new Set(addresses.map(networkOf))
    const keys = [
      ['host', `host ${host.replace(/\.$/, '')}`],
      ...[...networks].map(network => ['address', `address ${network}`] as const),
    ] as const
    const nowMs = now.getTime()
    if (keys.some(([kind, key]) => this.#isFull(key, MAX_IN_FLIGHT[kind], pool, nowMs))) return undefined
    const message = { pool, sinceMs: nowMs }
    for (const [, key] of keys) this.#inFlight.getOrInsertComputed(key, () => new Set()).add(message)
    return () => {
      for (const [, key] of keys) this.#leave(key, message)
    }
  }

  #isFull(key: string, limits: Readonly<Record<Pool, number>>, pool: Pool, nowMs: number): boolean {
    const messages = [...(this.#inFlight.get(key) ?? [])]
    if (messages.length >= totalOf(limits)) return true
    const isOverdue = ({ sinceMs }: Message) => nowMs - sinceMs >= PROMPT_MS
    const poolOf = (message: Message) =>
      message.pool === 'prompt' && isOverdue(message) ? 'slow' : message.pool
    return messages.filter(message => poolOf(message) === pool).length >= limits[pool]
  }

  #leave(key: string, message: Message): void {
    const messages = this.#inFlight.get(key)
    messages?.delete(message)
    if (messages?.size === 0) this.#inFlight.delete(key)
  }
}
