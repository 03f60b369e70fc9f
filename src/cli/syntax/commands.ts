// The table of commands, from which help, parsing and dispatch are derived. It is loaded for every invocation, so each command loads
// its own code when it runs.

import { loadBuyer } from '../buyer-package.ts'
import { type Command, type Option, paying } from './command.ts'

const json: Option = { help: 'Print JSON instead of text.' }
const url: Option = {
  value: '<address>',
  help: 'The directory to query. Default: SHIRUBE_URL, or this machine at PORT.',
}
const key: Option = { value: '<key>', help: 'The API key. Default: SHIRUBE_KEY.' }

// The commands of the operator: they run the directory, or work on its store.

const force = { help: 'Overwrite the file if it exists. Default: ask, or fail without a terminal.' }

const OPERATING: readonly Command[] = [
  {
    name: 'serve',
    operands: [],
    summary: 'Run the directory.',
    about: 'On Ctrl+C, SIGTERM or SIGHUP it finishes the requests in flight and ends within seconds.',
    options: {
      port: { value: '<number>', help: 'The port to listen on; 0 picks a free one. Default: PORT.' },
      workers: {
        value: '<number>',
        help: 'The number of processes that share the port; auto means one per core. Default: 1.',
      },
      sample: {
        help: 'Load a sample catalog into a new database and print a first API key that may register services for 30 days.',
      },
      healthcheck: {
        help: 'Run nothing: ask the server at HOST and PORT whether it lives. The exit code is 0 if it does.',
      },
    },
    run: async line => (await import('../commands/serve.ts')).runServe(line),
  },
  {
    name: 'settings',
    operands: [],
    summary: 'Show every setting, its value without secrets, and where the value comes from.',
    about:
      'A setting comes from the environment, from the file .env in this folder, or is its default. Variables that look like a setting and are ' +
      'none are named, and so are invalid values; the exit code is then 1. docs/operating.md describes the settings.',
    options: { json },
    run: async line => (await import('../commands/settings.ts')).runSettings(line),
  },
  {
    name: 'keys',
    operands: ['<create | list | revoke>', '[name or id]'],
    summary: 'Create an API key by name, list the keys, or revoke one by its id.',
    about:
      'A new key is printed to standard output once; only its hash is stored. A revoked key stops working within a second.',
    options: {
      scope: {
        value: '<scopes>',
        help: 'What a new key may do: register, admin, or both separated by a comma. Default: register.',
      },
      expires: {
        value: '<time>',
        help: 'When a new key expires, for example 12h, 90d or 8w. Default: never.',
      },
      policy: {
        value: '<file>',
        help: 'What the holder of a new key may use, as JSON: levels, maxUsdPrice, chains, protocols, allow, deny. Without --scope the key only reads.',
      },
      json,
    },
    run: async line => (await import('../commands/keys.ts')).runKeys(line),
  },
  {
    name: 'import',
    operands: ['<file>'],
    summary: 'Load services from a file or a URL into the store; - reads standard input.',
    about:
      'Reads registration bodies, one per line (NDJSON), an export document or a Bazaar list, and detects which it is. ' +
      'A service that is already listed is recognised by its id, or else by name, endpoint, network and payment address. It is updated ' +
      'if it came from an import, and left unchanged if it has an owner, follows a source or was removed. Importing a file twice has ' +
      'the same effect as once. Status, trust and further chains are not imported: they are determined by probing. A URL is read once as by `sync`; pipe other files in: curl <url> | shirube import -. Records that cannot be read are reported with position and reason and skipped; the exit code is then 1.',
    options: { json },
    run: async line => (await import('../commands/import.ts')).runImport(line),
  },
  {
    name: 'sync',
    operands: ['[url]'],
    summary:
      'Follow another Shirube, a Bazaar list, an export document or an origin. Without a URL, list what is followed.',
    about:
      'It is read once now; a running server reads it again, another Shirube every 10 minutes and a list every 6 hours. CDP, PayAI, ' +
      'Circle, B402 and MPP are known by name. Another Shirube is followed by its change feed, and services that it removes are removed here. A service that a list no longer ' +
      'contains becomes inactive. Status and trust are always determined here, and services with an owner here are never changed.',
    options: { json },
    run: async line => (await import('../commands/import.ts')).runSync(line),
  },
  {
    name: 'export',
    operands: ['[file]'],
    summary: 'Write the whole catalog, ordered by id, to a file or to standard output.',
    about:
      'ndjson has one service with all of its fields per line. ' +
      'json is one document, the same as /api/export, without descriptions, free quotas and further chains: `import` reads both, ' +
      'but only ndjson is a copy of everything that services say about themselves. `backup` copies the whole store.',
    options: {
      format: {
        value: '<format>',
        help: 'json or ndjson. Default: the extension of the file name, or else json.',
      },
      force,
      json: { help: 'With a file: print as JSON what was written.' },
    },
    run: async line => (await import('../commands/export.ts')).runExport(line),
  },
  {
    name: 'backup',
    operands: ['<file>'],
    summary: 'Copy a database file whole to another file, which opens as it is.',
    about:
      'Works while a server uses the database, and overwrites no file. The copy holds everything, webhooks with their secrets and the ' +
      'hashes of API keys included; only its owner can read it. To go back to it, stop the server and put it in place of the database.',
    options: { json },
    run: async line => (await import('../commands/export.ts')).runBackup(line),
  },
  {
    name: 'copy',
    operands: ['<database-url>'],
    summary: 'Copy everything into an empty database, of any engine.',
    about:
      'The address is written as DATABASE_URL is. Webhooks and API keys work in the copy as before. Stop the server first if the copy is ' +
      'to replace its database: what is written meanwhile is not in it.',
    options: { json },
    run: async line => (await import('../commands/export.ts')).runCopy(line),
  },
]

