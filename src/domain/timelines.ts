// Timelines tell which history a number belongs to. Writes and events are numbered, and a store that is restored to an earlier state
// reuses numbers for something else. So the history is divided into timelines, as in PostgreSQL. Every writer starts one with a random
// name, and a cursor is a number with the name of its timeline. A cursor from a lost part of the history names a timeline that is
// unknown here, or lies after the point at which the next one forked.

/** The two sequences: visible writes, and events. */
export type Scale = 'seq' | 'event'

/** Started by a process with its first write. The numbers between fork and start are unused. */
export type Timeline = {
  readonly id: string
  /** The last numbers of the previous timeline. */
  readonly fork: Readonly<Record<Scale, number>>
  /** Its own numbers are greater than these. */
  readonly start: Readonly<Record<Scale, number>>
}

/** A position in a history; without a timeline it was written by hand, or by an older version. */
export type Cursor = { readonly number: number; readonly timeline?: string | undefined }

/** Timelines stored, which is years of restarts: a client with an older cursor is asked to start again. */
export const MAX_TIMELINES = 10_000

export const CURSOR_PATTERN = '^\\d{1,20}(-[0-9a-f]{16})?$'
const CURSOR = new RegExp(CURSOR_PATTERN)

export const createTimelineId = (): string => crypto.getRandomValues(new Uint8Array(8)).toHex()

/** Returns undefined if the text is not a cursor. */
export function readCursor(text: string | number): Cursor | undefined {
  if (!CURSOR.test(String(text))) return undefined
  const [number, timeline] = String(text).split('-') as [string, string | undefined]
  return { number: Math.min(Number(number), Number.MAX_SAFE_INTEGER), timeline }
}

/** The timelines of one history, oldest first. */
export class Timelines {
  readonly #list: readonly Timeline[]
  readonly #places: ReadonlyMap<string, number>

  constructor(list: readonly Timeline[] = []) {
    this.#list = list
    this.#places = new Map(list.map(({ id }, index) => [id, index]))
  }

  get newest(): string | undefined {
    return this.#list.at(-1)?.id
  }

  /** 0 is the start of every history, so it has no timeline. */
  toCursor(scale: Scale, number: number): string {
    // Histories that share the oldest stored timeline also share everything before it.
    const timeline = this.#list.findLast(({ fork }) => fork[scale] < number) ?? this.#list[0]
    return number === 0 || !timeline ? String(number) : `${number}-${timeline.id}`
  }

  /** Whether the cursor is a position in this history, which extends to `last`. */
  has(scale: Scale, { number, timeline }: Cursor, last: number): boolean {
    if (number > last) return false
    if (number === 0) return true
    if (timeline === undefined)
      return !this.#list.some(({ fork, start }) => fork[scale] < number && number <= start[scale])
    const index = this.#places.get(timeline)
    if (index === undefined) return false
    const next = this.#list[index + 1]
    return next === undefined || number <= next.fork[scale]
  }
}
