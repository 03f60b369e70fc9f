// What the pages say in English. The shape is that of every other language.
import { chainLabel } from '../../../domain/chains/chains.ts'
import { LANGUAGE_CHOICE } from '../../../domain/languages/languages.ts'
import { categoryLabels } from '../../../domain/listing/categories.ts'
import type { Filters } from '../../../domain/queries/filters.ts'
import type { Level, Status } from '../../../domain/standing/standing.ts'
import { toProtocolName } from '../../../domain/terms/terms.ts'
import { words } from '../../../messages/kinds.ts'
import { count, type FilterWords, type MoneyWords, type SortWords, withCents } from '../wording.ts'
import { ENGLISH_ABOUT, ENGLISH_PROBING, ENGLISH_STATUS } from './about.ts'
import { ENGLISH_OPERATOR } from './operator.ts'
import { ENGLISH_OWNER, ENGLISH_REPORT, ENGLISH_SELLER } from './owner.ts'
import { ENGLISH_ALERTS, ENGLISH_PROOF } from './proof.ts'

const ENGLISH_STATUSES: Readonly<Record<Status, string>> = {
  verified: 'Verified',
  unverified: 'Unverified',
  inactive: 'Not answering',
}

const ENGLISH_LEVELS: Readonly<Record<Level, string>> = {
  danger: 'Do not pay',
  listed: 'Listed',
  verified: 'Verified',
  paid: 'Paid by others',
  delivers: 'Delivered in a test',
}

const PROVED: Readonly<Partial<Record<string, string>>> = {
  verified: ENGLISH_PROOF.termsVerified,
  // It also finds what this directory bought.
  paid: 'Bought at least once',
  delivers: 'Delivered in a test at least once',
}

const ENGLISH_FILTERS: FilterWords = {
  category: { label: 'Category', name: 'category', value: id => categoryLabels(id).en },
  chain: { label: 'Network', name: 'network', value: chainLabel },
  status: {
    label: 'Status',
    name: 'status',
    // Both have the status `inactive`.
    value: status =>
      status === 'inactive' ? 'Not answering or discontinued' : ENGLISH_STATUSES[status as Status],
  },
  level: {
    label: 'Proved',
    name: 'level',
    // Each says what one success is enough for: others may have failed since, which the verdict then tells.
    value: level => PROVED[level] ?? ENGLISH_LEVELS[level as Level],
  },
  maxPricePerRequest: {
    label: 'Maximum price (not converted)',
    name: 'price',
    value: price => `Up to ${price}`,
    below: price => `Under ${price}`,
  },
  maxUsdPrice: {
    label: 'Maximum (US$)',
    name: 'price in dollars',
    value: price => `Up to $${withCents(price)}`,
  },
  currency: { label: 'Currency', name: 'currency', value: code => code.toUpperCase() },
  protocol: { label: 'Paid by', name: 'protocol', value: toProtocolName },
  freeQuota: { label: 'With free requests', name: 'free requests', value: () => 'Free requests' },
}

const ENGLISH_MONEY: MoneyWords = {
  USD: amount => `$${withCents(amount)}`,
  EUR: amount => `€${withCents(amount)}`,
  JPY: amount => `¥${amount}`,
}

const ENGLISH_SORTS: SortWords = {
  best: { desc: 'Best match', asc: 'Best match last' },
  trustScore: { desc: 'Highest trust', asc: 'Lowest trust' },
  usdPrice: { asc: 'Lowest price', desc: 'Highest price' },
  latency: { asc: 'Lowest latency', desc: 'Highest latency' },
  name: { asc: 'Name, A to Z', desc: 'Name, Z to A' },
  newest: { desc: 'Newest', asc: 'Oldest' },
}

