// Which history a number belongs to. Writes and events are counted, and a store that is put back to an earlier state counts on from
// there: the same number then stands for something else. So the history is cut into timelines, as PostgreSQL does it. Whoever writes
// begins one, with a random name, and a cursor is a number with the name of the timeline that it lies in. A cursor from a stretch that
// was lost names a timeline that is unknown here, or lies beyond the place at which the next one forked off.

/** What is counted: writes that a reader can see, and events. */
export type Scale = 'seq' | 'event'

/** Begun by a process with its first write. What lies between fork and start is left free: no number there stands for anything. */
export type Timeline = {
  readonly id: string
  /** The last numbers of what came before; it goes on from there. */
  readonly fork: Readonly<Record<Scale, number>>
  /** Its own numbers are higher than these. */
  readonly start: Readonly<Record<Scale, number>>
}

/** A place in a history; without a timeline it was written by hand, or by an older version. */
export type Cursor = { readonly number: number; readonly timeline?: string | undefined }

/** So many are kept, which is years of restarts: a cursor that is older than all of them is told to begin anew. */
export const MAX_TIMELINES = 10_000

export const CURSOR_PATTERN = '^\\d{1,20}(-[0-9a-f]{16})?$'
const CURSOR = new RegExp(CURSOR_PATTERN)

export const createTimelineId = (): string => crypto.getRandomValues(new Uint8Array(8)).toHex()

/** undefined where the text is no cursor. */
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

  /** The beginning is the same in every history, so it has no name. */
  toCursor(scale: Scale, number: number): string {
    // What came before the oldest that is kept is common to all who know that one.
    const timeline = this.#list.findLast(({ fork }) => fork[scale] < number) ?? this.#list[0]
    return number === 0 || !timeline ? String(number) : `${number}-${timeline.id}`
  }

  /** Whether the cursor is a place in this history, which has come as far as `last`. */
  has(scale: Scale, { number, timeline }: Cursor, last: number): boolean {
    if (number > last) return false
    if (number === 0) return true
    if (timeline === undefined)
      return !this.#list.some(({ fork, start }) => fork[scale] < number && number <= start[scale])
    const place = this.#places.get(timeline)
    if (place === undefined) return false
    const next = this.#list[place + 1]
    return next === undefined || number <= next.fork[scale]
  }
}
