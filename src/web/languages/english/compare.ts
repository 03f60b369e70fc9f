// Services side by side, and everything of one seller, in English.
import { count } from './count.ts'

export const ENGLISH_COMPARE = {
  title: 'Compare',
  intro: 'Services side by side.',
  introMarked:
    'Services side by side. “Best” marks the best value of a row. A sample never gets it, nor does a service that does not answer, asks for more than listed or should not be paid.',
  empty: 'No services selected',
  emptyHint: 'Select up to four services in the search results, then choose “Compare selected”.',
  most: (number: string, left: string) => `Only ${number} can be compared at once. Left out: ${left}`,
  unknown: (ids: string) => `Not found: ${ids}`,
  remove: (name: string) => `Remove ${name}`,
  best: 'Best',
  row: 'Property',
  rows: {
    status: 'Status',
    backing: 'Provider confirmed by',
    price: 'Price per request',
    dollars: 'Price in US dollars',
    free: 'Free requests',
    uptime: 'Uptime',
    latency: 'Latency, p50',
    payments: 'Payments seen',
    delivery: 'Delivered when paid',
    trust: 'Trust',
    chains: 'Chains',
    category: 'Category',
    checked: 'Last checked',
    host: 'Endpoint',
  },
  nobody: 'Not confirmed',
  notBought: 'Not bought yet',
  delivered: (delivered: string, purchases: string) =>
    `${delivered} of ${count(purchases, 'test purchase', 'test purchases')}`,
  reported: (delivered: string, payers: string) =>
    `Payers: ${delivered} of ${count(payers, 'report', 'reports')}`,
  claimed: 'Wallet',
  domain: 'Domain',
}

export const ENGLISH_SELLER = {
  title: (address: string) => `Seller ${address}`,
  intro:
    'Services that are paid to this wallet. Anyone can list a wallet; entries that it has signed for are marked.',
  services: 'Services',
  verified: 'Verified',
  claimed: 'Signed by the wallet',
  payments: 'Payments seen',
  found: 'Services',
  missing: 'No service is paid to this address',
  feed: 'Follow changes (Atom feed)',
  missingHint: 'No service in this directory names this wallet. Check the address for typing errors.',
  more: 'All services paid to this wallet',
}
