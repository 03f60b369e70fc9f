// What the directory is and how it is doing, in English.

export const ENGLISH_STATUS = {
  title: 'Status',
  states: {
    starting: 'Loading the catalog',
    ready: 'All systems are working',
    unprobed: 'No probes at the moment; verdicts may be out of date',
    degraded: 'Running from memory; changes cannot be saved right now',
  },
  services: 'Services',
  lag: 'Catalog delay',
  version: 'Version',
  due: 'Waiting for a probe',
  dueOf: (number: string, orMore: boolean) => (orMore ? `${number} or more` : number),
  lastProbe: 'Last probe',
  noProbe: 'Nothing has been probed yet.',
  sources: 'Sources',
  /** By the kind that synchronization recognised. */
  sourceKinds: {
    shirube: 'Shirube directory',
    list: 'x402 list',
    export: 'Exported catalog',
    origin: 'x402 manifest',
  } as Readonly<Record<string, string>>,
  noSources: 'None: everything here was registered or imported.',
  sourcesAway: 'The list of sources cannot be read at the moment.',
  succeeded: 'Last read ',
  never: 'Never read',
  failing: (times: string) => `Failed ${times === '1' ? 'once' : `${times} times in a row`}`,
  accuracy: 'How often this directory was wrong',
  accuracyPeriod: (since: string, until: string) => `${since} to ${until}`,
  failedPurchases: (failed: string, purchases: string) =>
    `In ${failed} of ${purchases} purchases from verified services, the payment was taken and nothing was delivered.`,
  nothingBought: 'This directory bought nothing from verified services in this period.',
  withdrawn: (withdrawn: string, verified: string) =>
    `${withdrawn} of ${verified} verifications were withdrawn within a week because of what was found.`,
  nothingVerified: 'No service became verified in this period.',
  forPrograms: 'This page as JSON',
}

export const ENGLISH_ABOUT = {
  title: 'About this directory',
  intro:
    'Shirube (標, “signpost”) lists API services that are paid per request over x402. It probes them without paying, and shows what it found, and when.',
  x402: 'What is x402?',
  x402Text: [
    'HTTP has always had a status for this: 402, Payment Required. With x402, an API answers 402 with a price, a network and an address; the client pays exactly that and repeats the request.',
    'There is no account to open and no subscription to cancel, so a program can use a service as soon as it finds one. A directory helps to find it, and shows whether it still answers.',
  ],
  readers: 'Get started',
  readerTexts: {
    buyers: {
      title: 'You need an API',
      text: 'Describe what you need in a sentence. Each service shows its price, its provider and how it has answered, with code to call it.',
      link: 'Search',
    },
    sellers: {
      title: 'You offer an API',
      text: 'Paste the URL of your endpoint. Price, network and wallet are read from it, and it is listed immediately, free of charge.',
      link: 'Register a service',
    },
    everybody: {
      title: 'You want to check this directory',
      text: 'The state of the catalog, its probes and its sources is public.',
      link: 'Status',
    },
  },
  trusted: 'What to trust',
  trustedText: [
    'Names and descriptions are written by whoever registered the service, and anyone can list anything. The directory confirms what the list below says, and no more: not that the answers are good.',
    'Set a spending limit in your client, and read the warnings at the top of a service’s page before you pay.',
  ],
  trust: {
    name: 'Trust (0 to 100)',
    text: 'Points are earned by verification, uptime, stability, latency, time, payers and deliveries. New services start low, so compare it between services. Each service’s page shows how its own is made up.',
  },
  use: 'For developers',
  links: {
    docs: ['API reference', 'Every call, field and error'],
    openapi: ['OpenAPI document', 'For code generators and tools'],
    export: ['Export', 'The complete catalog in one document'],
    agents: ['For agents', 'How a model uses this directory and its MCP server'],
    discovery: ['x402 list', 'The catalog in the format of x402 clients'],
  },
  mcp: 'MCP server',
}

export const ENGLISH_PROBING = {
  title: 'How we probe',
  intro:
    'This directory asks every listed endpoint for its payment terms and compares them with the listing. It pays nothing in a probe, and sends no credentials.',
  rows: [
    [
      'What we send',
      'We send at most six requests in a probe, by GET or POST, with sample values: to the listed URL, to /openapi.json, /.well-known/x402 and /.well-known/x402.json, and to what these name at the same origin. A redirect counts as a request. An MCP server gets initialize, tools/list, and calls of tools without payment.',
    ],
    [
      'Once a day',
      'We also read /.well-known/shirube.json, where a domain can prove its listings or opt out. If it proves none, we read /.well-known/x402.',
    ],
    [
      'Under which name',
      'Our User-Agent starts with Shirube-Prober/, followed by the address of this directory if it has a public one. The first probe of a listing and one in four later ones come as “node”, because some endpoints answer a directory differently from their customers.',
    ],
    [
      'How often',
      'We probe within seconds of a registration, then about once an hour. After failures we wait 1, 6 and 24 hours, then 72 hours each time. After refusals we wait 6 hours, or one hour while the service is verified. The owner can ask for more probes, and “Check an endpoint” asks at once.',
    ],
    [
      'Limits',
      'We send a host at most two requests at a time, one second apart, and an IP address at most eight at a time and five a second, however many hosts share it. Checks that people ask for are counted apart. On a 429 we send nothing more, except for the file below if earlier probes were refused too. We ask public addresses only.',
    ],
    [
      'What is stored',
      'We store the time, result, status, response time, reasons and payment terms with the declared input and output, and nothing else of a response. All of it is public in the history of the service: single probes for 30 days, sums by day for a year.',
    ],
  ] as readonly (readonly [string, string])[],
  optOut: {
    title: 'How to opt out',
    publish:
      'Serve this as /.well-known/shirube.json at the origin of the endpoint, as application/json and without a redirect. If that file is there already to prove listings, add "probe": false to the object in it. As a new file:',
    texts: [
      'It holds for every service of that origin. We find it with the first probe or within two days, and from then on request this file alone, once a day.',
      'The listing stays, as unverified and with the reason; warnings and proofs that were found before stay too. Without it probes resume within a day, or when the owner asks for one.',
    ],
  },
  more: 'What the probes find at present',
}
