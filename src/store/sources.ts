// Sources that are followed, and how far; part of the Store interface.

export type SourceState = {
  readonly url: string
  /** What was recognised there; null before the first reading. */
  readonly kind: string | null
  /** The place in the source's own history up to which it has been read; 0 where it has none. A number: of an older version. */
  readonly cursor: string | number
  /** The source has another history than the one that was followed, and is read anew from its beginning, over several readings maybe. */
  readonly rereading?: true
  readonly checkedAt: string | null
  readonly succeededAt: string | null
  /** How often it failed in a row, and how the last time. */
  readonly failures: number
  readonly problem: string | null
  /** Its place among all sources in the order in which they were first followed; those from before the order was kept share the first. */
  readonly rank?: number
  /** What ids are made of for its listings whose own ids are somebody else's; a secret. */
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
  /** Takes a source for a while, a new one too; undefined where another process is at it. */
  claim(url: string, now: Date, leaseMs: number): Promise<SourceState | undefined>
  /** Keeps the state; holds the source until then, or lets go of it. */
  save(state: SourceState, leasedUntil?: Date): Promise<void>
  /** Keeps which entries a source was seen to list while it is read anew, until they are forgotten. */
  noteSeen(url: string, ids: readonly string[]): Promise<void>
  seen(url: string): Promise<Set<string>>
  forgetSeen(url: string): Promise<void>
}
