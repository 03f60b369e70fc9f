// Work that one process at a time does for all processes on a store. The lease is in the store; any process can take it once it has ended.

import type { Lease, LeaseTable } from '../store/leases.ts'
import type { Clock } from './clock.ts'

export const PROCESS_LEASE_MS = 15_000
/** Three times per lease: one renewal may be lost, and clocks may differ by some seconds. */
export const RENEW_EVERY_MS = 5_000
const LOOK_EVERY_MS = 1_000

export type LeaseHolder = 'this' | 'another' | 'nobody'

export interface ProcessLease {
  /** Identifies this process as a holder. */
  readonly holder: string
  /** Queries the store when it is time to. @throws if the store is unavailable */
  isOurs(): Promise<boolean>
  /** The holder as last seen, with its note. */
  lastHolder(): { readonly by: LeaseHolder; readonly note: string | undefined }
  /** Releases the lease, so that another process need not wait for its end. */
  release(): Promise<void>
}

/** It has ended, or was dated by a clock that was ahead: one wrong minute must not stop the work of all processes until then. */
const isOver = ({ endsAt }: Lease, now: Date): boolean =>
  endsAt <= now || endsAt.getTime() > now.getTime() + 2 * PROCESS_LEASE_MS

export function createProcessLease({
  leases,
  name,
  clock,
  writeNote = async () => '',
  onTaken = async () => {},
}: {
  readonly leases: LeaseTable
  readonly name: string
  readonly clock: Clock
  /** The note that other processes read. */
  readonly writeNote?: () => Promise<string>
  /** Called with the previous lease; an error is thrown by `isOurs`, and the lease is not ours yet. */
  readonly onTaken?: (before: Lease | undefined) => Promise<void>
}): ProcessLease {
  const holder = crypto.randomUUID()
  let isHeld = false
  let last: Lease | undefined
  let ownNote: string | undefined
  let checkedAtMs = Number.NEGATIVE_INFINITY

  async function take(now: Date, leaseMs = PROCESS_LEASE_MS): Promise<boolean> {
    ownNote = await writeNote()
    return leases.take(name, { holder, now, leaseMs, note: ownNote })
  }

  async function look(now: Date): Promise<void> {
    if (isHeld) isHeld = await take(now)
    if (isHeld) return
    const current = await leases.find(name)
    // Where onTaken failed after taking it, it is called again: the previous lease is retained for that.
    if (current?.holder !== holder) last = current
    const isFree = !current || current.holder === holder || isOver(current, clock.now())
    if (!isFree) return
    if (await take(now)) {
      await onTaken(last)
      isHeld = true
    } else last = await leases.find(name)
  }

  return {
    holder,
    async isOurs() {
      const now = clock.now()
      const passedMs = now.getTime() - checkedAtMs
      // A clock that was set back must not prevent the renewal of a lease.
      if (passedMs >= 0 && passedMs < (isHeld ? RENEW_EVERY_MS : LOOK_EVERY_MS)) return isHeld
      await look(now)
      checkedAtMs = now.getTime()
      return isHeld
    },
    lastHolder() {
      const isFree = !last || isOver(last, clock.now())
      return { by: isHeld ? 'this' : isFree ? 'nobody' : 'another', note: isHeld ? ownNote : last?.note }
    },
    async release() {
      if (!isHeld) return
      isHeld = false
      checkedAtMs = Number.NEGATIVE_INFINITY
      await take(clock.now(), 0)
    },
  }
}
