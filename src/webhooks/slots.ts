// Bounds how many messages are on their way to one host and to one machine, however many webhooks and names lead there.
import { networkOf } from '../domain/ip-address.ts'
import type { WebhookRoom as Room } from '../domain/webhooks.ts'
import type { Place } from '../probe/safe-fetch.ts'

/** Whoever has not answered by then is slow. */
export const PROMPT_MS = 2_000

/** A delivery network has many honest receivers at one address, so that an address may have more than a host. */
const MOST: Readonly<Record<'host' | 'address', Readonly<Record<Room, number>>>> = {
  host: { challenge: 1, prompt: 8, slow: 4 },
  address: { challenge: 2, prompt: 16, slow: 8 },
}
/** What became slow on its way stays where it is, and counts among the slow: of all together there are no more. */
const totalOf = (most: Readonly<Record<Room, number>>) => most.challenge + most.prompt + most.slow
export const MAX_PER_HOST = totalOf(MOST.host)
export const MAX_PER_ADDRESS = totalOf(MOST.address)

type Message = { readonly room: Room; readonly sinceMs: number }

export class Slots {
  readonly #inFlight = new Map<string, Set<Message>>()

  /** The way to leave, which must be called; undefined where the host or the machine has enough to do. */
  enter({ host, addresses }: Place, room: Room, now: Date): (() => void) | undefined {
    const networks = new Set(addresses.map(networkOf))
    const keys = [
      ['host', `host ${host.replace(/\.$/, '')}`],
      ...[...networks].map(network => ['address', `address ${network}`] as const),
    ] as const
    const nowMs = now.getTime()
    if (keys.some(([kind, key]) => this.#isFull(key, MOST[kind], room, nowMs))) return undefined
    const message = { room, sinceMs: nowMs }
    for (const [, key] of keys) this.#inFlight.getOrInsertComputed(key, () => new Set()).add(message)
    return () => {
      for (const [, key] of keys) this.#leave(key, message)
    }
  }

  #isFull(key: string, most: Readonly<Record<Room, number>>, room: Room, nowMs: number): boolean {
    const messages = [...(this.#inFlight.get(key) ?? [])]
    if (messages.length >= totalOf(most)) return true
    const isOverdue = ({ sinceMs }: Message) => nowMs - sinceMs >= PROMPT_MS
    const roomOf = (message: Message) =>
      message.room === 'prompt' && isOverdue(message) ? 'slow' : message.room
    return messages.filter(message => roomOf(message) === room).length >= most[room]
  }

  #leave(key: string, message: Message): void {
    const messages = this.#inFlight.get(key)
    messages?.delete(message)
    if (messages?.size === 0) this.#inFlight.delete(key)
  }
}
