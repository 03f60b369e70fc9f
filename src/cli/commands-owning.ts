// The commands of service owners.
import type { Command } from './command.ts'
import { json, key, url } from './shared-options.ts'

export const OWNING: readonly Command[] = [
  {
    name: 'register',
    operands: ['<file or URL>'],
    summary:
      'Register a service with a running directory: what a JSON file describes, or what an endpoint tells of itself; - reads standard input.',
    about:
      'Of a URL, network, payee, price, method and description are read from the endpoint itself, shown, and registered when you agree.',
    options: {
      name: { value: '<text>', help: 'With a URL: what it is called; its host unless given.' },
      description: {
        value: '<text>',
        help: 'With a URL: what it does; what the endpoint says unless given.',
      },
      category: { value: '<id>', help: 'With a URL: its category; other unless given.' },
      price: { value: '<amount>', help: 'With a URL: what a request costs; what it asks unless given.' },
      currency: { value: '<code>', help: 'With a URL: the currency of the price, like USDC.' },
      network: { value: '<network>', help: 'With a URL: which of the networks that it takes, like base.' },
      address: {
        value: '<wallet>',
        help: 'With a URL: the wallet that is paid; the one it names unless given.',
      },
      yes: { help: 'With a URL: register what the endpoint tells without asking.' },
      key,
      'idempotency-key': {
        value: '<text>',
        help: 'Makes a repeated call safe: the same one registers once.',
      },
      url,
      json,
    },
    run: async line => (await import('./ask.ts')).runRegister(line),
  },
  {
    name: 'mine',
    operands: [],
    summary: 'List your own services, with what is retired, hidden or listed by somebody else.',
    options: { key, url, json },
    run: async line => (await import('./own.ts')).runMine(line),
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
