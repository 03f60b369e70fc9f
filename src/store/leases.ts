// Leases: exclusive roles of one process at a time, over all processes on a store.

export type Lease = {
  /** Unique to a process, or to a part of one. */
  readonly holder: string
  readonly endsAt: Date
  /** State that other processes read and the next holder continues from. */
  readonly note: string
}

export type LeaseTerms = {
  readonly holder: string
  readonly now: Date
  readonly leaseMs: number
  readonly note: string
}

export interface LeaseTable {
  /** The stored lease, ended or not; undefined if it was never taken. */
  find(name: string): Promise<Lease | undefined>
  /**
   * Takes or renews the lease; one that has ended, or ends further ahead than it can, is free. Resolves to false if another holder
   * has it. A lease of 0 ms releases it.
   */
  take(name: string, terms: LeaseTerms): Promise<boolean>
}
