// Leases on third-party hosts, so that one process at a time sends requests to a host.

export type HostTerms = {
  /** Unique to a thread, or to a part of one. */
  readonly holder: string
  readonly now: Date
  readonly leaseMs: number
}

export interface HostTable {
  /**
   * Takes, in one step, those of the hosts that no other holder has; resolves to them. Leases of the holder are renewed. A lease that
   * ends more than two lease times from now was given by a clock that has been set back since, and counts as ended.
   */
  take(hosts: readonly string[], terms: HostTerms): Promise<ReadonlySet<string>>
  /** Ends leases of the holder at the given times; leases that others hold by now are unchanged. Also deletes some ended leases. */
  leave(ends: ReadonlyMap<string, Date>, terms: Pick<HostTerms, 'holder' | 'now'>): Promise<void>
}
