// What the directory is and how it is doing, in English.

export const ENGLISH_STATUS = {
  title: 'Status',
  states: {
    starting: 'Loading its catalog',
    ready: 'Everything works',
    behind: 'Working, but not everything is up to date',
    degraded: 'Running from memory; changes cannot be saved right now',
  },
  troubles: {
    lag: (time: string) => `The catalog is ${time} behind the database.`,
    nobodyProbes: 'No server probes at the moment.',
    probes: (due: string, probed: string) =>
      `Probes are behind: ${due} services wait, ${probed} were probed in the last hour.`,
    sources: (hosts: readonly string[]) =>
      `${hosts.length === 1 ? 'A source' : `${hosts.length} sources`} cannot be read: ${hosts.join(', ')}`,
  },
  catalog: 'The catalog',
  services: 'Services',
  seq: 'Changes so far',
  lag: 'Delay behind the database',
  snapshot: 'Last snapshot',
  noSnapshot: 'none yet',
  nightly: 'Nightly export',
  version: 'Version',
  storeErrors: 'Database errors',
  probing: 'Probes',
  probingText:
    'Every listed service is probed without payment: at once when it is new, then about once an hour, less often while it fails.',
  probingOff: 'Probing is switched off here.',
  probedBy: 'Who probes',
  probers: {
    this: 'this server',
    another: 'another server',
    nobody: 'nobody now',
  },
  due: 'Waiting for a probe',
  dueOf: (number: string, orMore: boolean) => (orMore ? `${number} or more` : number),
  lastProbe: 'Last probe',
  noProbe: 'none yet',
  lastHour: 'Probes in the last hour',
  sources: 'Sources',
  noSources: 'None: everything here was registered or imported.',
  sourcesAway: 'The list of sources cannot be read at the moment.',
  succeeded: 'Last read ',
  never: 'Never read so far',
  failing: (times: string) => `Failed ${times === '1' ? 'once' : `${times} times in a row`}`,
  forPrograms: 'The same as JSON',
}

export const ENGLISH_ABOUT = {
  title: 'About this directory',
  intro:
    'Shirube (標, “signpost”) lists API services that take a payment per request over x402, probes each of them regularly without paying, and shows what it found.',
  x402: 'What is x402?',
  x402Text: [
    'HTTP has always had a status for this: 402, Payment Required. With x402, an API answers 402 with a price, a network and an address; the client pays exactly that and repeats the request.',
    'There is no account to open and no subscription to cancel, so a program can use a service the minute it finds it. A directory helps to find it, and to know whether it still answers.',
  ],
  readers: 'Where to begin',
  readerTexts: {
    buyers: {
      title: 'You need an API',
      text: 'Say what you need in a sentence. Each service shows its price, who stands behind it and how it has answered, with code to call it.',
      link: 'Search',
    },
    sellers: {
      title: 'You offer an API',
      text: 'Paste the URL of your endpoint. Price, network and wallet are read from it, and it is listed at once, free of charge.',
      link: 'Register a service',
    },
    everybody: {
      title: 'You want to know how this directory is doing',
      text: 'Probes, sources and the state of the catalog are open to everybody.',
      link: 'Status',
    },
  },
  trusted: 'What to trust',
  trustedText: [
    'Names and descriptions are written by the providers, and anybody can list anything. “Verified” means that the endpoint itself asks to be paid at the listed wallet, on the listed network, and no more than listed.',
    'It does not mean that the answers are good. Set a limit in your client, and read the warnings at the top of its page before you pay.',
  ],
  use: 'Use it from a program',
  links: {
    docs: ['API reference', 'every call, every field, every error'],
    openapi: ['OpenAPI document', 'for generators and tools'],
    export: ['Export', 'the complete catalog as one document'],
    census: ['Census', 'what the catalog is made of, day by day'],
    categories: ['Categories', 'ids, labels and counts'],
    agents: ['For agents', 'how a model uses this directory, with the address of its MCP server'],
    discovery: ['x402 list', 'the catalog in the format of x402 clients'],
    ready: ['Readiness', 'what operators watch'],
  },
  mcp: 'MCP server',
}
