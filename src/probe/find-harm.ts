// Which answer of a probe a payer must not get, although the one that was looked for holds what the listing says.
import { placeOf } from '../domain/resolve/place.ts'
import { type Ask, type Asked, isFinal, isOpen, leadsUnseen } from './asked.ts'
import { type Documented, fitsEndpoint, isAskable } from './documented.ts'
import { hiddenWays, matchListing } from './match-listing.ts'
import type { Target } from './outcome.ts'

export type Harm = {
  /** A payer may get it. */
  readonly bad?: Asked | undefined
  /** Nothing follows from it before it is asked again. */
  readonly open?: Asked | undefined
  /** What was bad or open before is answered, and does no harm. */
  readonly isMended: boolean
}

/** @param again what was asked because an earlier probe was answered badly, or not to the end */
export function findHarm(
  { asked, besides, again }: { asked: Asked; besides?: Asked | undefined; again?: Asked | undefined },
  terms: readonly Asked[],
  target: Target,
): Harm {
  const bad = terms.find(each => doesHarm(each, asked, target))
  if (bad) return { bad, isMended: false }
  const wasOpen = target.resource?.besides?.isOpen === true
  // What was answered badly before, and is not answered now, is not mended; nor is what stays silent.
  if (again && (isOpen(again) || (isFinal(again) && !wasOpen))) return { bad: again, isMended: false }
  const open = [...(besides ? [besides] : []), ...terms].find(
    each => isOpen(each) && isOfListing(each, asked, target),
  )
  return { open, isMended: again !== undefined }
}

/** Another resource may have a price of its own, but nobody else to be paid. */
function doesHarm(each: Asked, asked: Asked, target: Target): boolean {
  const isHere = isOfListing(each, asked, target)
  if (leadsUnseen(each)) return isHere && !isOpen(each)
  if (!each.reading?.readable) return hiddenWays(each.reading?.unread ?? [], target).length > 0
  const { outcome, price, undeclaredAddresses, checks } = matchListing(each.reading, target)
  if (requestKeyOf(each) === requestKeyOf(asked)) return outcome !== 'payable'
  const isDearer = price === 'higher' || checks.some(({ detail }) => detail.code === 'asks_more_by_rates')
  return undeclaredAddresses.length > 0 || (isHere && (isDearer || outcome === 'unpayable'))
}

/** At the resource that was found, or at the listed URL itself. */
const isOfListing = ({ ask }: Asked, asked: Asked, { endpoint }: Target): boolean =>
  [placeOf(urlOf(asked.ask)), placeOf(endpoint)].includes(placeOf(urlOf(ask)))

const urlOf = ({ url, place }: Ask): string => place?.url ?? url

export const requestKeyOf = ({ ask: { method, url, body, tool } }: Asked): string =>
  JSON.stringify([method, url, body, tool])

/** The method that documents declare for the resource and that is never sent; undefined where there is none. */
export function unaskedMethod({ ask }: Asked, documented: readonly Documented[]): string | undefined {
  const own = documented.filter(each => each.tool === undefined && fitsEndpoint(each.url, urlOf(ask)))
  const unasked = own.filter(({ method }) => !isAskable(method))
  // Beside one that is asked, only what says that it costs money.
  const counted = unasked.length < own.length ? unasked.filter(({ isPaid }) => isPaid) : unasked
  return counted[0]?.method
}