export const ENGLISH_WORDS = {
  name: 'Shirube',
  tagline: 'A directory of APIs you pay by the request',
  feeds: {
    new: 'New services',
    changed: 'Services that changed',
    broken: 'Services that are no longer verified',
    search: (question: string) => `Services for “${question}”`,
  },
  skip: 'Skip to content',
  nav: {
    label: 'Pages',
    search: 'Search',
    catalog: 'Catalog',
    register: 'Register',
    about: 'About',
    api: 'API',
  },
  /** Between a name and what is said of it. */
  colon: ': ',
  copy: 'Copy',
  copied: 'Copied',
  copyWhat: (what: string) => `Copy ${what}`,
  statuses: ENGLISH_STATUSES,
  levels: ENGLISH_LEVELS,
  /** In place of the status. */
  verdict: {
    sample: 'Invented sample',
    /** Its owner has ended the service; `inactive` alone is one that does not answer. */
    retired: 'Discontinued',
  },
  /** A number of services, probes, payments and so on, with the counter of a language that has one. */
  items: (number: string) => number,
  perRequest: 'per request',
  free: (quota: string) => `First ${quota === '1' ? 'request' : `${quota} requests`} free`,
  furtherChains: (more: string) => `${more} more`,
  sampleNote: 'Sample data. Start your own with',
  footer: {
    label: 'More',
    reference: 'API reference',
    document: 'OpenAPI',
    exported: 'Export',
    note: 'Names and descriptions are written by whoever registered the service.',
  },
  docs: {
    inEnglish: 'The reference is in English.',
    /** Where the document says it in another language. */
    intro: undefined as string | undefined,
    groups: {} as Readonly<Record<string, string>>,
    errors: 'Errors',
    headers: 'Headers',
    schemas: 'Schemas',
    parameters: 'Parameters',
    responses: 'Responses',
    errorHeads: ['Code', 'Status', 'Title', 'Example'],
    responseHeads: ['Status', 'Description', 'Body', 'Headers'],
    version: (version: string) => `Version ${version}. The same for programs:`,
    openapi: 'OpenAPI document',
    /** The page of a group. */
    whole: 'Parameters, answers and examples',
    furtherPaths: (number: string) => `and ${number} more`,
    quickStart: 'Quick start',
    steps: {
      search: 'Find a service by a sentence',
      call: 'Get code that calls and pays it, by the ID of a result',
      resolve: 'Ask whether a payment is safe',
      mcp: 'The same for agents: the MCP server',
    },
  },
  loading: 'The catalog is still loading. Reload in a moment.',
  /** How the reader sees what comes of it. */
  result: { reload: 'Reload this page to see the result.', comes: 'This page updates by itself.' },
  failures: {
    not_found: 'Page not found',
    method_not_allowed: 'This is not possible here',
    hidden: 'Hidden by the operator',
    rate_limited: 'Too many requests',
    not_ready: 'Still loading',
    store_unavailable: 'The database cannot be reached',
    internal: 'Something went wrong',
    other: 'This did not work',
  },
  tryAgain: 'Try again in a moment. If the problem persists, the status page shows what is not working: ',
  requestId: 'To report it, give the operator the number of this request',
  search: {
    title: 'Find an API and pay by the request',
    intro: `Describe what you need in ${LANGUAGE_CHOICE}. No account, no subscription: an x402 service states its price and is paid with each request.`,
    box: 'What do you need?',
    button: 'Search',
    examples: 'For example',
    orTry: 'Or try',
    /** Each is offered where the catalog has what it asks for. */
    exampleQuestions: [
      {
        q: 'weather under 1 cent on Base',
        wanted: { category: 'weather', chain: 'base', maxUsdPrice: '0.0099' },
      },
      { q: 'read text from a receipt', wanted: { category: 'ocr' } },
      { q: 'translate a contract into Japanese', wanted: { category: 'translation' } },
    ] as readonly { readonly q: string; readonly wanted: Filters }[],
    proof: (services: string, verified: string, bought: string) =>
      `${count(services, 'service', 'services')} · ${verified} verified · ${bought} bought`,
    lastProbe: 'last probe',
    found: (number: string) => count(number, 'service', 'services'),
    foundFor: (found: string, question: string) => `${found} for “${question}”`,
    noneFor: (question: string) => `No service matches “${question}”`,
    all: (found: string) => `All ${found}`,
    why: 'Why',
    none: 'No services found',
    noneYet: 'No services yet',
    noneHints: {
      words: 'Try other words, or fewer of them.',
      conditions: 'Try fewer conditions.',
      both: 'Try other words or fewer conditions.',
    },
    noneWith: (name: string, value: string) => `No service has the ${name} “${value}”.`,
    withoutInvalid: 'Search with the other conditions',
    browse: 'Browse the catalog by category',
    follow: 'Follow this search',
    followNote: 'the feed lists matching services as they are added.',
    weak: 'Only distantly related',
    weakNote: 'They probably do not do what you need.',
    up: (percent: string) => `${percent} up`,
    about: (dollars: string) => `about $${withCents(dollars)}`,
    moreFor: 'Other choices',
    total: 'Total, one request each',
    allSteps: (found: string) => `${found} that match words of the sentence`,
    inSteps: (question: string) => `A plan for “${question}”`,
    excluded: 'Exclusions',
    wished: 'Preferences',
    excludedChains: (names: string) => `Not: ${names}`,
    wishes: {
      cheap: 'Low prices preferred',
      reliable: 'Reliable preferred',
      fast: 'Fast responses preferred',
      free: 'Free preferred',
    },
    nearest: (relaxed: string) => `Closest matches without “${relaxed}”`,
    invalid: 'This search is not valid',
    /** Names of URL parameters other than filters, for messages about an invalid value. */
    parameters: {
      q: 'Search',
      sortBy: 'Sort by',
      sortOrder: 'Sort direction',
      offset: 'Position',
    } as Readonly<Record<string, string>>,
    notPossible: (given: string) => `“${given}” is not a valid value. `,
    notOneOf: (values: readonly string[]) =>
      `Choose one of these: ${values.map(value => `“${value}”`).join(', ')}.`,
    understood: 'Understood as',
    narrowed: 'Filtered by',
    remove: (what: string) => `Remove: ${what}`,
    restore: (what: string) => `Apply again: ${what}`,
    absent: (tokens: readonly string[]) =>
      `No service here mentions ${tokens.map(token => `“${token}”`).join(' or ')}.`,
    unapplied: (text: string, why: string) => `“${text}” was ignored: ${why}.`,
    filters: 'Filters',
    any: 'Any',
    price: 'Price per request',
    maxIn: (currency: string) => `Maximum in ${currency}`,
    more: 'More',
    sortBy: 'Sort by',
    sorts: ENGLISH_SORTS,
    whatIsTrust: 'What is trust?',
    apply: 'Apply',
    clear: 'Clear all',
    pages: 'Pages of results',
    page: (page: string, pages: string) => `Page ${page} of ${pages}`,
    cut: (shown: string) => `These are the best ${shown}. Add a condition to see others.`,
    previous: 'Previous',
    next: 'Next',
    curl: 'The same search as an API call',
  },
  filters: ENGLISH_FILTERS,
  money: ENGLISH_MONEY,
  alerts: ENGLISH_ALERTS,
  proof: ENGLISH_PROOF,
  seller: ENGLISH_SELLER,
  owner: ENGLISH_OWNER,
  operator: ENGLISH_OPERATOR,
  report: ENGLISH_REPORT,
  service: {
    registered: 'Registered',
    backing: 'Provider',
    confirmed: {
      both: 'Confirmed by wallet and domain',
      byWallet: 'Confirmed by its wallet',
      byDomain: 'Confirmed by its domain',
    },
    claimedByListed: 'Claimed by the listed wallet',
    claimedNote: 'The listed wallet has signed for this listing.',
    claimedAlone: 'This alone proves nothing about the endpoint.',
    provedBy: (host: string) => `Domain proved: ${host}`,
    provedNote: {
      wallet: 'The domain of the endpoint names the wallet that is paid.',
      id: 'The domain of the endpoint names this listing.',
    },
    notBacked:
      'Not confirmed: neither the wallet that is paid nor the domain of the endpoint has confirmed this listing yet.',
    registeredNow: 'It can be found in search from now on.',
    registeredNext:
      'The directory probes the endpoint within seconds, without paying. The service becomes verified when the answer names your address on your network and asks for no more than your price.',
    readOn: 'Read on',
    hiddenAdvice: 'Do not pay this service',
    missing: 'Service not found',
    missingHint: 'It may have been removed, or the address may be wrong.',
    toSearch: 'Search the catalog',
    others: (category: string) => `Choose another: ${category}`,
    endpoint: 'Endpoint',
    chains: 'Networks',
    price: 'Price',
    tool: 'MCP tool',
    lastChecked: 'Last probed',
    neverChecked: 'Not yet',
    neverProbed: 'Never: its host is reserved for examples',
    id: 'ID',
    source: 'Source',
    sources: { registered: 'Registered here', imported: 'Import', sample: 'Sample catalog' },
    address: 'Payment address',
    pay: 'How to pay',
    listing: 'Listing',
    payCheck:
      'Before you pay, compare the address and the price that the endpoint asks for with those on this page.',
    curl: 'Request the terms (no payment is made)',
    meanings: {
      verified:
        'The endpoint itself asks to be paid at the listed address on the listed network, and asks no more than the listed price.',
      unverified: 'What its endpoint asks for is not confirmed. Limit what you pay to the listed price.',
    },
    chart: 'Day by day',
    noHistory: 'The history cannot be read at the moment.',
    figures: 'Show as a table',
    day: 'Day',
    failed: 'Failed',
    trustTitle: 'How the trust score is made up',
    claimTitle: 'What lists say',
    listClaim: (source: string, at: string, calls: string | null, payers: string | null) =>
      `${source} counted ${[calls && count(calls, 'paid call', 'paid calls'), payers && count(payers, 'wallet', 'wallets')].filter(Boolean).join(' by ')} within 30 days, as of ${at}. This directory has not checked it.`,
    listDropped: (source: string, at: string) =>
      `${source} has not listed it since ${at}. Lists drop what nobody has paid for in a while; whether it works is shown by the probes.`,
    points: (points: string, most: string) => `${points} of ${most}`,
    components: {
      verification: 'Verification',
      uptime: 'Uptime',
      stability: 'Stability',
      latency: 'Latency',
      age: 'Age',
      payers: 'Payers',
      delivery: 'Delivery',
      sample: 'Sample',
    },
    events: 'History',
    olderEvents: 'Older events',
    eventTypes: {
      registered: 'Registered',
      updated: 'Updated',
      status: 'Status',
      at_risk: 'Failed probe',
      price: 'Price',
      pay_to: 'Payment address',
      purchase: 'Purchase',
      removed: 'Removed',
    },
    from: (before: string, after: string) => `${before} → ${after}`,
    bought: {
      title: 'Purchases',
      none: 'This directory has not made a test purchase yet, so delivery is unconfirmed.',
      sum: (delivered: string, purchases: string) =>
        `${delivered} of ${count(purchases, 'test purchase', 'test purchases')} delivered.`,
      newest: (number: string) => `The newest ${number} are listed.`,
      transaction: 'the transaction',
      uncounted: 'not counted',
      uncountedNote:
        'Not counted: purchases where no payment was taken, where the service refused values that this directory had made up, or where the payment was not seen on chain.',
      paid: (price: string, chain: string) => `${price} on ${chain}`,
      reported: (delivered: string, payers: string) =>
        `Reported by payers, payment seen on chain: ${delivered} of ${payers} say that it delivered.`,
      reportedNote:
        'Each payer signed the report with the paying wallet. The directory has not checked what the reports say, and they do not affect the score.',
      byPayer: 'reported by the payer',
      byPeers: (delivered: string, purchases: string) =>
        `Bought by other directories, as they report: ${delivered} of ${purchases} delivered. This does not affect the score.`,
      byPeer: (host: string) => `bought by ${host}`,
      through: 'Bought through another listing of the same endpoint and wallet',
      outcomes: {
        delivered: 'Delivered',
        delivered_not_as_declared: 'Delivered, not as declared',
        empty: 'Paid, empty answer',
        empty_or_other: 'Answer empty or not as declared',
        refused_after_payment: 'Error after payment',
        charged_other: 'Asked for another payment',
        settled_silent: 'Paid, no answer',
        not_settled: 'Not settled',
      },
    },
    lastProbes: 'Latest probes',
    outcomes: {
      payable: 'Payable',
      mismatched: 'Not as listed',
      unpayable: 'No payment terms',
      unreachable: 'No answer',
      refused: 'Probe refused',
    },
    provesNot:
      'It does not prove that the answers or the description are right, or that the service will be there tomorrow.',
    badge: 'Badge',
    badgeNote: 'Always shows the current verdict.',
    badgeAlt: (name: string) => `${name} on Shirube`,
    badgeCode: 'the badge',
    data: 'Data (JSON)',
    call: 'Call it',
    callByMpp: 'Call it by MPP',
    callCode: 'call code',
    copyCode: 'Copy call code',
    callMore: 'Other languages, input and output',
    callSummary: (method: string, languages: readonly string[], fields: string | undefined) =>
      `${method} · ${languages.join(', ')}${fields === undefined ? '' : ` · ${count(fields, 'input field', 'input fields')}`}`,
    paySummary: (chain: string, address: string) => `Paid on ${chain} to ${address}`,
    provider: 'Who stands behind it',
    listedSince: (day: string) => `Listed since ${day}`,
    callNote:
      'Generated from the terms that the endpoint asked for. The code allows exactly that wallet, asset and amount, and pays nothing else.',
    callUnpaid:
      'No official client can pay the listed wallet in a way that the endpoint accepts, so this code only requests its terms and pays nothing.',
    callFor: { typescript: 'TypeScript', python: 'Python', curl: 'curl', mcp: 'MCP' },
    input: 'Input',
    output: 'Output',
    example: 'Example:',
    required: 'required',
    fieldHeads: { field: 'Field', type: 'Type', about: 'Description' },
  },
  check: {
    title: 'Check an endpoint',
    lead: 'Do you run an x402 API?',
    intro:
      'Paste the URL of an x402 endpoint. This directory requests it without paying and shows each step, what would be listed, and what to correct. No key is needed, and nothing is listed.',
    button: 'Check',
    next: 'It is listed at once, as “Unverified” until a probe confirms it.',
  },
  register: {
    title: 'Register a service',
    intro:
      'Paste the URL of your endpoint, and the form is filled in from it. Registration is free, and the service is listed immediately.',
    orKey: 'or enter an API key below.',
    byHand: 'Fill in the form by hand',
    again: 'Read again',
    preview: 'Preview of the listing',
    sentence: (problem: string) => `${problem.slice(0, 1).toUpperCase()}${problem.slice(1)}.`,
    problems: (number: string) => `${count(number, 'field needs', 'fields need')} attention`,
    plain: {
      required: (label = 'missing value') => `Enter the ${label.slice(0, 1).toLowerCase()}${label.slice(1)}.`,
      text_expected: (label = 'text') => `Enter the ${label.slice(0, 1).toLowerCase()}${label.slice(1)}.`,
      key_needed: () => 'Enter an API key, or sign in.',
      not_one_of: () => 'Choose one of the options.',
      url_expected: () => 'Enter the full URL, starting with https://.',
    },
    about: 'Service',
    pricing: 'Price',
    payment: 'Payment',
    /** Follows the name of a field. */
    optional: ' (optional)',
    fields: {
      name: ['Name', 'Up to 255 characters.'],
      description: [
        'Description',
        'What the service does, in any language, up to 2,000 characters. Search uses this text.',
      ],
      endpoint: [
        'Endpoint',
        'The full URL, such as https://api.example.com/v1. It is checked without paying.',
      ],
      category: ['Category', 'For example Weather: one of the suggestions, or one of your own.'],
      'pricing.pricePerRequest': ['Price per request', 'For example 0.002.'],
      'pricing.currency': ['Currency', 'For example USDC or JPYC.'],
      'pricing.freeQuota': ['Free requests', 'Number of requests before payment is required. Empty: none.'],
      'x402Config.network': ['Network', 'A name such as Base, or an ID such as eip155:8453.'],
      'x402Config.paymentAddress': [
        'Payment address',
        'The wallet that receives the payments (0x… on EVM networks).',
      ],
      key: [
        'API key',
        'From the operator of this directory, or made with your wallet after signing in. Used once and not stored.',
      ],
    } as Record<string, readonly [label: string, help: string]>,
    check: 'Read from endpoint',
    checking: 'Reading from the endpoint…',
    submit: 'Register',
    checked: 'Endpoint check',
    wouldVerify: 'Would be verified',
    unpayable: 'No official x402 client can pay it',
    verifiedUnpayable: 'It would be listed as verified, and still not be paid.',
    wouldNotVerify: 'Would not be verified',
    /** Before the fields that are still empty. */
    missing: 'Still to fill in',
    guessed: 'Please check (not stated by the endpoint)',
    unread:
      'You can register it all the same: fill in the fields below yourself. It is listed as “Unverified” until the endpoint answers with its payment terms.',
    differs: 'You can register it all the same. It is listed as “Unverified” until the two agree.',
    allChecks: 'Every check',
    checks: words('check', 'en'),
    /** Where there is no listing to compare with. */
    found: { network: 'Network found', address: 'Payment address found', price: 'Price found' },
    payable: 'Official clients can pay it',
    /** What mends each of them. */
    mends: {
      url: 'Use the full address of the endpoint, beginning with https://.',
      public_address: 'Serve the endpoint under a host name that leads to a public address.',
      reachable:
        'See that the server runs, that its name and certificate are valid, and that no firewall stops requests.',
      answers_402:
        'Answer a request that carries no payment with 402 and the payment terms, before checking keys or input.',
      readable_terms:
        'Send the terms as x402 libraries do: in the header PAYMENT-REQUIRED (version 2) or in a JSON body with accepts (version 1).',
      network: 'List the network on which the endpoint is paid, or take payment on the listed one.',
      address: 'List the wallet that the endpoint names, or name the listed one there.',
      other_payees: 'Ask for payment to one address only on this network.',
      price: 'List the price that the endpoint asks for, or ask for the listed one.',
    },
    results: { passed: 'passed', failed: 'failed', skipped: 'not checked' },
    requests: 'Requests sent',
    noAnswer: 'no answer',
    asCustomer: ' (as an anonymous client)',
  },
  catalog: {
    title: 'The catalog',
    intro: (services: string, categories: string, chains: string) =>
      `${services} in ${count(categories, 'category', 'categories')} on ${count(chains, 'network', 'networks')}.`,
    categories: 'By category',
    levels: 'By what is proved',
    levelNotes: {
      verified:
        'The endpoint itself asks to be paid at the listed wallet and network, and no more than the listed price. This says nothing about delivery.',
      paid: 'Terms verified, and others paid on chain within 90 days, where such payments are watched, or a test purchase delivered.',
      delivers:
        'Terms verified, and a purchase by this directory within 30 days delivered as declared. Other purchases may have failed.',
      danger:
        'Asks for another wallet or more than is listed, or took money several times and delivered nothing.',
    } as Readonly<Partial<Record<Level, string>>>,
    chains: 'By network',
    chainsNote: 'A service on several networks counts for each of them.',
    all: (number: string) => `All ${number}`,
    more: (number: string) => `And ${number} more categories.`,
  },
  about: ENGLISH_ABOUT,
  probing: ENGLISH_PROBING,
  status: ENGLISH_STATUS,
}

export type Words = typeof ENGLISH_WORDS
