// What stands in the band above a service when something is wrong, in English.
import { count } from './count.ts'

const SOON = 'The next probe, within the hour, removes this warning.'

export const ENGLISH_ALERTS = {
  label: 'Read this first',
  mend: 'If this is your service',
  seen: (time: string) => `Seen ${time}.`,
  sample: {
    title: 'Invented sample',
    text: 'This entry is part of the sample catalog. Nobody offers it, its endpoint leads nowhere, and all of its figures are made up.',
  },
  retired: {
    title: 'Out of service',
    because: (message: string) => `Out of service: ${message}`,
    text: 'The provider has withdrawn this service. Do not pay, even if the endpoint still answers.',
    mend: 'Bring it back under “Your services”. It is then probed immediately.',
  },
  asksMore: {
    title: (price: string, listed: string) => `Asks ${price}, listed at ${listed}`,
    text: 'A client without a spending limit pays the higher price. Set a limit at the listed price, or do not use this service.',
    mend: `List the price that your endpoint asks for, or change the endpoint to the listed price. ${SOON}`,
  },
  otherWallet: {
    title: 'Pays another wallet',
    also: (asked: string, listed: string) =>
      `The endpoint asks to pay ${asked}, not only the listed ${listed}. Do not pay unless you know whose wallet that is.`,
    instead: (asked: string, listed: string) =>
      `The endpoint asks to pay ${asked}, not the listed ${listed}. Do not pay unless you know whose wallet that is.`,
    mend: `List the wallet that your endpoint names. If it should not name that wallet, someone has changed your endpoint. ${SOON}`,
  },
  otherNetwork: {
    title: (network: string) => `Takes no payment on ${network}`,
    text: (asked: string) => `The endpoint takes payment on ${asked} only.`,
    mend: `List the network on which your endpoint is paid, or take payment on the listed one. ${SOON}`,
  },
  silent: {
    title: (since: string) => `Has not answered since ${since}`,
    never: 'Has never answered',
    mend: 'Two answers in a row bring it back. “Probe now” under “Your services” probes it immediately.',
  },
  failing: {
    title: 'Did not answer the last probe',
    mend: 'Three failures in a row make it inactive. One answer removes this warning.',
  },
  unverified: {
    title: 'Not verified',
    mend: 'Make the endpoint answer 402 with the listed wallet, network and price. “Read from endpoint” on the registration page shows what is still missing.',
  },
  undelivered: {
    title: (delivered: string, purchases: string) =>
      `Delivered in ${delivered} of ${count(purchases, 'test purchase', 'test purchases')}`,
    text: 'This directory paid for the service as a customer. The purchases are listed below.',
    mend: 'See what came back under “Purchases by this directory”, and correct it. The next purchase counts again.',
  },
  waiting: {
    title: 'Not checked yet',
    text: 'The endpoint has not been probed yet, so nothing in this listing is confirmed.',
  },
  address: {
    title: 'Nothing can be paid there',
    mend: 'Correct the payment address or the network of this entry.',
  },
  stranger: {
    title: 'Listed by a stranger',
    text: 'The owner of this endpoint has confirmed another entry. Use that one: ',
  },
  namesake: {
    title: 'Another service has a similar name',
    text: 'It belongs to someone else. Compare the endpoint and the address before you pay: ',
  },
  neighbour: { title: 'Listed twice', text: 'Someone else has listed the same endpoint: ' },
  claim: 'Claim this entry: sign in with the wallet that is paid, or name the entry on your domain.',
  terms: { title: 'Before you pay' },
}
