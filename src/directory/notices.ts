// Notices about an entry compared with those of others: sentences for the caller who registers or edits it.
import type { Backing, SharedPart } from '../domain/backing.ts'
import { truncate } from '../domain/text.ts'

/** A name can have 255 characters, and a header must hold two. */
const MAX_SHOWN = 80

/** One notice for each part that an entry of another owner shares, naming the oldest such entry. */
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

const shownName = (name: string): string =>
  JSON.stringify(name.length > MAX_SHOWN ? `${truncate(name, MAX_SHOWN)}…` : name)