// The commands that query a running directory.

const ASKING: readonly Command[] = [
  {
    name: 'check',
    operands: ['<url>'],
    summary: 'Check any endpoint as the directory would probe it.',
    about:
      'Nothing is listed. The last line says whether it would be verified, which takes --network and --address. ' +
      'The exit code is 1 if a check fails or it would not be verified, and 0 if no check fails and it is not decided.',
    options: {
      address: { value: '<wallet>', help: 'The payment address that the endpoint should ask for.' },
      network: { value: '<network>', help: 'The network that it should ask for, for example base.' },
      price: {
        value: '<amount>',
        help: 'The expected price of a request, for example 0.001. Needs --currency.',
      },
      currency: { value: '<code>', help: 'The currency of the price, for example USDC.' },
      key,
      url,
      json,
    },
    run: async line => (await import('../commands/check.ts')).runCheck(line),
  },
  {
    name: 'resolve',
    operands: ['<url>'],
    summary: 'Check whether a URL is safe to pay, given what its 402 response asks for.',
    about:
      'Pass every value of the 402 response; values that are not passed are not compared. The exit code is 0 only if the answer is clear.',
    parameters: 'resolve',
    options: { url, json },
    run: async line => (await import('../commands/check.ts')).runResolve(line),
  },
  {
    name: 'list',
    operands: [],
    summary: 'List services.',
    parameters: 'list',
    options: {
      url,
      json,
    },
    run: async line => (await import('../commands/ask.ts')).runList(line),
  },
  {
    name: 'show',
    operands: ['<id>'],
    summary:
      'Show one service: its listing, standing, backing, and the payment terms that its endpoint was seen asking for.',
    options: { url, json },
    run: async line => (await import('../commands/ask.ts')).runShow(line),
  },
  {
    name: 'call',
    operands: ['<id>'],
    summary:
      'Print code that calls a service and pays for it. With --pay, call it and pay now; with --report, report what came of a payment.',
    about:
      'With --pay it shows the price, asks for confirmation, pays with your own key within your caps, and records the payment in your ledger ("shirube spent"). The response goes to standard output, the receipt to standard error. The exit code is 1 unless the service delivered. ' +
      'A report is signed by the wallet that paid, which sends no transaction and costs nothing. Each payment can be reported once, within a week.',
    parameters: 'call',
    options: {
      pay: { help: 'Call the service now and pay with your own key.' },
      input: {
        value: '<json>',
        help: 'The input, in the form that the service declares. @<file> reads a file, - standard input.',
      },
      max: { value: '<dollars>', help: 'The maximum price of this call. It can only lower your cap.' },
      'dry-run': { help: 'Show what would be signed. Nothing is reserved, signed or paid.' },
      yes: {
        help: 'Pay without confirmation if the directory reports no doubt and the wallet is the one paid before.',
      },
      caution: {
        help: 'With --yes, also pay if the directory advises caution. It never pays what the directory stops.',
      },
      purpose: { value: '<text>', help: 'What the payment is for. A purpose is paid only once.' },
      output: { value: '<file>', help: 'Write the response to a file, byte for byte.' },
      report: {
        value: '<outcome>',
        help: 'delivered, delivered_not_as_declared, refused_after_payment, charged_other or settled_silent. Needs --transaction.',
      },
      transaction: { value: '<hash>', help: 'With --report: the transaction that settled the payment.' },
      payer: { value: '<address>', help: 'With --report: the wallet that paid, if there are several keys.' },
      directory: {
        value: '<address>',
        help: 'With --report: the public URL of the directory, if it differs from the one queried.',
      },
      ...paying,
      url,
      json,
    },
    run: async line =>
      line.flags.report !== undefined
        ? (await loadBuyer()).runReportOutcome(line)
        : line.switches.has('pay')
          ? (await loadBuyer()).runCallAndPay(line)
          : (await import('../commands/call.ts')).runCall(line),
  },
  {
    name: 'search',
    operands: ['<sentence…>'],
    summary: 'Search with words, or with a sentence that says what you need.',
    about: 'To list every service that has certain words, in any order: "shirube list --query <words>".',
    parameters: 'intent',
    options: { url, json },
    run: async line => (await import('../commands/ask.ts')).runSearch(line),
  },
  {
    name: 'mcp',
    operands: [],
    summary: 'Run an MCP server on standard input and output for the agent that starts it.',
    about:
      'It ends when its input ends. A running directory also serves MCP at /mcp. With --pay the agent gets the tool call_service, which pays with your own key within your caps and asks you first above --ask-above.',
    options: {
      url: {
        value: '<address>',
        help: 'The directory to query. Without it, the store at DATABASE_URL is read.',
      },
      key,
      pay: { help: 'Allow the agent to call services and pay for them with your own key.' },
      'ask-above': {
        value: '<dollars>',
        help: 'Ask before a call that costs more; 0, the default, asks before every payment.',
      },
      ...paying,
    },
    run: async line => (await import('../commands/mcp.ts')).runMcp(line),
  },
]

