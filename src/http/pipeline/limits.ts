// What one caller can take of a process: cost per minute, requests at a time, and turns of the event loop.
import { DirectoryError } from '../../domain/errors.ts'
import { blockOf } from '../../domain/hosts/endpoint.ts'
import type { Message } from '../../messages/message.ts'

const WINDOW_MS = 60_000
/** A holder of an IPv6 /48 has 65,536 networks, each of which is a caller: together they get as much as this many. */
const CALLERS_IN_BLOCK = 4
const SLOTS = 2 ** 18

export type Allowance = {
  readonly isExceeded: boolean
  readonly remaining: number
  readonly resetSeconds: number
}

export type RateLimiter = {
  readonly policy: string
  /** @param cost in plain reads; what is refused costs nothing */
  take(caller: string, now: Date, cost?: number): Allowance
}

/** Counts in fixed windows of one minute. */
export function createRateLimiter(limit: number): RateLimiter {
  const counters = createCounters()
  let window = -1
  return {
    policy: `"default";q=${limit};w=${WINDOW_MS / 1000}`,
    take(caller, now, cost = 1) {
      const ms = now.getTime()
      const current = Math.floor(ms / WINDOW_MS)
      if (current !== window) {
        window = current
        counters.clear()
      }
      const block = blockOf(caller)
      const isBlock = block !== caller
      const left = Math.min(
        limit - counters.read(caller),
        isBlock ? limit * CALLERS_IN_BLOCK - counters.read(block) : limit,
      )
      // What costs more than is left is answered too, or a low limit would forbid it for good.
      const isExceeded = left <= 0
      if (!isExceeded) {
        counters.add(caller, cost)
        if (isBlock) counters.add(block, cost)
      }
      return {
        isExceeded,
        remaining: Math.max(0, left - cost),
        resetSeconds: Math.ceil(((current + 1) * WINDOW_MS - ms) / 1000),
      }
    },
  }
}

/**
 * Counts by name in a table of fixed size, so that no number of callers makes it forget one. Two names may share a slot: each has two, of
 * which the lower counts.
 */
function createCounters() {
  const rows = [new Uint32Array(SLOTS), new Uint32Array(SLOTS)] as const
  const seeds = crypto.getRandomValues(new Uint32Array(rows.length))
  const slot = (name: string, row: number) => Bun.hash.xxHash32(name, seeds[row]) % SLOTS
  return {
    read: (name: string) => Math.min(rows[0][slot(name, 0)]!, rows[1][slot(name, 1)]!),
    add(name: string, count: number) {
      rows.forEach((row, i) => {
        row[slot(name, i)]! += count
      })
    },
    clear() {
      for (const row of rows) row.fill(0)
    },
  }
}

export const toRateLimitHeader = ({ remaining, resetSeconds }: Allowance): string =>
  `"default";r=${remaining};t=${resetSeconds}`

/** Counts what a caller opens, until it is disposed. @throws DirectoryError `rate_limited` */
export type Enter = (caller: string) => Disposable

/** Limits what a caller, and all together, have open at a time: streams, messages. 0: no limit. */
export function createOpenLimit({
  perCaller,
  inAll = 0,
  refuse,
}: {
  readonly perCaller: number
  readonly inAll?: number
  readonly refuse: (most: number) => Message
}): Enter {
  const counts = new Map<string, number>()
  let total = 0
  return from => {
    const caller = blockOf(from)
    const count = counts.get(caller) ?? 0
    const [isFull, isAllFull] = [perCaller > 0 && count >= perCaller, inAll > 0 && total >= inAll]
    if (isFull || isAllFull) throw new DirectoryError('rate_limited', refuse(isFull ? perCaller : inAll))
    counts.set(caller, count + 1)
    total++
    let isOpen = true
    return {
      [Symbol.dispose]() {
        if (!isOpen) return
        isOpen = false
        total--
        const left = counts.get(caller)! - 1
        if (left === 0) counts.delete(caller)
        else counts.set(caller, left)
      },
    }
  }
}

/** Less than a millisecond each. The runtime closes a connection whose pipelined requests wait, so it is more than clients pipeline. */
const READS_PER_TURN = 128
let readsThisTurn = 0

/** Counts a plain read. Whether so many were answered on this turn of the event loop that it should wait for another. */
export function isTurnFull(): boolean {
  if (readsThisTurn === 0)
    setImmediate(() => {
      readsThisTurn = 0
    })
  return ++readsThisTurn > READS_PER_TURN
}

/** What waits for a turn, by caller. One for the process, as there is one event loop. */
const waiting = new Map<string, (() => void)[]>()

/**
 * Resolves on a turn of the event loop of its own: costly work that begins with it lets other requests be answered in between. Callers
 * take turns, so that one with much to do does not hold up the others.
 */
export function nextTurn(from: string): Promise<void> {
  const caller = blockOf(from)
  return new Promise(resolve => {
    const own = waiting.get(caller)
    if (own) own.push(resolve)
    else if (waiting.set(caller, [resolve]).size === 1) setImmediate(giveTurn)
  })
}

function giveTurn(): void {
  const [caller, own] = waiting.entries().next().value!
  const resolve = own.shift()!
  waiting.delete(caller)
  if (own.length > 0) waiting.set(caller, own)
  if (waiting.size > 0) setImmediate(giveTurn)
  resolve()
}
