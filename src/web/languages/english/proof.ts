// The facts behind the verdict on a service, what was seen of it over time, and what there is to warn of, in English.
import { count, withCents } from '../wording.ts'

export const ENGLISH_PROOF = {
  tiles: 'Verdict',
  asksFor: 'Asks for',
  asksListed: (listed: string) => `${listed} per request, as listed`,
  asksOther: (price: string, listed: string) => `${price} per request (listed at ${listed})`,
  unseenPrice: (listed: string) => `Listed at ${listed} per request; the endpoint has not confirmed it`,
  payable: {
    title: 'Who can pay',
    anyone: 'Any official x402 client, unmodified',
    configured: (what = 'its asset') => `Official x402 clients, once they allow ${what}`,
    mpp: 'Clients of MPP only',
    nobody: 'No official x402 client, because none can sign what the endpoint asks for',
  },
  bought: 'Bought',
  boughtHere: (purchases: string, delivered: string) =>
    `${count(purchases, 'test purchase', 'test purchases')} by this directory, ${delivered} delivered`,
  notBought: 'No test purchase by this directory yet',
  noPayments: 'No payments seen on chain',
  asks: (price: string) => `Endpoint asks ${price}`,
  asksToPay: 'Endpoint asks to pay',
  dollarsAt: (amount: string, date: string) => `about $${withCents(amount)}, rate of ${date}`,
  noDollars: 'No dollar rate',
  answeredOf: (up: string, all: string, days: string) =>
    `${up} of ${count(all, 'probe', 'probes')} answered in ${count(days, 'day', 'days')}`,
  termsVerified: 'Terms verified',
  percent: (number: string) => `${number}%`,
  ms: (number: string) => `${number} ms`,
  seconds: (number: string) => `${number} s`,
  paidBy: (payments: string, payers: string | undefined, sum: string) =>
    `${count(payments, 'payment', 'payments')} on chain${payers === undefined ? '' : ` from ${count(payers, 'wallet', 'wallets')}`}, ${sum} in total`,
  unknown: 'Not known',
  chainUnread: 'Payments by others are not watched',
  nobody: 'Not confirmed by wallet or domain',
  title: 'Evidence',
  deliveredOf: (delivered: string, purchases: string) =>
    `${delivered} of ${count(purchases, 'test purchase', 'test purchases')} delivered`,
  trustOf: (score: string) => `Trust ${score} of 100`,
  legend: {
    fine: 'Answered',
    care: 'Answered, not as listed',
    stop: 'No answer',
    none: 'Not probed',
  },
  prices: 'Price history',
  priceSame: (price: string, since: string) => `Listed at ${price} since ${since} without changes.`,
  priceChanges: (changes: string, day: string) =>
    `${count(changes, 'change', 'changes')}, the last on ${day}`,
  priceHeads: { when: 'When', before: 'Before', after: 'After', by: 'Source' },
  priceFirst: 'First listed',
  priceListed: 'Listing changed',
  priceSeen: 'Seen at the endpoint',
}

// The alerts at the top of a service page, in English.
const SOON = 'Once it is fixed, the next probe, within the hour, removes this warning.'

