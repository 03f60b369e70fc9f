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
    name: 'edit',
    operands: ['<id>', '[file]'],
    summary:
      'Change your service with a JSON file (- reads standard input), or retire, restore, claim or remove it.',
    about:
      'The file is a JSON merge patch of the registration body: fields that it leaves out stay unchanged. ' +
      'After a change of endpoint, wallet or network the service is verified again. A retired service stays listed as inactive.',
    options: {
      retire: { value: '<text>', help: 'Take it out of service; the text says why to its users.' },
      restore: { help: 'Put a retired service back into service.' },
      claim: {
        help: 'Make the wallet that it is paid to its only owner. Needs an API key of that wallet.',
      },
      remove: { help: 'Remove it permanently. Asks for confirmation.' },
      yes: { help: 'With --remove: do not ask.' },
      key,
      url,
      json,
    },
    run: async line => (await import('../commands/own.ts')).runEdit(line),
  },
]
