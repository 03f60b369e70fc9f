// Who waits with whom: those that are asked for consent, those that answer at once and those that take their time have rooms of their
// own, so that a crowd in one keeps nobody in another waiting.

import { type WebhookRoom as Room, WEBHOOK_ROOMS } from '../domain/webhooks.ts'
import type { Clock } from '../runtime/clock.ts'
import { PROMPT_MS } from './slots.ts'

/** How many have their turn at a time, and how many of one owner. */
const PLACES: Readonly<Record<Room, { readonly all: number; readonly perOwner: number }>> = {
  challenge: { all: 32, perOwner: 4 },
  prompt: { all: 64, perOwner: 16 },
  slow: { all: 32, perOwner: 4 },
}
/** Who was prompt the last time and is not this time leaves its place to others; of such so many are waited for. */
export const MAX_OVERDUE = 64

/** A turn sends nothing new after this time. Who is prompt has a short turn, so that the next need not wait. */
export const TURN_MS: Readonly<Record<Room, number>> = { challenge: 0, prompt: PROMPT_MS, slow: 5_000 }

export type Stay = {
  /** Raised where it is not waited for any more. */
  readonly signal: AbortSignal
  leave(): void
}

type Guest = { readonly room: Room; readonly sinceMs: number; readonly enough: AbortController }

export class Rooms {
  readonly #clock: Clock
  /** In the order of their coming. */
  readonly #guests = new Set<Guest>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The rooms with places to give, and how many. */
  *free(): Iterable<{ readonly room: Room; readonly limit: number; readonly perOwner: number }> {
    for (const room of WEBHOOK_ROOMS) {
      const { all, perOwner } = PLACES[room]
      const limit = all - this.#inRoom(room).length
      if (limit > 0) yield { room, limit, perOwner }
    }
  }

  enter(room: Room): Stay {
    const guest = { room, sinceMs: this.#nowMs(), enough: new AbortController() }
    this.#guests.add(guest)
    return { signal: guest.enough.signal, leave: () => void this.#guests.delete(guest) }
  }

  /** Ends the longest of the overdue where there are too many. */
  clear(): void {
    const overdue = this.#present(guest => guest.room === 'prompt' && this.#isOverdue(guest))
    const tooMany = overdue.slice(0, Math.max(0, overdue.length - MAX_OVERDUE))
    for (const { enough } of tooMany) enough.abort(new Error('Others have waited for it long enough.'))
  }

  #inRoom(room: Room): Guest[] {
    return this.#present(guest => guest.room === room && !(room === 'prompt' && this.#isOverdue(guest)))
  }

  #present(isOne: (guest: Guest) => boolean): Guest[] {
    return [...this.#guests].filter(isOne)
  }

  #isOverdue({ sinceMs }: Guest): boolean {
    return this.#nowMs() - sinceMs > PROMPT_MS
  }

  #nowMs(): number {
    return this.#clock.now().getTime()
  }
}
