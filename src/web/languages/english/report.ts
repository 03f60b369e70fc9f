// Reporting a service to the operator, in English.
export const ENGLISH_REPORT = {
  link: 'Report this service',
  title: 'Report a service to the operator',
  intro:
    'Only the operator of this directory sees the report, and checks it. It changes nothing by itself, and is no way to get money back.',
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
  already: 'You have reported this service before',
  alreadyText: 'That report is still open, so this one was not added:',
}
