// What the directory is and how it is doing, in English.

export const ENGLISH_STATUS = {
  title: 'Status',
  states: {
    starting: 'Loading the catalog',
    ready: 'All systems are working',
    unprobed: 'Working; nobody is probing at the moment',
    degraded: 'Running from memory; changes cannot be saved right now',
  },
  services: 'Services',
  lag: 'Catalog delay',
  version: 'Version',
  due: 'Waiting for a probe',
  dueOf: (number: string, orMore: boolean) => (orMore ? `${number} or more` : number),
  lastProbe: 'Last probe',
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
    'Shirube (標, “signpost”) lists API services that are paid per request over x402. It probes each of them regularly without paying, and shows what it finds.',
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
    'Names and descriptions are written by whoever registered the service, and anyone can list anything. “Verified” means that the endpoint itself asks to be paid at the listed wallet, on the listed network, and no more than the listed price.',
    'It does not mean that the answers are good. Set a spending limit in your client, and read the warnings at the top of a service’s page before you pay.',
  ],
  use: 'For developers',
  links: {
    docs: ['API reference', 'Every call, field and error'],
    openapi: ['OpenAPI document', 'For code generators and tools'],
    export: ['Export', 'The complete catalog in one document'],
    categories: ['Categories', 'IDs, labels and counts'],
    agents: ['For agents', 'How a model uses this directory and its MCP server'],
    discovery: ['x402 list', 'The catalog in the format of x402 clients'],
    ready: ['Health check', 'For operators and load balancers'],
  },
  mcp: 'MCP server',
}

export const ENGLISH_PROBING = {
  title: 'How we probe',
  intro:
    'This directory sends every listed endpoint requests without payment, and compares the payment terms in its 402 with the listing. It never pays in a probe, and sends no credentials.',
  /** Each with its heading first. */
  sections: [
    [
      'What we send',
      'At most six requests a probe, by GET and POST only: to the listed URL, to /openapi.json, /.well-known/x402 and /.well-known/x402.json, and to what these list below it, with generated sample values. Redirects count among them and are followed within the origin only.',
      'To an MCP server: initialize, tools/list, and calls of tools without payment.',
      'With the first probe and once a day also /.well-known/shirube.json, under our name, and, where that names nobody, /.well-known/x402.',
    ],
    [
      'Under which name',
      'Most probes have a User-Agent that begins with Shirube-Prober/ and names the address of this directory, if it has a public one.',
      'The first probe of a listing and one in four of the later ones come as “node” without our name, because some endpoints answer a directory differently from their customers. What was found without a name is also checked without one.',
    ],
    [
      'How often',
      'A new listing within seconds, a healthy one about once an hour at random times, one that fails after 1, 6, 24 and then every 72 hours, one that refuses every 6 hours, or every hour while it is verified. Its owner can ask for more.',
      '“Check an endpoint” sends its requests at once, because a person asked for them.',
    ],
    [
      'Limits',
      'Two requests at a time to a host, a second apart; eight at a time and five a second to an address, however many hosts share it. Probes and checks are counted separately.',
      'After 429 a probe sends nothing else for the listing, except for the file below where we are always refused. Only public addresses are requested.',
    ],
    [
      'What is stored',
      'Time, outcome, status, response time and the reasons; the payment terms, with the input and output that they or the documents declare. Other contents of responses are discarded.',
      'Every probe with its result is public, in the history of the service. Single probes are kept for 30 days, sums by day for a year.',
    ],
  ],
  optOut: {
    title: 'How to opt out',
    publish:
      'Serve this as /.well-known/shirube.json at the origin of the endpoint, as application/json and without a redirect:',
    texts: [
      'It holds for every service of that origin, and for no other. We find it with the first probe or within a day or two, and then request only this file, once a day. A proof that was found before holds.',
      'What is not probed cannot be verified: the listing stays, as unverified and with the reason. A warning about terms that were seen before stays too. Without the line, probes resume within a day; the owner can also have one sent at once.',
    ],
  },
  more: 'What the probes find at present',
}
