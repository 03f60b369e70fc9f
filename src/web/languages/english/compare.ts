// Services side by side, and everything that is paid to one wallet, in English.

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
    payments: 'Payments',
    delivery: 'Delivered when paid',
    trust: 'Trust',
    chains: 'Networks',
    category: 'Category',
    checked: 'Last probed',
    host: 'Endpoint',
  },
  nobody: 'Not confirmed',
  notBought: 'Not bought yet',
  delivered: (delivered: string, purchases: string) => `${delivered} of ${purchases} test purchases`,
  reported: (delivered: string, payers: string) => `${delivered} of ${payers} payer reports`,
  claimed: 'Wallet',
  domain: 'Domain',
}

export const ENGLISH_SELLER = {
  title: (address: string) => `Services paid to ${address}`,
  intro:
    'Anyone can list this wallet as the payment address of a service. Listings that the wallet itself has claimed are marked.',
  services: 'Services',
  verified: 'Verified',
  claimed: 'Claimed by the wallet',
  payments: 'Payments',
  found: 'Services',
  missing: 'No service is paid to this address',
  feed: 'Follow changes (Atom feed)',
  missingHint: 'No service in this directory names this wallet. Check the address for typing errors.',
  more: 'All services paid to this wallet',
}
