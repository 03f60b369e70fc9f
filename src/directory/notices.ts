// Notices about an entry, by itself and compared with others: sentences for the caller who registers or edits it.
import { MAX_PROBLEMS } from '../domain/errors.ts'
import type { Backing, SharedPart } from '../domain/listing/backing.ts'
import { categoryKey } from '../domain/listing/categories.ts'
import { DRAFT_FIELDS, type ServiceDraft } from '../domain/listing/service.ts'
import { findMeantCategory, findMeantCurrency, findMeantNetwork } from '../domain/queries/filters.ts'
import { findSimilarName } from '../domain/text/nearest.ts'
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

/** Names that may be any, but resemble a known one. @param countCategory how many services have a category, by its key */
export function typingNotices(
  { category, pricing: { currency }, x402Config: { network } }: ServiceDraft,
  countCategory: (key: string) => number,
): string[] {
  const [chain, known, token] = [
    findMeantNetwork(network),
    countCategory(categoryKey(category)) > 1 ? undefined : findMeantCategory(category),
    findMeantCurrency(currency),
  ]
  return [
    ...(chain === undefined
      ? []
      : [
          `x402Config.network: ${shownName(network)} is not a known network (did you mean ${chain}?); a service on an unknown network is never verified.`,
        ]),
    ...(known === undefined
      ? []
      : [`category: no other service has ${shownName(category)} (did you mean ${known}?).`]),
    ...(token === undefined
      ? []
      : [
          `pricing.currency: ${shownName(currency)} is not a known currency (did you mean ${token}?); its price cannot be compared.`,
        ]),
  ]
}

/** Fields of a change that had no effect, and resemble one that would have. */
export const misnamedNotices = (ignored: readonly string[]): string[] =>
  ignored.slice(0, MAX_PROBLEMS).flatMap(field => {
    const meant = findSimilarName(field, DRAFT_FIELDS)
    return meant === undefined
      ? []
      : [`${shownName(field)} is not a field of a service and changed nothing (did you mean ${meant}?).`]
  })

/** @param neighbour the id of another entry of the caller at the same endpoint */
export const ownNotices = (neighbour: string | undefined): string[] =>
  neighbour === undefined
    ? []
    : [
        `endpoint: your ${neighbour} has the same endpoint; if this is the same product, change that one instead.`,
      ]

const shownName = (name: string): string =>
  JSON.stringify(name.length > MAX_SHOWN ? `${truncate(name, MAX_SHOWN)}…` : name)