// The commands that pay, or report payments.

const { 'key-file': _, ...spending } = paying

const BUYING: readonly Command[] = [
  {
    name: 'buy',
    operands: ['[id]'],
    summary:
      'Buy one response of a listed service as the directory and check it; without an id, from verified services in turn, until it is stopped.',
    about:
      'Uses the keys in BUYER_KEY_FILE. Works on the store directly, also while a server uses it; of several processes without an id, one buys. The request is a sample made from the schema of the service. BUDGET_PER_CALL and the other BUDGET_ settings limit it. The exit code is 1 unless the service delivered.',
    options: {
      'dry-run': { help: 'Show what would be signed. Nothing is reserved, signed or paid.' },
      caution: { help: 'Also buy if the guard advises caution, for example for an unverified service.' },
      purpose: { value: '<text>', help: 'What the payment is for. A purpose is paid only once.' },
      json,
    },
    run: async line => (await loadBuyer()).runBuy(line),
  },
  {
    name: 'spent',
    operands: [],
    summary: 'Show what you and your agents spent with "call --pay" and MCP, by service and by host.',
    about:
      'Reserved, signed and unknown payments count until it is certain that they were not taken. Open payments are looked up on chain first if RPC_URL_… names a node.',
    options: {
      operator: { help: 'Show the wallet with which the directory buys, its caps, and what it spent.' },
      limit: { value: '<number>', help: 'The number of purchases to list, newest first. Default: 20.' },
      ...spending,
      json,
    },
    run: async line => (await loadBuyer()).runSpent(line),
  },
]

// The commands of service owners.

const OWNING: readonly Command[] = [
  {
    name: 'register',
    operands: ['<file>'],
    summary: 'Register a service from a JSON file (- reads standard input).',
    about:
      'The page /register of the directory, and its tool for agents, also read it from the URL of an endpoint.',
    options: {
      key,
      'idempotency-key': {
        value: '<text>',
        help: 'Makes a retry safe: calls with the same key register once.',
      },
      url,
      json,
    },
    run: async line => (await import('../commands/ask.ts')).runRegister(line),
  },
]

type CommandGroup = { readonly title: string; readonly commands: readonly Command[] }

/** In the order of the help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: 'Run a directory', commands: OPERATING },
  { title: 'Find and call services of a running directory', commands: ASKING },
  { title: 'Pay, and see what was paid', commands: BUYING },
  { title: 'Manage your own services', commands: OWNING },
]

export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands)
