// Services side by side, and everything of one seller, in English.

const count = (number: string, one: string, many: string) => `${number} ${number === '1' ? one : many}`

export const ENGLISH_COMPARE = {
  title: 'Compare',
  intro: 'What was seen of each, side by side. The best of a row is marked.',
  empty: 'Nothing is chosen yet',
  emptyHint: 'Tick up to four services among the results of a search, then press “Compare the chosen”.',
  most: (number: string) => `Only the first ${number} are compared.`,
  unknown: (ids: string) => `Not here: ${ids}`,
  remove: (name: string) => `Take out ${name}`,
  best: 'best',
  row: 'What',
  rows: {
    status: 'Status',
    backing: 'Who stands behind it',
    price: 'Price per request',
    dollars: 'In dollars, as asked',
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
  nobody: 'nobody',
  claimed: 'its wallet',
  domain: 'its domain',
}

export const ENGLISH_SELLER = {
  title: (address: string) => `Seller ${address}`,
  intro:
    'Entries that are paid at this wallet. Anybody can list a wallet: what it has signed for itself says so.',
  services: 'Services',
  verified: 'Verified',
  claimed: 'Signed by the wallet',
  payments: 'Payments seen',
  found: (number: string) => count(number, 'service', 'services'),
  missing: 'Nothing is paid at this address',
  feed: 'Follow what happens to them (Atom)',
  missingHint: 'No service here names it, or the address is mistyped.',
  more: 'Everything that is paid at this wallet',
}