export const ENGLISH_ALERTS = {
  label: 'Read this first',
  mend: 'If this is your service',
  seen: (time: string) => `Seen ${time}.`,
  since: (time: string) => `Since ${time}.`,
  sample: {
    title: 'Invented sample',
    text: 'This listing is part of the sample catalog. Nobody offers it, its endpoint leads nowhere, and it must not be paid.',
  },
  retired: {
    title: 'Discontinued',
    said: (message: string) => `Message from whoever listed it: “${message}”`,
    text: 'Whoever listed it has discontinued it.',
    advice: 'Do not pay, even if the endpoint still answers.',
    mend: 'Bring it back; it is “Unverified” until it is probed again.',
  },
  asksMore: {
    title: (price: string, listed: string) => `Asks ${price}, listed at ${listed}`,
    advice:
      'Your client may pay this unless it has a limit. Set one at the listed price, or do not use this service.',
    mend: `List the price that your endpoint asks for, or change the endpoint to the listed price. ${SOON}`,
  },
  asksLess:
    'A lower price than listed is no mistake, but filters and comparisons use the listed one. List the price that your endpoint asks for.',
  rechecking: {
    title: 'Not probed since you changed the price',
    text: 'The endpoint is probed again within seconds.',
  },
  otherWallet: {
    title: 'Asks you to pay another wallet',
    text: (asked: string, listed: string) => `The endpoint asks to pay ${asked}, and ${listed} is listed.`,
    advice: 'Do not pay unless you know whose wallet that is.',
    mend: `List the wallet that your endpoint names. If it should not name that wallet, someone has changed your endpoint. ${SOON}`,
  },
  otherNetwork: {
    title: (network: string) => `Takes no payment on ${network}`,
    text: (asked: string) => `The endpoint takes payment on ${asked} only.`,
    mend: `List the network on which your endpoint is paid, or take payment on the listed one. ${SOON}`,
  },
  silent: {
    title: (since: string) => `Has failed every probe since ${since}`,
    never: 'Has failed every probe',
    mend: 'Two good answers in a row bring it back. “Probe now” under “Your services” probes it immediately.',
  },
  failing: {
    title: 'Failed the last probe',
    mend: 'After three failures in a row it is listed as not answering. One good answer removes this warning.',
  },
  unverified: {
    title: 'Unverified',
    mend: 'Make the endpoint answer 402 with the listed wallet, network and price. “Check an endpoint” shows what is still missing.',
  },
  undelivered: {
    never: 'Did not deliver as declared',
    often: 'Often does not deliver',
    sometimes: 'Does not always deliver',
    advice: 'Where nothing was delivered, the provider kept the payment.',
    elsewhere: 'The same provider answers and is paid there, so expect the same here.',
    mend: 'Fix the endpoint. This changes when this directory next makes a test purchase. “Evidence” on the public page shows what came back.',
  },
  refused: {
    title: 'The probe is refused',
    advice:
      'Your client may be refused in the same way. If it is let through, limit what you pay to the listed price.',
    mend: (whatToDo: string) => `${whatToDo} Then use “Probe now”.`,
  },
  waiting: {
    title: 'Not probed yet',
    text: 'The endpoint has not been probed yet, so nothing in this listing is confirmed.',
  },
  declined: {
    title: 'Its provider asked not to be probed',
    mend: 'Remove "probe": false from the file, then use “Probe now”.',
  },
  reserved: {
    title: 'Never probed',
    mend: 'Enter the real host of the endpoint.',
  },
  address: {
    title: 'Nothing can be paid there',
    mend: 'Correct the payment address or the network of this listing.',
  },
  stranger: {
    title: 'Listed by a stranger',
    text: 'The wallet or the domain of this endpoint has confirmed another listing: ',
    advice: 'Use that one.',
  },
  namesake: {
    title: 'Another service has the same or a similar name',
    text: 'It was listed separately and may have nothing to do with this one: ',
    advice: 'Compare them before you pay.',
    mend: 'Choose a name that cannot be mistaken for the other, or claim yours with its wallet or domain.',
  },
  payees: (own: string, other: string) => `This one is paid to ${own}, the other to ${other}.`,
  neighbour: { title: 'Listed twice', text: 'The same endpoint was also listed separately: ' },
  secretInUrl: {
    title: 'The URL seems to contain a key',
    text: (name: string) => `Everybody can read the value of “${name}”: the URL is published as it is.`,
    mend: 'List the URL without it. If the key was in use, replace it.',
  },
  claim:
    'Claim this listing: sign in with the wallet that is paid, or publish its id or wallet on your domain.',
  mppOnly: { word: 'MPP only', title: 'x402 clients cannot pay' },
  refusedByDefault: 'Official clients refuse it by default',
  terms: 'Notes on payment',
}
