// The operator's room, in English.
import type { Act, NEXT_STEPS } from '../../../domain/operating.ts'
import type { Scope } from '../../../domain/sign-in.ts'
import { count } from '../wording.ts'

/** Each with a further text. */
type Texts = Readonly<Record<string, readonly [text: string, more?: string]>>

const SUBJECTS: Texts = {
  overview: ['Overview', 'How the directory is doing, and what to do next.'],
  sources: [
    'Sources',
    'Lists and other directories whose services are here too. The server reads them regularly.',
  ],
  reports: ['Reports', 'What people say is wrong with a service. A report alone changes nothing.'],
  hidden: [
    'Hidden',
    'What is hidden is in no list and no search. Its page gives the reason, and payers are told to stop.',
  ],
  keys: ['Keys', 'Who may use the API. A key is shown once, when it is created.'],
  collections: [
    'Collections',
    'Named lists of services, wallets and hosts. In a policy, “collection:name” stands for the whole list.',
  ],
  spending: ['Spending', 'What agents spent with keys that have a policy, in the last 30 days.'],
  purchases: ['Purchases', 'What this directory buys, to see whether services deliver.'],
  backups: ['Backups', 'A backup is one file: a complete copy of the database.'],
  settings: ['Settings', 'The server reads them when it starts, from its environment and from .env.'],
}

const FIELDS: Texts = {
  url: [
    'Address',
    'URL of another Shirube, an x402 list, an export, or a website that documents its paid endpoints.',
  ],
  id: ['Collection', 'Its first item creates it. “approved” is what CATALOG=approved shows without a key.'],
  kind: ['Kind'],
  value: [
    'ID, address or host',
    'A wallet covers every service paid to it; a host also covers its subdomains.',
  ],
  why: ['Reason', 'Everybody can read it.'],
  items: [
    'List to import',
    'The content of a file that was exported here or in another directory, up to 64 KB at a time.',
  ],
  name: ['Name', 'What the key is for.'],
  scopes: ['Permissions'],
  days: ['Days until it expires', 'Empty: it never expires.'],
  policy: [
    'Policy',
    'For an agent: what it may use and spend, as JSON like the example below. Empty: everything.',
  ],
}

const ACTS: Readonly<Record<string, string>> = {
  preview: 'Preview',
  add: 'Follow',
  pause: 'Pause',
  resume: 'Resume',
  read: 'Read now',
  remove: 'Stop following',
  removeAll: 'Remove',
  settle: 'Mark as handled',
  hideReported: 'Hide and mark as handled',
  hide: 'Hide',
  show: 'Show again',
  collect: 'Add to collection',
  drop: 'Remove',
  import: 'Import',
  backUp: 'Back up now',
  create: 'Create key',
  change: 'Change policy',
  revoke: 'Revoke',
}

const SCOPES: Readonly<Record<Scope, string>> = {
  register: 'register and manage its services',
  admin: 'do everything, as an operator',
}

const STEPS: Readonly<
  Record<(typeof NEXT_STEPS)[number], readonly [title: (many: string) => string, text: string, link: string]>
> = {
  store_failing: [
    () => 'The database cannot be written',
    'The directory goes on answering from memory.',
    'State of the directory',
  ],
  not_probing: [
    () => 'No probes at the moment',
    'Verdicts grow old, and no new service becomes verified. Check that PROBE is not “off”, and what the log of the server says.',
    'See the settings',
  ],
  create_key: [
    () => 'Create a key of your own',
    'The link that brought you here works once. With a key you can sign in again.',
    'Create a key',
  ],
  add_source: [
    () => 'Bring in services',
    'Follow a public list: thousands of real services, each of them probed here.',
    'Choose a source',
  ],
  sources_failing: [
    many => count(many, 'source keeps failing', 'sources keep failing'),
    'Services already taken from a source stay, and are not updated.',
    'See the sources',
  ],
  settle_reports: [
    many => count(many, 'report is waiting', 'reports are waiting'),
    'Check each one, then mark it as handled or hide the service.',
    'See the reports',
  ],
  back_up: [() => 'Back up the database', 'There is no backup of the last seven days.', 'See the backups'],
}

