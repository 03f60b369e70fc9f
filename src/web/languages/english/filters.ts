// Filters and orders in English.

import { chainLabel } from '../../../domain/chains/chains.ts'
import { categoryLabels } from '../../../domain/listing/categories.ts'
import type { Status } from '../../../domain/standing/standing.ts'
import { withCents } from '../dollars.ts'
import type { FilterWords, MoneyWords, SortWords } from '../filter-words.ts'

export const ENGLISH_STATUSES: Readonly<Record<Status, string>> = {
  verified: 'Verified',
  unverified: 'Unverified',
  inactive: 'Inactive',
}

export const ENGLISH_FILTERS: FilterWords = {
  category: { label: 'Category', name: 'category', value: id => categoryLabels(id).en },
  chain: { label: 'Network', name: 'network', value: chainLabel },
  status: {
    label: 'Status',
    name: 'status',
    // Both have the status `inactive`.
    value: status =>
      status === 'inactive' ? 'Inactive or out of service' : ENGLISH_STATUSES[status as Status],
  },
  maxPricePerRequest: {
    label: 'Maximum price (not converted)',
    name: 'price',
    value: price => `Up to ${price}`,
    below: price => `Under ${price}`,
  },
  maxUsdPrice: {
    label: 'Maximum in US dollars',
    name: 'price in dollars',
    value: price => `Up to $${withCents(price)}`,
  },
  currency: { label: 'Currency', name: 'currency', value: code => code.toUpperCase(), any: 'Any currency' },
  freeQuota: { label: 'With free requests', name: 'free requests', value: () => 'Free requests' },
}

export const ENGLISH_MONEY: MoneyWords = {
  USD: amount => `$${withCents(amount)}`,
  EUR: amount => `€${withCents(amount)}`,
  JPY: amount => `¥${amount}`,
}

export const ENGLISH_SORTS: SortWords = {
  best: { desc: 'Best match', asc: 'Best match last' },
  trustScore: { desc: 'Highest trust', asc: 'Lowest trust' },
  price: { asc: 'Lowest price (not converted)', desc: 'Highest price (not converted)' },
  usdPrice: { asc: 'Lowest price', desc: 'Highest price' },
  latency: { asc: 'Lowest latency', desc: 'Highest latency' },
  name: { asc: 'Name, A to Z', desc: 'Name, Z to A' },
  newest: { desc: 'Newest', asc: 'Oldest' },
}
