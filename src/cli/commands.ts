// The table of commands: the help, the reading of a line and the running all come from it.
import type { z } from 'zod'
import { callQuerySchema } from '../domain/call/call.ts'
import { intentQuerySchema, keywordQuerySchema, listQuerySchema } from '../domain/queries.ts'
import { reportsQuerySchema } from '../domain/reports.ts'
import { resolveQuerySchema } from '../domain/resolve/query.ts'
import { runIntent, runList, runRegister, runSearch, runShow, toFlag } from './ask.ts'
import { BUYING_COMMANDS } from './buying-commands.ts'
import type { Command, Option } from './command.ts'
import { runTerms } from './terms.ts'

const json: Option = { help: 'Print JSON instead of text for people.' }
const url: Option = { value: '<address>', help: 'The directory to ask; SHIRUBE_URL unless given.' }
const key: Option = { value: '<key>', help: 'The API key; SHIRUBE_KEY unless given.' }

export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    operands: [],
    summary: 'Run the directory.',
    about:
      'Ends within seconds on Ctrl+C, SIGTERM or SIGHUP, after the requests in flight. With --workers, SIGUSR2 replaces the processes one by one.',
    options: {
      port: { value: '<number>', help: 'The port to listen on; PORT unless given, 0 for any free one.' },
      workers: {
        value: '<number>',
        help: 'Processes that share the port; 1 unless given, auto for one per core.',
      },
      sample: {
        help: 'Load a sample catalog into a new database, and print a first API key, which may register for 30 days.',
      },
    },
    run: async line => (await import('./serve.ts')).runServe(line),
  },
  {
    name: 'keys create',
    operands: ['<name>'],
    summary: 'Make an API key and print it, this once only.',
    about: 'The key alone goes to standard output.',
    options: {
      scope: {
        value: '<scopes>',
        help: 'What it may do: register (unless given), admin, or both with a comma.',
      },
      expires: { value: '<time>', help: 'When it ends, like 12h, 90d or 8w; never unless given.' },
      json,
    },
    run: async line => (await import('./keys.ts')).createKey(line),
  },
  {
    name: 'keys list',
    operands: [],
    summary: 'List the API keys, without the keys themselves.',
    options: { json },
    run: async line => (await import('./keys.ts')).listKeys(line),
  },
  {
    name: 'keys revoke',
    operands: ['<id>'],
    summary: 'Revoke an API key; it stops within a second.',
    options: { json },
    run: async line => (await import('./keys.ts')).revokeKey(line),
  },
  {
    name: 'import',
    operands: ['<file>'],
    summary: 'Load services from a file or an address into the store; - reads standard input.',
    about:
      'Takes registration bodies one a line (NDJSON), an export document, or a Bazaar list, recognised by content. ' +
      'What is here already is known by its id, or else by its name, endpoint, network and payment address: it is brought up to date ' +
      'where a file brought it, and left as it is where it has an owner, follows a source or was removed. The same file twice is the ' +
      'same as once. What cannot be read is reported with its place and reason and skipped; the exit code is then 1.',
    options: { json },
    run: async line => (await import('./import.ts')).runImport(line),
  },
  {
    name: 'sync',
    operands: ['[url]'],
    summary:
      'Follow another Shirube, a list of x402, an export document or an origin; without an address, tell what is followed.',
    about:
      'Another Shirube is read by its feed of changes, and what it removes is removed here. What a list no longer holds goes out of ' +
      'service. Status and trust are always found out here, and what has an owner here is never changed.',
    options: {
      every: {
        value: '<time>',
        help: 'Go on and read it again after this time, like 10m or 1h; once unless given.',
      },
      json,
    },
    run: async line => (await import('./sync.ts')).runSync(line),
  },
  {
    name: 'export',
    operands: ['[file]'],
    summary: 'Write the export document of the whole catalog, by id, to a file or to standard output.',
    options: {
      json: { help: 'With a file: say in JSON what was written. The document itself is always JSON.' },
    },
    run: async line => (await import('./export.ts')).runExport(line),
  },
  {
    name: 'backup',
    operands: ['<file>'],
    summary:
      'Save everything that the store keeps, as it is at this moment, to a file; - writes to standard output.',
    about:
      'Works while a server runs on the store. API keys are in it as hashes and go on working after a restore; webhooks, which hold ' +
      'secrets, are left out. Only the owner of the file may read it.',
    options: { json },
    run: async line => (await import('./backup.ts')).runBackup(line),
  },
  {
    name: 'probe',
    operands: ['<id>'],
    summary: 'Ask the endpoint of a listed service now, without paying, and judge what it answers.',
    about: 'Works on the store itself, also while a server runs on it.',
    options: { json },
    run: async line => (await import('./probe.ts')).runProbe(line),
  },
  ...BUYING_COMMANDS,
  {
    name: 'hide',
    operands: ['<id>'],
    summary: 'Take a service out of sight: lists, searches and feeds drop it, and its detail says why.',
    about:
      'Works on the store itself, also while a server runs on it. Nothing is lost: "unhide" shows it again.',
    options: { why: { value: '<text>', help: 'What everybody who asks for it is told.' }, json },
    run: async line => (await import('./hide.ts')).runHide(line),
  },
  {
    name: 'unhide',
    operands: ['<id>'],
    summary: 'Show a hidden service again; it is probed at once.',
    options: { json },
    run: async line => (await import('./hide.ts')).runUnhide(line),
  },
  {
    name: 'reports resolve',
    operands: ['<id>'],
    summary: 'Mark a report as done with; its sender may report the service again.',
    options: { json },
    run: async line => (await import('./reports.ts')).runResolve(line),
  },
  {
    name: 'reports',
    operands: [],
    summary: 'List what callers reported about services; only operators see it.',
    about: 'Works on the store itself. "hide" takes a service out of sight; nothing is done by itself.',
    options: { ...optionsOf(reportsQuerySchema), json },
    run: async line => (await import('./reports.ts')).runReports(line),
  },
  {
    name: 'check',
    operands: ['<url>'],
    summary: 'Let a running directory check any endpoint as a probe would, without listing it.',
    about: 'The exit code is 1 where a check fails.',
    options: {
      address: { value: '<wallet>', help: 'The payment address that its terms should name.' },
      network: { value: '<network>', help: 'The network that its terms should name, like base.' },
      price: { value: '<amount>', help: 'What it should ask for a request, like 0.001; needs --currency.' },
      currency: { value: '<code>', help: 'The currency of the price, like USDC.' },
      key,
      url,
      json,
    },
    run: async line => (await import('./check.ts')).runCheck(line),
  },
  {
    name: 'resolve',
    operands: ['<url>'],
    summary: 'Ask a running directory whether a URL is safe to pay, by what its 402 asks for.',
    about:
      'Give every value that the 402 names: what is not given is not compared. The exit code is 0 only where it is clear.',
    options: { ...optionsOf(resolveQuerySchema.omit({ url: true })), url, json },
    run: async line => (await import('./resolve.ts')).runResolve(line),
  },
  {
    name: 'list',
    operands: [],
    summary: 'List services of a running directory.',
    options: { ...optionsOf(listQuerySchema), url, json },
    run: runList,
  },
  {
    name: 'show',
    operands: ['<id>'],
    summary: 'Show one service of a running directory.',
    options: { url, json },
    run: runShow,
  },
  {
    name: 'terms',
    operands: ['<id>'],
    summary: 'Show what the endpoint of a service itself asks for, as last seen.',
    options: { url, json },
    run: runTerms,
  },
  {
    name: 'call',
    operands: ['<id>'],
    summary: 'Print text that calls a service and pays for it, to be pasted and run.',
    options: { ...optionsOf(callQuerySchema), url, json },
    run: async line => (await import('./call.ts')).runCall(line),
  },
  {
    name: 'search',
    operands: ['<words…>'],
    summary: 'Search a running directory by words.',
    options: { ...optionsOf(keywordQuerySchema), url, json },
    run: runSearch,
  },
  {
    name: 'intent',
    operands: ['<sentence…>'],
    summary: 'Search a running directory by what you need, said in your own words.',
    options: { ...optionsOf(intentQuerySchema), url, json },
    run: runIntent,
  },
  {
    name: 'register',
    operands: ['<file or URL>'],
    summary:
      'Register a service with a running directory: what a JSON file describes, or what an endpoint tells of itself; - reads standard input.',
    about:
      'Of a URL, network, payee, price and description are read from the endpoint itself, shown, and registered when you agree.',
    options: {
      name: { value: '<text>', help: 'With a URL: what it is called; its host unless given.' },
      description: {
        value: '<text>',
        help: 'With a URL: what it does; what the endpoint says unless given.',
      },
      category: { value: '<id>', help: 'With a URL: its category; other unless given.' },
      yes: { help: 'With a URL: register what the endpoint tells without asking.' },
      key,
      'idempotency-key': {
        value: '<text>',
        help: 'Makes a repeated call safe: the same one registers once.',
      },
      url,
      json,
    },
    run: runRegister,
  },
  {
    name: 'mcp',
    operands: [],
    summary: 'Speak the Model Context Protocol on standard input and output, for the agent that started it.',
    about: 'Ends when its input does. A server also speaks it at /mcp.',
    options: {
      url: {
        value: '<address>',
        help: 'The running directory to ask; without it, the store of DATABASE_URL is read here.',
      },
      key,
    },
    run: async line => (await import('./mcp.ts')).runMcp(line),
  },
  {
    name: 'completion',
    operands: ['<shell>'],
    summary: 'Print the completion for bash, zsh or fish.',
    about: 'In bash or zsh: source <(shirube completion bash). In fish: shirube completion fish | source.',
    options: {},
    run: async line => (await import('./completion.ts')).runCompletion(line, COMMANDS),
  },
  {
    name: 'edit',
    operands: ['<id>', '<file>'],
    summary: 'Change your service by what a JSON file says; - reads standard input.',
    about:
      'The file holds a part of a registration body (a merge patch): what it leaves out stays as it is. ' +
      'With another endpoint, wallet or network the service is verified anew.',
    options: { key, url, json },
    run: async line => (await import('./own.ts')).runEdit(line),
  },
  {
    name: 'retire',
    operands: ['<id>'],
    summary: 'Take your service out of service; it stays listed as inactive.',
    options: {
      message: { value: '<text>', help: 'What those who use it should know.' },
      key,
      url,
      json,
    },
    run: async line => (await import('./own.ts')).runRetire(line),
  },
  {
    name: 'restore',
    operands: ['<id or file>'],
    summary:
      'Bring your retired service back; or fill an empty store with what a backup holds, - for standard input.',
    about:
      'What begins with svc_ is a service of a running directory. A backup goes from any engine to any engine: all of it is ' +
      'restored or, where the file is damaged or newer than this program, nothing.',
    options: { key, url, json },
    run: async line =>
      line.operands[0]!.startsWith('svc_')
        ? (await import('./own.ts')).runRestore(line)
        : (await import('./backup.ts')).runRestore(line),
  },
  {
    name: 'claim',
    operands: ['<id>'],
    summary: 'Make the wallet that a service pays its only owner; takes a key of that wallet.',
    options: { key, url, json },
    run: async line => (await import('./own.ts')).runClaim(line),
  },
  {
    name: 'remove',
    operands: ['<id>'],
    summary: 'Remove your service from the directory for good.',
    options: { key, url, json },
    run: async line => (await import('./own.ts')).runRemove(line),
  },
]

/** A flag for each parameter, with the parameter's own description. */
function optionsOf(schema: z.ZodObject): Record<string, Option> {
  return Object.fromEntries(
    Object.entries(schema.shape)
      .filter(([name]) => name !== 'q' && name !== 'cursor')
      .map(([name, parameter]) => [toFlag(name), { value: '<value>', help: `${descriptionOf(parameter)}.` }]),
  )
}

function descriptionOf(schema: z.core.$ZodType): string {
  const { description } = schema as z.ZodType
  const inner = (schema as Partial<z.ZodOptional>).def?.innerType
  return description ?? (inner === undefined ? '' : descriptionOf(inner))
}
