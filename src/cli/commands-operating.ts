// The commands of the operator: they run the directory, or work on its store.
import type { Command } from './command.ts'
import { json } from './shared-options.ts'

export const OPERATING: readonly Command[] = [
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
    summary: 'Write the whole catalog, by id, to a file or to standard output.',
    about:
      'As json it is one document, the same as /api/export. As ndjson it is the services with all of their fields, one a line, as ' +
      '/api/export.ndjson, and as ndjson.zst the same compressed with zstd. `import` reads all three.',
    options: {
      format: {
        value: '<format>',
        help: 'json, ndjson or ndjson.zst; unless given, what the name of the file ends in, or else json.',
      },
      json: { help: 'With a file: say in JSON what was written.' },
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
    parameters: 'reports',
    options: { json },
    run: async line => (await import('./reports.ts')).runReports(line),
  },
]
