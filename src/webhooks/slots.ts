// Bounds how many messages are on their way to one host and to one machine, however many webhooks and names lead there.
import { networkOf } from '../domain/ip-address.ts'
import type { WebhookPool as Pool } from '../domain/webhooks.ts'
import type { ResolvedHost } from '../probe/safe-fetch.ts'

/** Whoever has not answered by then is slow. */
export const PROMPT_MS = 2_000

/** A delivery network has many honest receivers at one address, so that an address may have more than a host. */
const MOST: Readonly<Record<'host' | 'address', Readonly<Record<Pool, number>>>> = {
  host: { challenge: 1, prompt: 8, slow: 4 },
  address: { challenge: 2, prompt: 16, slow: 8 },
}
/** What became slow on its way stays where it is, and counts among the slow: of all together there are no more. */
const totalOf = (most: Readonly<Record<Pool, number>>) => most.challenge + most.prompt + most.slow
export const MAX_PER_HOST = totalOf(MOST.host)
export const MAX_PER_ADDRESS = totalOf(MOST.address)

type Message = { readonly pool: Pool; readonly sinceMs: number }

export class Slots {
  readonly #inFlight = new Map<string, Set<Message>>()

  /** The way to leave, which must be called; undefined where the host or the machine has enough to do. */
  enter({ host, addresses }: ResolvedHost, pool: Pool, now: Date): (() => void) | undefined {
    const networks = new Set(addresses.map(networkOf))
    const keys = [
      ['host', `host ${host.replace(/\.$/, '')}`],
      ...[...networks].map(network => ['address', `address ${network}`] as const),
    ] as const
    const nowMs = now.getTime()
    if (keys.some(([kind, key]) => this.#isFull(key, MOST[kind], pool, nowMs))) return undefined
    const message = { pool, sinceMs: nowMs }
    for (const [, key] of keys) this.#inFlight.getOrInsertComputed(key, () => new Set()).add(message)
    return () => {
      for (const [, key] of keys) this.#leave(key, message)
    }
  }

  #isFull(key: string, most: Readonly<Record<Pool, number>>, pool: Pool, nowMs: number): boolean {
    const messages = [...(this.#inFlight.get(key) ?? [])]
    if (messages.length >= totalOf(most)) return true
    const isOverdue = ({ sinceMs }: Message) => nowMs - sinceMs >= PROMPT_MS
    const poolOf = (message: Message) =>
      message.pool === 'prompt' && isOverdue(message) ? 'slow' : message.pool
    return messages.filter(message => poolOf(message) === pool).length >= most[pool]
  }

  #leave(key: string, message: Message): void {
    const messages = this.#inFlight.get(key)
    messages?.delete(message)
    if (messages?.size === 0) this.#inFlight.delete(key)
  }
}
