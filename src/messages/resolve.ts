// Messages before a payment. No page shows them.
import { type Messages, quoted, worded } from './kinds.ts'

/** @param one like `an hour` */
const ago = {
  en: (count: number, one: string): string =>
    count === 0 ? `less than ${one} ago` : count === 1 ? `${one} ago` : `${count} ${one.split(' ')[1]}s ago`,
  ja: (count: number, unit: '時間' | '日'): string =>
    count === 0 ? `1${unit}足らず前` : `${count}${unit}前`,
}

export const RESOLVE = {
  as_listed_and_seen: worded({ compared: 'texts' }, ({ compared }) =>
    compared.length === 0
      ? 'The listing is verified. No values were given to compare with it.'
      : `The listing is verified, and these values match it: ${compared.join(', ')}.`,
  ),
  not_listed: 'It is not listed here, and no verified listing of it was removed.',
  not_approved:
    'The policy of this API key, or of callers without one, does not allow it; ask the operator of the directory.',
  removed: 'Its listing was removed here.',
  payee_elsewhere: 'It asks to pay {asked:quoted}; the listing names {listed:quoted}.',
  payee_new:
    'It asks to pay {asked:quoted}, which it has named on that network for only {days:number} days, and which is not in the listing.',
  network_elsewhere:
    'It asks to be paid on {asked:quoted}; the listing names {listed:quoted}, and no other was seen.',
  more_than_seen: 'It asks for {asked} base units; at the last probe it asked for {seen}.',
  payee_replaced: worded(
    { id: 'text', name: 'text', days: 'number' },
    ({ id, name, days }) =>
      `Until ${ago.en(days, 'a day')}, the listing ${quoted(name)} (${id}) was verified here for another payment address. The endpoint may have been taken over.`,
  ),
  listing_moved: worded(
    { days: 'number' },
    ({ days }) => `The endpoint or the payment address of the listing was changed ${ago.en(days, 'a day')}.`,
  ),
  more_than_listed: 'It asks for {asked}; the listed price is {listed}.',
  listing_unverified: '{why:unverified_cause}',
  listing_not_delivering:
    'This directory paid this wallet more than once in a row and got nothing delivered.',
  listing_inactive: 'The listing is inactive: its endpoint has not answered for a while.',
  terms_never_seen: {
    en: 'Its endpoint was never seen asking for a payment.',
    ja: 'エンドポイントが支払いを求めるところは一度も確認されていません。',
  },
  terms_seen_long_ago: 'Its terms were last seen {days:number} days ago.',
  asset_unseen: 'Its endpoint was not seen asking for the asset {asked:quoted}.',
  asset_not_comparable: 'The asset {asset:quoted} cannot be compared with the listed price.',
  amount_without_asset: 'The amount cannot be compared without its asset.',
  scheme_holds_money: worded({ scheme: 'text', risks: 'texts' }, ({ scheme, risks }) =>
    [
      `With the scheme ${quoted(scheme)}, more than the price of a request may be taken, or paid to somebody else.`,
      ...(risks.length > 0 ? [`Its terms set ${risks.join(', ')}.`] : []),
    ].join(' '),
  ),
  scheme_unseen: 'It asks for the scheme {asked:quoted}; it was seen asking for {seen:texts}.',
  method_unseen: 'It is called with {asked}; it was seen asking for payment with {seen:texts}.',
  origin_elsewhere: 'The scheme or the port differs from the listed endpoint, {listed}.',
  query_elsewhere:
    'The listed endpoint, {listed}, has a different query string, and the payment address may depend on it.',
} as const satisfies Messages
