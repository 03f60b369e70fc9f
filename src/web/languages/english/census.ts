// What the catalog is made of over time, in English.

export const ENGLISH_CENSUS = {
  title: 'Census',
  intro:
    'What this directory is made of, counted every day: open data for whoever wants to know how services paid per request are doing.',
  samples: (number: string) =>
    number === '1'
      ? 'One of these services is an invented example'
      : `${number} of these services are invented examples`,
  services: 'Services',
  alive: 'Alive',
  verified: 'Verified',
  counts: 'Services by day',
  countsLabel: 'Services, alive and verified, day by day',
  countsOf: (day: string, services: string, alive: string, verified: string) =>
    `${day}: ${services} listed, ${alive} alive, ${verified} verified`,
  notCounted: (day: string) => `${day}: not counted`,
  firstDay: 'Counting has begun today; the days to come continue the line.',
  prices: 'Price per request by day',
  pricesLabel: 'Price per request in US dollars, day by day',
  pricesNote: (known: string, free: string) =>
    `In US dollars, of ${known} services whose price can be told in them; ${free} of them cost nothing.`,
  pricesOf: (day: string, middle: string, low: string, high: string) =>
    `${day}: median $${middle} ($${low} to $${high})`,
  noPrices: 'No price can be told in US dollars yet.',
  p25: 'Lower quarter',
  p50: 'Median price',
  p75: 'Upper quarter',
  languages: 'By language',
  languagesNote: 'Of the description, judged by its letters and common words.',
  undetermined: 'other or undetermined',
  unmet: 'Searched and not found',
  unmetNote: (callers: string) =>
    `Common words that at least ${callers} callers searched for on one of the last 30 days, with the number of callers. Neither sentences nor callers are stored.`,
  noUnmet: 'Nothing so far.',
  data: 'The same as data:',
}
