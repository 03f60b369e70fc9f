// Messages before a payment, in English.

import type { PartWords } from '../kinds.ts'
import type { RESOLVE_CODES } from '../resolve-codes.ts'
import type { Words } from '../words.ts'
import { quoted } from './phrases.ts'

/** @param one like `an hour` */
const ago = (count: number, one: string): string =>
  count === 0 ? `less than ${one} ago` : count === 1 ? `${one} ago` : `${count} ${one.split(' ')[1]}s ago`

const UNVERIFIED: PartWords<'unverified_cause'> = {
  unseen: 'The listing is not verified yet.',
  network: 'The listing is not verified: its endpoint does not ask to be paid on the listed network.',
  payee: 'The listing is not verified: its endpoint asks to pay another wallet than the listed one.',
  price: 'The listing is not verified: its endpoint asks for more than the listed price.',
  delivery: 'The listing is not verified: it did not deliver when this directory paid it.',
  probes: 'The listing is not verified: not every recent probe found its endpoint asking for what is listed.',
}

export const RESOLVE: Words<typeof RESOLVE_CODES> = {
  as_listed_and_seen: ({ compared }) =>
    compared.length === 0
      ? 'The listing is verified. No values were given to compare with it.'
      : `The listing is verified, and these values match it: ${compared.join(', ')}.`,
  not_listed: 'It is not listed here, and no verified listing of it was removed.',
  removed: 'Its listing was removed here.',
  payee_elsewhere: ({ asked, listed }) =>
    `It asks to pay ${quoted(asked)}; the listing names ${quoted(listed)}.`,
  payee_of_other_listing: ({ id, name }) =>
    `That is the payment address of ${quoted(name)} (${id}), another listing of this URL, which is no proof for this one.`,
  payee_new: ({ asked, days }) =>
    `It asks to pay ${quoted(asked)}, which it has named on that network for only ${days} days, and which is not in the listing.`,
  network_elsewhere: ({ asked, listed }) =>
    `It asks to be paid on ${quoted(asked)}; the listing names ${quoted(listed)}, and no other was seen.`,
  more_than_seen: ({ asked, seen }) =>
    `It asks for ${asked} base units; at the last probe it asked for ${seen}.`,
  price_risen: ({ asked, before, hours }) =>
    `It asks for ${asked}; until ${ago(hours, 'an hour')} it asked for ${before}.`,
  price_raised: ({ asked, before, hours }) =>
    `It asks for ${asked}; until ${ago(hours, 'an hour')} it was listed at ${before}.`,
  payee_replaced: ({ id, name, days }) =>
    `Until ${ago(days, 'a day')}, the listing ${quoted(name)} (${id}) was verified here for another payment address. The endpoint may have been taken over.`,
  listing_moved: ({ days }) =>
    `The endpoint or the payment address of the listing was changed ${ago(days, 'a day')}.`,
  more_than_listed: ({ asked, listed }) => `It asks for ${asked}; the listed price is ${listed}.`,
  listing_unverified: ({ why }) => UNVERIFIED[why],
  listing_not_delivering:
    'This directory paid this wallet more than once in a row and got nothing delivered.',
  listing_inactive: 'The listing is inactive: its endpoint has not answered for a while.',
  terms_never_seen: 'Its endpoint was never seen asking for a payment.',
  terms_seen_long_ago: ({ days }) => `Its terms were last seen ${days} days ago.`,
  asset_unseen: ({ asked }) => `Its endpoint was not seen asking for the asset ${quoted(asked)}.`,
  asset_not_comparable: ({ asset }) => `The asset ${quoted(asset)} cannot be compared with the listed price.`,
  amount_without_asset: 'The amount cannot be compared without its asset.',
  scheme_holds_money: ({ scheme, risks }) =>
    [
      `With the scheme ${quoted(scheme)}, more than the price of a request may be taken, or paid to somebody else.`,
      ...(risks.length > 0 ? [`Its terms set ${risks.join(', ')}.`] : []),
    ].join(' '),
  scheme_unseen: ({ asked, seen }) =>
    `It asks for the scheme ${quoted(asked)}; it was seen asking for ${seen.join(', ')}.`,
  method_unseen: ({ asked, seen }) =>
    `It is called with ${asked}; it was seen asking for payment with ${seen.join(', ')}.`,
  origin_elsewhere: ({ listed }) => `The scheme or the port differs from the listed endpoint, ${listed}.`,
  query_elsewhere: ({ listed }) =>
    `The listed endpoint, ${listed}, has a different query string, and the payment address may depend on it.`,
  path_with_escapes: 'Its path contains escaped slashes, so a server may read it as a different path.',
}
