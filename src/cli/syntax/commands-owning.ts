// The commands of service owners.
import type { Command } from './command.ts'
import { json, key, url } from './shared-options.ts'

export const OWNING: readonly Command[] = [
  {
    name: 'register',
    operands: ['<file or URL>'],
    summary: 'Register a service from a JSON file (- reads standard input) or from the URL of its endpoint.',
    about:
      'With a URL, network, payee, price, method and description are read from the endpoint, shown, and registered when you confirm.',
    options: {
      name: { value: '<text>', help: 'With a URL: the name. Default: its host.' },
      description: {
        value: '<text>',
        help: 'With a URL: what it does. Default: what the endpoint says.',
      },
      category: { value: '<id>', help: 'With a URL: the category. Default: other.' },
      price: {
        value: '<amount>',
        help: 'With a URL: the price of a request. Default: what the endpoint asks for.',
      },
      currency: { value: '<code>', help: 'With a URL: the currency of the price, for example USDC.' },
      network: {
        value: '<network>',
        help: 'With a URL: one of the networks that it accepts, for example base.',
      },
      address: {
        value: '<wallet>',
        help: 'With a URL: the wallet that is paid. Default: the one that the endpoint names.',
      },
      yes: { help: 'With a URL: register without confirmation.' },
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
  {
    name: 'mine',
    operands: [],
    summary: 'List your own services, including those retired, hidden or listed by others.',
    options: { key, url, json },
    run: async line => (await import('../commands/own.ts')).runMine(line),
  },
  {
    name: 'edit',
    operands: ['<id>', '<file>'],
    summary: 'Change your service with a JSON file; - reads standard input.',
    about:
      'The file is a JSON merge patch of the registration body: fields that it leaves out stay unchanged. ' +
      'After a change of endpoint, wallet or network the service is verified again.',
    options: { key, url, json },
    run: async line => (await import('../commands/own.ts')).runEdit(line),
  },
  {
    name: 'retire',
    operands: ['<id>'],
    summary: 'Retire your service. It stays listed as inactive, with your --message.',
    options: {
      message: { value: '<text>', help: 'Why, for the users of the service. Required.' },
      key,
      url,
      json,
    },
    run: async line => (await import('../commands/own.ts')).runRetire(line),
  },
  {
    name: 'restore',
    operands: ['<id or file>'],
    summary: 'Restore a retired service, or load a backup into an empty store; - reads standard input.',
    about:
      'An operand that begins with svc_ is a service of a running directory. A backup can move from any database engine to any other. ' +
      'Either all of it is restored or, if the file is damaged or newer than this program, nothing.',
    options: { key, url, json },
    run: async line =>
      line.operands[0]!.startsWith('svc_')
        ? (await import('../commands/own.ts')).runRestore(line)
        : (await import('../commands/backup.ts')).runRestore(line),
  },
  {
    name: 'claim',
    operands: ['<id>'],
    summary: 'Make the wallet that a service is paid to its only owner. Needs an API key of that wallet.',
    options: { key, url, json },
    run: async line => (await import('../commands/own.ts')).runClaim(line),
  },
  {
    name: 'remove',
    operands: ['<id>'],
    summary: 'Remove your service from the directory permanently.',
    about: 'Asks for confirmation. Without a terminal it needs --yes.',
    options: { yes: { help: 'Remove without confirmation.' }, key, url, json },
    run: async line => (await import('../commands/own.ts')).runRemove(line),
  },
]
