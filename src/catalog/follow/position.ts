// The position of a catalog in the history of its store: the visible seq, callers that wait for a later one, and valid cursors.
import { type Cursor, type Scale, Timelines } from '../../domain/timelines.ts'
import type { Seq, StoreHistory } from '../../store/store.ts'

export class Position {
  readonly #watchers = new Set<() => void>()
  readonly #waiting: { readonly seq: Seq; readonly resolve: () => void }[] = []
  #timelines = new Timelines()
  #seq: Seq = 0
  /** Called with a cursor that is refused and what is known here and in the store, for the log. */
  onUnknownCursor: ((found: Record<string, unknown>) => void) | undefined

  /** Everything up to this write is visible. */
  get seq(): Seq {
    return this.#seq
  }

  /** The timelines of everything applied, and those that the store has reported since. */
  get timelines(): Timelines {
    return this.#timelines
  }

  set timelines(timelines: Timelines) {
    this.#timelines = timelines
  }

  /** Makes everything up to `seq` visible and wakes waiting callers. */
  reach(seq: Seq): void {
    const isRisen = seq > this.#seq
    this.#seq = seq
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      if (this.#waiting[i]!.seq <= seq) this.#waiting.splice(i, 1)[0]!.resolve()
    }
    if (isRisen) for (const watcher of [...this.#watchers]) watcher()
  }

  /** Resolves when everything up to `seq` is visible. */
  reached(seq: Seq): Promise<void> {
    if (seq <= this.#seq) return Promise.resolve()
    return new Promise(resolve => this.#waiting.push({ seq, resolve }))
  }

  /** Calls back whenever `seq` has risen; returns a function that stops it. */
  watch(onRise: () => void): () => void {
    const watcher = () => onRise()
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /**
   * Whether a cursor is a position in the history. This process has read it up to `last`; another process may be ahead, so an
   * unknown cursor is checked against the store, whose timelines are adopted.
   */
  async includes(
    scale: Scale,
    cursor: Cursor,
    last: number,
    readHistory: () => Promise<StoreHistory>,
  ): Promise<boolean> {
    if (this.#timelines.has(scale, cursor, last)) return true
    const history = await readHistory()
    const isIncluded = history.timelines.has(scale, cursor, history[scale])
    if (isIncluded) this.#timelines = history.timelines
    else
      this.onUnknownCursor?.({
        ...{ scale, ...cursor, last, stored: history[scale] },
        ...{ newest: this.#timelines.newest, storedNewest: history.timelines.newest },
        expected: history.timelines.toCursor(scale, cursor.number),
      })
    return isIncluded
  }
}
