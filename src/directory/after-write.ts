// What a caller who registers or edits a service waits for, and is told: the answer comes when the catalog of this process shows the
// write, with notices about the entry, by itself and compared with others.
import type { Catalog } from '../catalog/catalog.ts'
import type { Backing, SharedPart } from '../domain/listing/backing.ts'
import type { Entry, ServiceDraft } from '../domain/listing/service.ts'
import { findMeantNetwork } from '../domain/queries/filters.ts'
import { truncate } from '../domain/text/text.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Seq } from '../store/store.ts'

/** A write is answered after at most twice this time, even if the catalog has not caught up. */
const VISIBLE_WITHIN_MS = 1_000

/** Returns a function that waits for a write; it never fails. */
export function createVisibilityWait(
  catalog: Pick<Catalog, 'seq' | 'whenReached'>,
  clock: Clock,
): (seq: Seq) => Promise<void> {
  let waiting: Promise<void> | undefined

  /** Ends within VISIBLE_WITHIN_MS. All writes share one timer: there are thousands of registrations a second. */
  function timeout(): Promise<void> {
    waiting ??= clock.sleep(VISIBLE_WITHIN_MS).then(() => {
      waiting = undefined
    })
    return waiting
  }

  return async seq => {
    const reached = catalog.whenReached(seq)
    // Twice, because the shared timer may be about to end.
    for (let tries = 0; tries < 2 && catalog.seq < seq; tries++) await Promise.race([reached, timeout()])
  }
}

/** A name can have 255 characters, and a header must hold two. */
const MAX_SHOWN = 80

/** One notice for each part that an entry of another owner shares, naming the first such entry: one that does not yield, else the oldest. */
function backingNotices(name: string, { others }: Backing): string[] {
  const first = (part: SharedPart) => others.find(({ shares }) => shares.includes(part))
  const [namesake, neighbour, copayee] = [first('name'), first('endpoint'), first('payee')]
  return [
    ...(neighbour
      ? [
          `endpoint: ${neighbour.id} of another owner has the same endpoint; the entry that is claimed by its wallet or proved by its domain represents it.`,
        ]
      : []),
    ...(copayee
      ? [
          `x402Config.paymentAddress: ${copayee.id} of another owner pays the same address; sign in with that wallet to claim your entries.`,
        ]
      : []),
    // Last: names can be long, and a header is cut.
    ...(namesake
      ? [
          `name: ${shownName(name)} looks like ${shownName(namesake.name)}, the name of ${namesake.id} of another owner; payers may confuse the two.`,
        ]
      : []),
  ]
}

/** A name that is not that of a known network, and resembles one. */
function networkNotices({ x402Config: { network } }: ServiceDraft): string[] {
  const meant = findMeantNetwork(network)
  if (meant === undefined) return []
  return [
    `x402Config.network: ${shownName(network)} is not a known network (did you mean ${meant}?); a service on an unknown network is never verified.`,
  ]
}

const shownName = (name: string): string =>
  JSON.stringify(name.length > MAX_SHOWN ? `${truncate(name, MAX_SHOWN)}…` : name)

/** Notices about an entry, by itself and compared with others; none if it is not visible yet. */
export const createNotices =
  (catalog: Pick<Catalog, 'backing'>) =>
  (entry: Entry): string[] => {
    const backing = catalog.backing(entry.id)
    return backing ? [...networkNotices(entry), ...backingNotices(entry.name, backing)] : []
  }
