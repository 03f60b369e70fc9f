// Followed sources and their read positions; part of the Store interface.

export type SourceState = {
  readonly url: string
  /** The recognised kind of source; null before the first read. */
  readonly kind: string | null
  /** Read position in the source's own history; 0 if it has none. A number if an older version wrote it. */
  readonly cursor: string | number
  /** The source's history was replaced, so it is read again from the beginning, possibly over several rounds. */
  readonly rereading?: true
  readonly checkedAt: string | null
  readonly succeededAt: string | null
  /** Consecutive failures; `problem` is the last one. */
  readonly failures: number
  readonly problem: string | null
  /** Its rank in the order in which sources were first followed; sources older than this field share the first rank. */
  readonly rank?: number
  /** Secret from which ids are derived for listings whose own ids belong to other entries. */
  readonly aliasKey?: string
}

export const createSourceState = (url: string): SourceState => ({
  url,
  kind: null,
  cursor: '0',
  checkedAt: null,
  succeededAt: null,
  failures: 0,
  problem: null,
})

export interface SourceTable {
  list(): Promise<SourceState[]>
  /** Leases a source, adding it if it is new; undefined if another process has it. */
  claim(url: string, now: Date, leaseMs: number): Promise<SourceState | undefined>
  /** Stores the state and extends the lease until `leasedUntil`, or ends it. */
  save(state: SourceState, leasedUntil?: Date): Promise<void>
  /** Stores which entries a source listed while it is read again, until `forgetSeen`. */
  noteSeen(url: string, ids: readonly string[]): Promise<void>
  seen(url: string): Promise<Set<string>>
  forgetSeen(url: string): Promise<void>
}
