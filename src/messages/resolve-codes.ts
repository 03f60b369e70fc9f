// Messages before a payment.
import type { Shape } from './kinds.ts'

export const RESOLVE_CODES = {
  as_listed_and_seen: { compared: 'texts' },
  not_listed: {},
  removed: {},
  payee_elsewhere: { asked: 'text', listed: 'text' },
  payee_of_other_listing: { id: 'text', name: 'text' },
  payee_new: { asked: 'text', days: 'number' },
  network_elsewhere: { asked: 'text', listed: 'text' },
  more_than_seen: { asked: 'text', seen: 'text' },
  more_than_listed: { asked: 'text', listed: 'text' },
  listing_unverified: {},
  listing_not_delivering: {},
  listing_inactive: {},
  terms_never_seen: {},
  terms_seen_long_ago: { days: 'number' },
  asset_unseen: { asked: 'text' },
  asset_not_comparable: { asset: 'text' },
  amount_without_asset: {},
  scheme_holds_money: { scheme: 'text', risks: 'texts' },
  scheme_unseen: { asked: 'text', seen: 'texts' },
  method_unseen: { asked: 'text', seen: 'texts' },
  origin_elsewhere: { listed: 'text' },
  query_elsewhere: { listed: 'text' },
  path_with_escapes: {},
} as const satisfies Readonly<Record<string, Shape>>
