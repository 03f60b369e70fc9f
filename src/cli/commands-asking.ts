// The commands that query a running directory.
import type { Command } from './command.ts'
import { json, key, paying, url } from './shared-options.ts'

export const ASKING: readonly Command[] = [
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
    parameters: 'resolve',
    options: { url, json },
    run: async line => (await import('./resolve.ts')).runResolve(line),
  },
  {
    name: 'list',
    operands: [],
    summary: 'List services of a running directory.',
    parameters: 'list',
    options: { url, json },
    run: async line => (await import('./ask.ts')).runList(line),
  },
  {
    name: 'show',
    operands: ['<id>'],
    summary: 'Show one service of a running directory.',
    options: { url, json },
    run: async line => (await import('./ask.ts')).runShow(line),
  },
  {
    name: 'terms',
    operands: ['<id>'],
    summary: 'Show what the endpoint of a service itself asks for, as last seen.',
    options: { url, json },
    run: async line => (await import('./terms.ts')).runTerms(line),
  },
  {
    name: 'call',
    operands: ['<id>'],
    summary: 'Print text that calls a service and pays for it; with --pay, call and pay it now.',
    about:
      'With --pay it shows the price, asks, pays with your own key within your caps, and keeps it in your ledger ("shirube spent"). The answer goes to standard output, the receipt to standard error. The exit code is 1 unless it was delivered.',
    parameters: 'call',
    options: {
      pay: { help: 'Call it now, and pay with your own key.' },
      input: { value: '<json>', help: 'The input as the service declares it; @<file> or - reads it.' },
      max: { value: '<dollars>', help: 'The most for this call; it can only lower your cap.' },
      'dry-run': { help: 'Tell what would be signed; nothing is reserved, signed or paid.' },
      yes: {
        help: 'Pay without asking what is not doubtful: clear by the directory, to the same wallet as before.',
      },
      caution: { help: 'With --yes, pay also what is doubtful; never what the directory stops.' },
      purpose: { value: '<text>', help: 'What it is for: nothing is paid twice for one purpose.' },
      output: { value: '<file>', help: 'Write the answer to a file, byte for byte.' },
      ...paying,
      url,
      json,
    },
    run: async line =>
      line.switches.has('pay')
        ? (await import('./pay.ts')).runPay(line)
        : (await import('./call.ts')).runCall(line),
  },
  {
    name: 'search',
    operands: ['<words…>'],
    summary: 'Search a running directory by words.',
    parameters: 'search',
    options: { url, json },
    run: async line => (await import('./ask.ts')).runSearch(line),
  },
  {
    name: 'intent',
    operands: ['<sentence…>'],
    summary: 'Search a running directory by what you need, said in your own words.',
    parameters: 'intent',
    options: { url, json },
    run: async line => (await import('./ask.ts')).runIntent(line),
  },
  {
    name: 'watch',
    operands: ['<sentence…>'],
    summary: 'Tell what a running directory finds for a sentence, and go on: what is new, changed or gone.',
    about: 'With --json, one object a line. Ends on Ctrl+C. What fits only weakly is left out.',
    parameters: 'intent',
    options: { url, json },
    run: async line => (await import('./watch.ts')).runWatch(line),
  },
  {
    name: 'mcp',
    operands: [],
    summary: 'Speak the Model Context Protocol on standard input and output, for the agent that started it.',
    about:
      'Ends when its input does. A server also speaks it at /mcp. With --pay the agent has call_service besides, which pays with your own key within your caps, and asks you first above --ask-above.',
    options: {
      url: {
        value: '<address>',
        help: 'The running directory to ask; without it, the store of DATABASE_URL is read here.',
      },
      key,
      pay: { help: 'Let the agent call services and pay for them with your own key.' },
      'ask-above': {
        value: '<dollars>',
        help: 'Ask before a call that costs more; BUDGET_ASK_ABOVE unless given, and 0 asks before every payment.',
      },
      ...paying,
    },
    run: async line => (await import('./mcp.ts')).runMcp(line),
  },
]
