// Services side by side, and everything of one seller, in English.

export const ENGLISH_COMPARE = {
  title: 'Compare',
  intro: 'Services side by side.',
  introMarked: 'Services side by side. The best value in a row is marked.',
  empty: 'No services selected',
  emptyHint: 'Select up to four services in the search results, then choose “Compare selected”.',
  most: (number: string) => `Only the first ${number} are compared.`,
  unknown: (ids: string) => `Not found: ${ids}`,
  remove: (name: string) => `Remove ${name}`,
  best: 'best',
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
    trust: 'Trust',
    chains: 'Chains',
    category: 'Category',
    checked: 'Last checked',
    host: 'Endpoint',
  },
  nobody: 'Not confirmed',
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
