// What is said of a payment before it is made, in English.
import type { RESOLVE_CODES } from '../resolve-codes.ts'
import type { Words } from '../words.ts'
import { quoted } from './phrases.ts'

export const RESOLVE: Words<typeof RESOLVE_CODES> = {
  as_listed_and_seen: ({ compared }) =>
    compared.length === 0
      ? 'The listing is verified. Nothing was given to compare with it.'
      : `The listing is verified, and as listed and seen: ${compared.join(', ')}.`,
  not_listed: 'It is not listed here, and no listing of it that was verified was removed.',
  removed: 'Its listing was removed here.',
  payee_elsewhere: ({ asked, listed }) =>
    `It asks to pay ${quoted(asked)}; the listing names ${quoted(listed)}.`,
  payee_of_other_listing: ({ id, name }) =>
    `That is whom ${quoted(name)} (${id}) pays, another listing of this URL, which does not speak for it.`,
  payee_new: ({ asked, days }) =>
    `It asks to pay ${quoted(asked)}, whom it names on that network for ${days} days only, and the listing not at all.`,
  network_elsewhere: ({ asked, listed }) =>
    `It asks to be paid on ${quoted(asked)}; the listing names ${quoted(listed)}, and no other was seen.`,
  more_than_seen: ({ asked, seen }) =>
    `It asks for ${asked} of the smallest units; at the last probe it asked for ${seen}.`,
  more_than_listed: ({ asked, listed }) => `It asks for ${asked}; the listed price is ${listed}.`,
  listing_unverified:
    'The listing is not verified: its endpoint does not ask for what it lists, did not deliver when it was paid, or was not asked yet.',
  listing_not_delivering:
    'Whoever is paid there was paid more than once in a row by this directory and did not deliver.',
  listing_inactive: 'The listing is inactive: its endpoint has not answered for a while.',
  terms_never_seen: 'Its endpoint was never seen to ask for a payment.',
  terms_seen_long_ago: ({ days }) => `Its terms were last seen ${days} days ago.`,
  asset_unseen: ({ asked }) => `Its endpoint was not seen to ask for the asset ${quoted(asked)}.`,
  asset_not_comparable: ({ asset }) => `The asset ${quoted(asset)} cannot be compared with the listed price.`,
  amount_without_asset: 'An amount means nothing without its asset.',
  scheme_holds_money: ({ scheme, risks }) =>
    [
      `By the scheme ${quoted(scheme)} more may be handed over than the price of a request, or to somebody else.`,
      ...(risks.length > 0 ? [`Its terms set ${risks.join(', ')}.`] : []),
    ].join(' '),
  scheme_unseen: ({ asked, seen }) =>
    `It asks to be paid by the scheme ${quoted(asked)}; it was seen with ${seen.join(', ')}.`,
  method_unseen: ({ asked, seen }) =>
    `It is called by ${asked}; it was seen to be paid for ${seen.join(', ')}.`,
  origin_elsewhere: ({ listed }) => `The scheme or the port differs from the listed endpoint, ${listed}.`,
  query_elsewhere: ({ listed }) =>
    `The listed endpoint, ${listed}, has another query, and who is paid may depend on it.`,
  path_with_escapes: 'Its path holds escaped slashes, so that a server may read it as another path.',
}
