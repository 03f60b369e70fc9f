// Signing in, and what owners do with their services, in English.
import { count } from '../wording.ts'

export const ENGLISH_OWNER = {
  signedInAs: 'Signed in as',
  signedInByKey: 'Signed in with an API key',
  signOut: 'Sign out',
  signIn: {
    title: 'Sign in',
    intro:
      'See how your services are doing, edit them, or discontinue them. Signing in is free and creates no account.',
    byWallet: 'With a wallet in this browser',
    byWalletText:
      'The wallet that is paid signs a message that names this directory. Signing costs nothing, and nothing is sent on chain.',
    unnamedWallet: 'Browser wallet',
    notSigned: 'The wallet did not sign the message, so you are not signed in.',
    noWallets: 'This directory accepts API keys only.',
    byHand: 'By signing a message',
    byHandText:
      'Get a message, sign it with any wallet, for example a hardware wallet, and paste the signature. Signing costs nothing.',
    address: 'Wallet address',
    getMessage: 'Get message',
    message: 'Message to sign',
    messageHelp:
      'Sign it exactly as shown, with the function of your wallet that signs messages. It is valid for five minutes.',
    signature: 'Signature',
    byKey: 'With an API key',
    byKeyText:
      'A key from the operator, or one that you created with your wallet. Your browser stores it for 12 hours in a cookie that scripts cannot read.',
    otherWay: 'Use another method',
  },
  title: 'Your services',
  intro: 'Services that you registered, and services paid to your wallet.',
  order: 'Those that need your attention come first, then the newest.',
  none: 'You have no services yet',
  noneHint: 'Paste the URL of your endpoint, and the form is filled in from it.',
  next: 'Older services',
  manage: 'Manage',
  /** Notes that are on the page of the service. */
  others: (notes: string) => `${count(notes, 'more note', 'more notes')} on its page`,
  publicPage: 'Public page',
  fine: 'No problems: the endpoint answers as listed.',
  mend: 'What you can do',
  hiddenSince: (time: string) =>
    `It has not been visible to others since ${time}, and payers are told to stop.`,
  hiddenWhy: 'Reason',
  hiddenMend:
    'Only the operator can show it again. You can ask the operator for a review, or remove the service.',
  operatorContact: 'Contact the operator',
  ofOthers: 'Listed by someone else',
  ofOthersText: 'It pays your wallet. Claim it, and only you can change it.',
  claim: 'Claim',
  probe: 'Probe now',
  probeSoon: 'The probe runs within seconds.',
  probeFrom: (time: string) => `After several requests, probes run one a minute. This one runs at ${time}.`,
  probed: (time: string) => `Probed ${time}.`,
  done: {
    probe: 'Probe requested.',
    edit: 'Saved.',
    retire: 'Discontinued.',
    restore: 'Brought back.',
    claim: 'The listing is yours now.',
    remove: 'Removed.',
    hook: 'Webhook created. No messages are sent until the receiver confirms.',
    test: 'The test message was delivered.',
    unhook: 'Webhook removed.',
  },
  proof: {
    title: 'Prove the domain',
    text: (host: string) =>
      `${host} has not named this listing yet. If it does, buyers see that the listing is from whoever runs the domain. Publish this file:`,
    place: 'Address',
    content: 'Content',
    fileNote: 'It is served with status 200, as application/json, and without a redirect.',
    when: 'The directory looks for it with every probe that you request, and otherwise once a day.',
    unverified: 'The proof counts once the service is verified.',
    look: 'Look for the proof now',
  },
  edit: 'Edit',
  editText: 'If you change the endpoint, network or address, its status, trust and history start over.',
  save: 'Save',
  retire: 'Discontinue the service',
  retireText:
    'The service stays listed as discontinued, with your message, and is not probed until you bring it back.',
  retireMessage: 'Your message to buyers',
  restore: 'Bring back',
  remove: 'Remove the service',
  removeText: 'The service is permanently removed from all lists. Only the record of its changes is kept.',
  removeSure: 'Yes, remove it permanently',
  removeButton: 'Remove service',
  rank: {
    ask: 'Why is this service not first?',
    text: 'Enter what a buyer would search for. You see the place of this service, what puts others before it, and what would help.',
    label: 'What a buyer would type',
    example: 'cheap weather forecast on Base',
    show: 'Show position',
    place: (place: string, total: string) => `Place ${place} of ${total}`,
    first: 'It comes first.',
    beyond: (total: string) => `Not among the first 100 of ${total}`,
    unfit: 'Not among the services that fit',
    before: 'Before it',
    decides: {
      words: 'has more of the words, or has them in a better place',
      meaning: 'is closer in meaning',
      standing: 'has more proof',
      wish: 'meets the wish better',
      seller: 'belongs to another provider, with fewer services before it',
      copy: 'has the stronger claim to the same name or text',
      danger: 'can be paid as it is listed',
      sample: 'is real',
      tie: 'has the same score, and is more trusted or older',
    },
    help: 'What would help',
  },
  hooks: 'Webhooks',
  hooksText:
    'Receive a signed message when the status, the price or the payment address changes, or a test purchase is made.',
  hooksConfirm:
    'To confirm, the receiver answers the message “webhook.challenge” within 10 seconds with a 2xx status and the value of data.challenge as the body. “Send test” sends it again.',
  hooksReference: 'The message and its answer in the API reference',
  hookUrl: 'Receiver URL',
  hookAdd: 'Add webhook',
  hookTest: 'Send test',
  hookRemove: 'Remove webhook',
  hookAll: 'all services',
  hookMine: 'your services',
  hookOf: (services: string) => count(services, 'service', 'services'),
  hookStates: {
    unconfirmed: 'Waiting for the receiver to confirm',
    active: 'Active',
    failing: 'Failing, will be retried',
    disabled: 'Disabled',
  },
  hooksNext: 'Next: let the receiver confirm',
  secret: 'Webhook secret, shown only once',
  secretText: 'The receiver verifies messages with this secret (Standard Webhooks).',
}

// Reporting a service to the operator, in English.
export const ENGLISH_REPORT = {
  link: 'Report this service',
  title: 'Report a service to the operator',
  intro:
    'Only the operator of this directory sees the report, and checks it. A report alone changes nothing, and is no way to get money back.',
  signInFirst:
    'Sign in with a wallet or an API key first. It is free, and keeps anybody from flooding the operator with reports.',
  kind: 'What is wrong',
  choose: 'Choose',
  kinds: {
    impostor: 'It poses as another service',
    bait_price: 'It charges more than it lists',
    no_delivery: 'It takes the payment and delivers nothing',
    malware: 'Its content is harmful',
    other: 'Something else',
  },
  text: 'What you saw, and when',
  textHelp:
    'Up to 1,000 characters. What the operator can check helps most, like the URL, the time, or a transaction.',
  seen: 'The operator also sees the wallet or key that you are signed in with.',
  send: 'Send the report',
  done: 'Reported',
  doneText: 'The operator has your report. You can report this service again once it is resolved.',
}

// Everything that is paid to one wallet, in English.

export const ENGLISH_SELLER = {
  title: (address: string) => `Services paid to ${address}`,
  intro:
    'Anyone can list this wallet as the payment address of a service. Listings that the wallet itself has confirmed are marked.',
  claimed: 'Confirmed by the wallet',
  order: 'Those with problems come first, then the most trusted.',
  payments: 'Payments',
  unwatched: 'Not watched',
  missing: 'No service is paid to this address',
  missingHint: 'No service in this directory names this wallet. Check the address for typing errors.',
  more: 'All services paid to this wallet',
}
