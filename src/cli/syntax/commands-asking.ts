// The commands that query a running directory.
import { loadBuyer } from '../buyer-package.ts'
import type { Command } from './command.ts'
import { json, key, paying, url } from './shared-options.ts'

export const ASKING: readonly Command[] = [
  {
    name: 'check',
    operands: ['<url or id>'],
    summary: 'Check any endpoint as the directory would probe it, or probe a listed service now.',
    about:
      'A URL is checked by a running directory and not listed. The last line says whether it would be verified, which takes --network and --address. ' +
      'The exit code is 1 if a check fails or it would not be verified, and 0 if no check fails and it is not decided. ' +
      'A service, by its id, is probed without paying and the result recorded; this works on the store directly, also while a server uses it.',
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
    run: async line => {
      const { runCheck, runProbe } = await import('../commands/check.ts')
      return line.operands[0]!.startsWith('svc_') ? runProbe(line) : runCheck(line)
    },
  },
  {
    name: 'resolve',
    operands: ['<url>'],
    summary: 'Check whether a URL is safe to pay, given what its 402 response asks for.',
    about:
      'Pass every value of the 402 response; values that are not passed are not compared. The exit code is 0 only if the answer is clear.',
    parameters: 'resolve',
    options: { url, json },
    run: async line => (await import('../commands/resolve.ts')).runResolve(line),
  },
  {
    name: 'list',
    operands: [],
    summary: 'List services.',
    parameters: 'list',
    options: {
      mine: { help: 'Only your own services, including those retired, hidden or listed by others.' },
      key,
      url,
      json,
    },
    run: async line =>
      line.switches.has('mine')
        ? (await import('../commands/own.ts')).runMine(line)
        : (await import('../commands/ask.ts')).runList(line),
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
    summary: 'Print code that calls a service and pays for it. With --pay, call it and pay now.',
    about:
      'With --pay it shows the price, asks for confirmation, pays with your own key within your caps, and records the payment in your ledger ("shirube spent"). The response goes to standard output, the receipt to standard error. The exit code is 1 unless the service delivered.',
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
      ...paying,
      url,
      json,
    },
    run: async line =>
      line.switches.has('pay')
        ? (await loadBuyer()).runCallAndPay(line)
        : (await import('../commands/call.ts')).runCall(line),
  },
  {
    name: 'search',
    operands: ['<words…>'],
    summary: 'Search by keywords.',
    parameters: 'search',
    options: { url, json },
    run: async line => (await import('../commands/ask.ts')).runSearch(line),
  },
  {
    name: 'intent',
    operands: ['<sentence…>'],
    summary: 'Search with a sentence that says what you need.',
    parameters: 'intent',
    options: { url, json },
    run: async line => (await import('../commands/ask.ts')).runIntent(line),
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
        help: 'Ask before a call that costs more; 0 asks before every payment. Default: BUDGET_ASK_ABOVE.',
      },
      ...paying,
    },
    run: async line => (await import('../commands/mcp.ts')).runMcp(line),
  },
]
