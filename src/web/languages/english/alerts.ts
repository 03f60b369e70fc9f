// What stands in the band above a service when something is wrong, in English.

const SOON = 'The next probe, within the hour, takes this warning away.'

export const ENGLISH_ALERTS = {
  label: 'Read this first',
  mend: 'If this is your service',
  seen: (time: string) => `Seen ${time}.`,
  sample: {
    title: 'Invented',
    text: 'An entry of the sample catalog: nobody offers it, its endpoint leads nowhere, and all of its figures are made up.',
  },
  retired: {
    title: 'Out of service',
    because: (message: string) => `Out of service: ${message}`,
    text: 'Its provider has withdrawn it. Do not pay, even if something still answers there.',
    mend: 'Bring it back under “Your services”; it is then probed at once.',
  },
  asksMore: {
    title: (price: string, listed: string) => `Asks ${price}, listed at ${listed}`,
    text: 'A client without a limit pays the higher price. Limit yours to the listed price, or do not use it.',
    mend: `List the price that your endpoint asks for, or change the endpoint to the listed price. ${SOON}`,
  },
  otherWallet: {
    title: 'Pays another wallet',
    text: (asked: string, listed: string) =>
      `The endpoint asks to pay ${asked}, not only the listed ${listed}. Do not pay before you know whose it is.`,
    mend: `List the wallet that your endpoint names; if it should not name it, somebody has changed your endpoint. ${SOON}`,
  },
  otherNetwork: {
    title: (network: string) => `Takes no payment on ${network}`,
    text: (asked: string) => `The endpoint takes payment on ${asked} only.`,
    mend: `List the network on which your endpoint is paid, or take payment on the listed one. ${SOON}`,
  },
  silent: {
    title: (since: string) => `Has not answered since ${since}`,
    never: 'Has never answered',
    mend: 'Two answers in a row bring it back. “Probe now” under “Your services” probes it at once.',
  },
  failing: {
    title: 'Did not answer the last probe',
    mend: 'Three failures in a row make it inactive; one answer ends this.',
  },
  unverified: {
    title: 'Not verified',
    mend: 'Make the endpoint answer 402 with the listed wallet, network and price. “Read it from the endpoint” on the page to register shows what is still missing.',
  },
  waiting: { title: 'Not checked yet', text: 'Nothing about its endpoint has been confirmed so far.' },
  address: {
    title: 'Nothing can be paid there',
    mend: 'Correct the payment address or the network of this entry.',
  },
  stranger: {
    title: 'Listed by a stranger',
    text: 'Its wallet or its domain has confirmed another entry for this endpoint; go by that one: ',
  },
  namesake: {
    title: 'Another service has a name that looks like this one',
    text: 'It is somebody else’s. Compare endpoint and address before you pay: ',
  },
  neighbour: { title: 'Listed twice', text: 'An entry of somebody else has the same endpoint: ' },
  claim: 'Claim this entry: sign in with the wallet that is paid, or let your domain name it.',
  terms: { title: 'Before you pay' },
}
