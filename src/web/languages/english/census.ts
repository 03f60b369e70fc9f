// What the catalog is made of over time, in English.
import { withCents } from '../dollars.ts'
import { count } from './count.ts'

export const ENGLISH_CENSUS = {
  title: 'Census',
  intro:
    'What this directory contains, counted every day: open data on services that are paid per request. “Answering” are those that have answered a probe and are not inactive.',
  samples: (samples: string) => `${samples} not counted`,
  services: 'Services',
  alive: 'Answering',
  largest: (shown: string, all: string) => `The ${shown} largest of ${all}.`,
  verified: 'Verified',
  counts: 'Services by day',
  countsLabel: 'Services, answering and verified, day by day',
  countsOf: (day: string, services: string, alive: string, verified: string) =>
    `${day}: ${services} listed, ${alive} answering, ${verified} verified`,
  notCounted: (day: string) => `${day}: not counted`,
  firstDay: 'Counting started today. The chart grows day by day.',
  prices: 'Price per request by day (logarithmic scale)',
  pricesLabel: 'Price per request in US dollars, day by day, on a logarithmic scale',
  pricesNote: (known: string, free: string) =>
    `In US dollars, for the ${count(known, 'service', 'services')} whose price can be converted. ${free === '0' ? 'None' : free} of them ${free === '1' ? 'is' : 'are'} free.`,
  pricesOf: (day: string, middle: string, low: string, high: string) =>
    `${day}: median $${withCents(middle)}${low === high ? '' : ` ($${withCents(low)} to $${withCents(high)})`}`,
  noPrices: 'No price can be converted to US dollars yet.',
  p25: 'Lower quartile',
  p50: 'Median price',
  p75: 'Upper quartile',
  languages: 'By language',
  languagesNote: 'The language of the description, detected from its letters and common words.',
  undetermined: 'Other or unknown',
  unmet: 'Searches without results',
  unmetNote: (callers: string) =>
    `Common words that at least ${callers} callers searched for on one of the last 30 days, with the number of callers. Neither sentences nor callers are stored.`,
  /** A number of callers, with the counter of a language that has one. */
  callers: (number: string) => number,
  noUnmet: 'None so far.',
  data: 'Download:',
}
