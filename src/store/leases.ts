// What one process at a time has to itself, over all processes on a store.

export type Lease = {
  /** Names a process, or a part of one, and no other. */
  readonly holder: string
  readonly endsAt: Date
  /** What the holder leaves for the others to read, and for the next one to go on from. */
  readonly note: string
}

export type LeaseTerms = {
  readonly holder: string
  readonly now: Date
  readonly leaseMs: number
  readonly note: string
}

export interface LeaseTable {
  /** As it was left, ended or not; undefined where nobody ever took it. */
  find(name: string): Promise<Lease | undefined>
  /**
   * Takes it, or renews it, also one that has ended or lies further ahead than it can; resolves to false where another
   * holds it. With 0 ms it is let go.
   */
  take(name: string, terms: LeaseTerms): Promise<boolean>
}