const ACT_NAMES: Readonly<Record<Act['act'], string>> = {
  source_added: 'Source followed',
  source_paused: 'Source paused',
  source_resumed: 'Source resumed',
  source_read: 'Source read now',
  source_removed: 'Source removed',
  key_created: 'Key created',
  key_changed: 'Policy changed',
  key_revoked: 'Key revoked',
  hidden: 'Hidden',
  shown: 'Shown again',
  collected: 'Added to a collection',
  dropped: 'Removed from a collection',
  report_settled: 'Report handled',
  backed_up: 'Backed up',
  entered: 'Entered by the first link',
}

export const ENGLISH_OPERATOR = {
  title: 'Operator’s room',
  intro: 'For whoever runs this directory.',
  keyHelp:
    'A key with the scope “admin”. You stay signed in for 12 hours. On the server’s machine this makes one:',
  command: 'the command',
  notOperator: 'You are signed in with a key that is not an operator’s.',
  /** Titles of the pages, with what they are for. */
  subjects: SUBJECTS,
  /** Labels, with help. */
  fields: FIELDS,
  acts: ACTS,
  approve: 'Approve for agents',
  done: {
    add: 'The source is followed. It is read within seconds.',
    pause: 'Paused.',
    resume: 'Resumed. It is read within seconds.',
    read: 'It is read within seconds.',
    remove: 'The source is no longer followed. Its services stay.',
    settle: 'Marked as handled.',
    hideReported: 'Hidden, and marked as handled.',
    collect: 'Added to the collection.',
    drop: 'Removed from the collection.',
    import: 'Imported.',
    backUp: 'The backup is written.',
    revoke: 'Revoked. The key stops working within a second.',
  },
  /** On the pages of a directory without services. */
  way: 'If you run this directory: fill it with real services from a public list in the',
  nothing: 'None',
  never: 'never',
  now: 'Now',
  state: 'State',
  states: { starting: 'Starting', ready: 'Ready', degraded: 'Database unavailable' },
  sourcesOf: (all: string, failing: string) => (failing === '0' ? all : `${all}, ${failing} failing`),
  reportsOpen: 'Open reports',
  spentToday: 'Test purchases, 24 hours',
  spentOf: (spent: string, most: string) => (most === '0' ? `$${spent}` : `$${spent} of $${most}`),
  lastBackup: 'Last backup',
  levels: 'Services by what is proved',
  next: 'What to do next',
  nothingNext: 'Nothing needs your attention.',
  steps: STEPS,
  probeOff:
    'PROBE is “off” on this server, so it does not probe. Take it out of the environment or .env and restart, or start another server that probes.',
  log: 'Latest actions',
  actNames: ACT_NAMES,
  byCommand: 'by a command on the server',
  byKey: (key: string) => `by ${key}`,
  progress: (services: string, verified: string, waiting: string | undefined) =>
    `${count(services, 'service is', 'services are')} here, ${verified} verified${waiting === undefined ? '' : `; ${waiting} waiting for a probe`}.`,
  publicLists: 'Public lists',
  publicListsNote:
    'Each brings up to thousands of real services. None is trusted: every service is probed here before it counts as verified.',
  another: 'Another source',
  readSoon: 'It is read within seconds.',
  reading: (items: string) => `Being read: ${count(items, 'item', 'items')} so far`,
  entriesOf: (services: string) => `${count(services, 'service', 'services')} here`,
  droppedOf: (services: string) => `${services} dropped by the source`,
  dueAt: 'Next',
  pausedAt: 'Paused since',
  removeAll: 'Remove it with its services…',
  removeAllSure: (services: string) =>
    `Yes, stop following it and remove its ${count(services, 'service', 'services')}, except those with an owner here`,
  removedWith: (services: string) => `The source and ${count(services, 'service', 'services')} were removed.`,
  wouldBring: (kind: string, items: string | undefined) =>
    items === undefined
      ? `It can be read: ${kind}`
      : `It can be read: ${kind}, ${count(items, 'entry', 'entries')}`,
  noReports: 'No report is open.',
  reportedBy: 'Reported by',
  keyOfSettings: 'a key of API_KEYS',
  hideReported: 'Hide the service…',
  hiddenKinds: { service: 'Services', wallet: 'Wallets', host: 'Hosts' },
  kinds: { service: 'Service', wallet: 'Wallet', host: 'Host' },
  showSure: (name: string) => `Yes, let everybody find ${name} again`,
  noneHidden: 'None.',
  shownAgain: (services: string) => `Shown again: ${count(services, 'service', 'services')}.`,
  hidNow: (services: string) =>
    `Hidden: ${count(services, 'service', 'services')}. What comes later is hidden too.`,
  unknownIds: 'Not here',
  list: 'The list as a file',
  listNote: 'Take it to another directory, or bring one in. Importing it twice changes nothing.',
  download: 'Export',
  followedCollections: 'Followed from other directories',
  itemsOf: (items: string) => count(items, 'item', 'items'),
  nothingSpent: 'No agent has reserved a payment in the last 30 days.',
  spentBy: { agent: 'By key', seller: 'By seller', day: 'By day (UTC)' },
  spendingNames: { agent: 'Key', seller: 'Seller', day: 'Day' },
  spendingColumns: ['Payments', 'Paid', 'Seen on chain', 'Reserved'],
  spentInAll: (usd: string) => `$${usd} paid in all`,
  spendingNote:
    'Paid is what agents reported, and counts against their budgets. Seen on chain is the part of it that this directory has found there. Reserved is not paid yet.',
  spendingFile: 'Export as CSV',
  buysNothing: (isKeyMissing: boolean, isBudgetNone: boolean) =>
    `No purchases at present: ${[isBudgetNone ? 'BUDGET_PER_DAY is 0' : '', isKeyMissing ? 'BUYER_KEY_FILE is not set' : ''].filter(Boolean).join(' and ')}.`,
  transaction: 'Transaction',
  budget: (spent: string, most: string) =>
    `${most === '0' ? `$${spent} was` : `$${spent} of $${most} were`} spent in the last 24 hours.`,
  purchaseStates: {
    reserved: 'Reserved',
    signed: 'Signed, outcome open',
    settled: 'Paid',
    released: 'Released',
    unknown: 'Outcome unknown',
  },
  backups: 'Files',
  backupsNote: (folders: string) =>
    `${folders && `In ${folders} on the server. `}Each holds everything, including webhook secrets.`,
  restore: (path: string) =>
    `To go back to one: stop every process on the database, delete \`${path}-wal\` and \`${path}-shm\` if they are there, put the file at \`${path}\`, and start the server. What changed since is lost.`,
  backedUpElsewhere:
    'The database is on a server: use its pg_dump, or “shirube copy sqlite:<file>”. To go back, read the dump into an empty database with pg_restore, and name that in DATABASE_URL.',
  nightly: (folder: string) => `One is written every night to ${folder}, and the last seven are kept.`,
  notNightly: 'To have one every night, set BACKUP_FOLDER to a folder and restart.',
  changedSettings: 'Changed',
  notSet: 'not set',
  /** By name; those of `.env.example` for the others. */
  settingTexts: {} as Readonly<Record<string, string>>,
  /** By the headings of `.env.example`, which are in English. */
  settingGroups: {} as Readonly<Record<string, string>>,
  origins: { default: 'default', '.env': 'the file .env', environment: 'environment' },
  unknownSetting: 'A variable that is not a setting',
  scopes: SCOPES,
  noScopes: (hasPolicy: boolean): string => (hasPolicy ? 'read, and pay within its policy' : 'read only'),
  policyExample: 'A policy, as an example',
  policyFields: 'All fields of a policy',
  ownKeys: 'Keys made by operators',
  walletKeys: (number: string) => `Keys of wallets (${number})`,
  walletKeysNote: 'Wallets get them by signing in. The newest are shown.',
  endedKeys: 'Revoked and expired',
  ownKey: 'This is the key you are signed in with.',
  revokeSure: 'Yes, revoke it: whoever uses it is refused within a second',
  revokeOwnSure: 'Yes, revoke the key I am signed in with: it signs me out',
  created: (name: string) => `${name}: the key, shown only once`,
  createdNote: 'Store it now where it is used.',
  changed: 'Policy changed:',
  allows: (count: number, text: string) =>
    count === 0
      ? 'Its policy allows nothing that is listed here today.'
      : `Its policy allows ${text} of the services that are listed here today.`,
  createdAt: 'Created',
  lastUsed: 'Last used',
  expires: 'Expires',
  revokedAt: 'Revoked',
}
