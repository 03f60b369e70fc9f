// The commands of the operator: they run the directory, or work on its store.
import type { Command } from './command.ts'
import { json } from './shared-options.ts'

const force = { help: 'Overwrite the file if it exists. Default: ask, or fail without a terminal.' }

export const OPERATING: readonly Command[] = [
  {
    name: 'serve',
    operands: [],
    summary: 'Run the directory.',
    about:
      'On Ctrl+C, SIGTERM or SIGHUP it finishes the requests in flight and ends within seconds. With --workers, SIGUSR2 replaces the processes one by one.',
    options: {
      port: { value: '<number>', help: 'The port to listen on; 0 picks a free one. Default: PORT.' },
      workers: {
        value: '<number>',
        help: 'The number of processes that share the port; auto means one per core. Default: 1.',
      },
      sample: {
        help: 'Load a sample catalog into a new database and print a first API key that may register services for 30 days.',
      },
    },
    run: async line => (await import('../commands/serve.ts')).runServe(line),
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
      'Another Shirube is followed by its change feed, and services that it removes are removed here. A service that a list no longer ' +
      'contains becomes inactive. Status and trust are always determined here, and services with an owner here are never changed.',
    options: {
      every: {
        value: '<time>',
        help: 'Read it again at this interval, for example 10m or 1h. Default: once.',
      },
      json,
    },
    run: async line => (await import('../commands/sync.ts')).runSync(line),
  },
  {
    name: 'export',
    operands: ['[file]'],
    summary: 'Write the whole catalog, ordered by id, to a file or to standard output.',
    about:
      'ndjson has one service with all of its fields per line, the same as /api/export.ndjson; ndjson.zst is that compressed with zstd. ' +
      'json is one document, the same as /api/export, without descriptions, free quotas and further chains: `import` reads all three, ' +
      'but only ndjson and ndjson.zst are copies of everything that services say about themselves. `backup` copies the whole store.',
    options: {
      format: {
        value: '<format>',
        help: 'json, ndjson or ndjson.zst. Default: the extension of the file name, or else json.',
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
    run: async line => (await import('../commands/backup.ts')).runBackup(line),
  },
  {
    name: 'copy',
    operands: ['<database-url>'],
    summary: 'Copy everything into an empty database, of any engine.',
    about:
      'The address is written as DATABASE_URL is. Webhooks and API keys work in the copy as before. Stop the server first if the copy is ' +
      'to replace its database: what is written meanwhile is not in it.',
    options: { json },
    run: async line => (await import('../commands/backup.ts')).runCopy(line),
  },
  {
    name: 'reports',
    operands: [],
    summary: 'List the reports about services, settle one, or hide a service.',
    about:
      'Works on the store directly, also while a server uses it. Only operators see reports, and they have no effect by themselves. ' +
      'A hidden service is in no list, search or feed, and its page says why. Nothing is deleted.',
    parameters: 'reports',
    options: {
      resolve: {
        value: '<report>',
        help: 'Mark a report as resolved. Its sender may report the service again.',
      },
      hide: { value: '<service>', help: 'Hide a service; needs --why.' },
      why: { value: '<text>', help: 'With --hide: the reason, shown to everybody who opens the service.' },
      unhide: { value: '<service>', help: 'Show a hidden service again. It is probed at once.' },
      json,
    },
    run: async line => (await import('../commands/reports.ts')).runReports(line),
  },
]
