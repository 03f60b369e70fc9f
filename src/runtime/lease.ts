// What one process at a time does for all on a store. The lease lies in the store; whoever finds that it has ended takes it.

import { isAhead } from '../domain/ahead.ts'
import type { Lease, LeaseTable } from '../store/leases.ts'
import type { Clock } from './clock.ts'

export const LEASE_MS = 15_000
/** Thrice within a lease: one renewal may be lost, and clocks may differ by some seconds. */
export const RENEW_EVERY_MS = 5_000
const LOOK_EVERY_MS = 1_000

export type LeaseHolder = 'this' | 'another' | 'nobody'

export interface ProcessLease {
  /** Names this lease and no other. */
  readonly holder: string
  /** Asks the store when it is time to. @throws where the store is away */
  isOurs(): Promise<boolean>
  /** As last seen. */
  seen(): { readonly by: LeaseHolder; readonly note: string | undefined }
  /** So that another need not wait for the end of the lease. */
  leave(): Promise<void>
}

const isOver = ({ endsAt }: Lease, now: Date): boolean =>
  !isAhead(endsAt.getTime(), now.getTime(), 2 * LEASE_MS)

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
  /** What the others read. */
  readonly writeNote?: () => Promise<string>
  /** Told who had it before; what it throws is thrown by `isOurs`, and the lease is not ours yet. */
  readonly onTaken?: (before: Lease | undefined) => Promise<void>
}): ProcessLease {
  const holder = crypto.randomUUID()
  let isHeld = false
  let last: Lease | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY

  const take = async (now: Date, leaseMs = LEASE_MS) =>
    leases.take(name, { holder, now, leaseMs, note: await writeNote() })

  async function look(now: Date): Promise<void> {
    if (isHeld) isHeld = await take(now)
    if (isHeld) return
    const found = await leases.find(name)
    // What went wrong after it was taken is done again: the one before is remembered for that.
    if (found?.holder !== holder) last = found
    const isFree = !found || found.holder === holder || isOver(found, clock.now())
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
      const passedMs = now.getTime() - askedAtMs
      // A clock that was set back must not keep a lease unrenewed.
      if (passedMs >= 0 && passedMs < (isHeld ? RENEW_EVERY_MS : LOOK_EVERY_MS)) return isHeld
      await look(now)
      askedAtMs = now.getTime()
      return isHeld
    },
    seen() {
      const isNobodys = !last || isOver(last, clock.now())
      return { by: isHeld ? 'this' : isNobodys ? 'nobody' : 'another', note: last?.note }
    },
    async leave() {
      if (!isHeld) return
      isHeld = false
      askedAtMs = Number.NEGATIVE_INFINITY
      await take(clock.now(), 0)
    },
  }
}
