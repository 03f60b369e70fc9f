// What the directory is and how it is doing, in English.

export const ENGLISH_STATUS = {
  title: 'Status',
  states: {
    starting: 'Loading the catalog',
    ready: 'All systems are working',
    unprobed: 'Working; probing is turned off on this server',
    behind: 'Working, but not everything is up to date',
    degraded: 'Running from memory; changes cannot be saved right now',
  },
  troubles: {
    lag: (time: string) => `The catalog is ${time} behind the database.`,
    nobodyProbes: 'No server is probing at the moment.',
    probingOff: 'Probing is turned off on this server.',
    probes: (due: string, probed: string) =>
      `Probes are behind: ${due} services are waiting, ${probed} were probed in the last hour.`,
    sources: (hosts: readonly string[]) =>
      `${hosts.length === 1 ? 'A source' : `${hosts.length} sources`} cannot be read: ${hosts.join(', ')}`,
  },
  catalog: 'Catalog',
  services: 'Services',
  samples: 'Invented samples',
  seq: 'Changes recorded',
  lag: 'Catalog delay',
  version: 'Version',
  storeErrors: 'Database errors',
  probing: 'Probes',
  probingText:
    'Every listed service is probed without payment: immediately when it is new, then about once an hour, and less often while it fails.',
  probingOff:
    'Probing is turned off on this server. Status, uptime and trust only change if another server probes.',
  probingStopped:
    'No service is probed at the moment, so nothing here about status, uptime and trust is newer than the last probe.',
  probedBy: 'Probed by',
  probers: {
    this: 'This server',
    another: 'Another server',
    nobody: 'No server',
  },
  due: 'Waiting for a probe',
  dueOf: (number: string, orMore: boolean) => (orMore ? `${number} or more` : number),
  lastProbe: 'Last probe',
  noProbe: 'None yet',
  lastHour: 'Probes in the last hour',
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
