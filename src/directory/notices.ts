// Notices about an entry, by itself and compared with others: sentences for the caller who registers or edits it.
import type { Backing, SharedPart } from '../domain/listing/backing.ts'
import type { ServiceDraft } from '../domain/listing/service.ts'
import { findMeantNetwork } from '../domain/queries/filters.ts'
import { truncate } from '../domain/text/text.ts'

/** A name can have 255 characters, and a header must hold two. */
const MAX_SHOWN = 80

/** One notice for each part that an entry of another owner shares, naming the first such entry: one that does not yield, else the oldest. */
export function noticesOn(name: string, { others }: Backing): string[] {
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
export function networkNotices({ x402Config: { network } }: ServiceDraft): string[] {
  const meant = findMeantNetwork(network)
  if (meant === undefined) return []
  return [
    `x402Config.network: ${shownName(network)} is not a known network (did you mean ${meant}?); a service on an unknown network is never verified.`,
  ]
}

const shownName = (name: string): string =>
  JSON.stringify(name.length > MAX_SHOWN ? `${truncate(name, MAX_SHOWN)}…` : name)
