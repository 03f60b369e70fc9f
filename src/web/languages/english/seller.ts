// Everything that is paid to one wallet, in English.

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
