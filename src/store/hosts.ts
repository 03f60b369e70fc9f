// Whose turn it is to ask a stranger's host, over all processes on a store.

export type HostTerms = {
  /** Names a thread, or a part of one, and no other. */
  readonly holder: string
  readonly now: Date
  readonly leaseMs: number
}

export interface HostTable {
  /**
   * Takes those of the hosts that nobody else has, in one step; resolves to them. What the holder has is renewed. A turn that ends
   * more than two leases from now was given by a clock that has been set back since: it counts as ended.
   */
  take(hosts: readonly string[], terms: HostTerms): Promise<ReadonlySet<string>>
  /** Ends turns of the holder at the given times; what others have by now stays theirs. Takes out some that have ended before. */
  leave(ends: ReadonlyMap<string, Date>, terms: Pick<HostTerms, 'holder' | 'now'>): Promise<void>
}
