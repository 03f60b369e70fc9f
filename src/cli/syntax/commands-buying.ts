// The commands that pay, or report payments.
import { loadBuyer } from '../buyer-package.ts'
import type { Command } from './command.ts'
import { json, paying, url } from './shared-options.ts'

const { 'key-file': _, ...spending } = paying

export const BUYING: readonly Command[] = [
  {
    name: 'buy',
    operands: ['[id]'],
    summary:
      'Buy one response of a listed service as the directory and check it; without an id, from verified services in turn, until it is stopped.',
    about:
      'Uses BUYER_KEY_EVM, BUYER_KEY_SOLANA or BUYER_KEY_FILE. Works on the store directly, also while a server uses it; of several processes without an id, one buys. The request is a sample made from the schema of the service. BUDGET_PER_CALL and the other BUDGET_ settings limit it. The exit code is 1 unless the service delivered.',
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
      limit: { value: '<number>', help: 'The number of purchases to list, newest first. Default: 20.' },
      ...spending,
      json,
    },
    run: async line => (await loadBuyer()).runSpent(line),
  },
  {
    name: 'purchases',
    operands: ['<id>'],
    summary: 'Show the test purchases that the directory made from a service, with their results.',
    options: {
      limit: { value: '<number>', help: 'The number to list, newest first. Default: 20.' },
      before: { value: '<id>', help: 'The id of the last purchase on the previous page.' },
      url,
      json,
    },
    run: async line => (await import('../commands/purchases.ts')).runPurchases(line),
  },
  {
    name: 'outcomes',
    operands: ['<id>'],
    summary: 'Show what payers reported about their payments to a service.',
    options: {
      limit: { value: '<number>', help: 'The number to list, newest first. Default: 20.' },
      before: { value: '<id>', help: 'The id of the last outcome on the previous page.' },
      url,
      json,
    },
    run: async line => (await import('../commands/outcomes.ts')).runOutcomes(line),
  },
  {
    name: 'report-outcome',
    operands: ['<id>', '<outcome>'],
    summary: 'Report the outcome of your payment to a service, signed by the wallet that paid.',
    about:
      'Outcomes: delivered, delivered_not_as_declared, refused_after_payment, charged_other, settled_silent. Each payment can be reported once, within a week. Signing sends no transaction and costs nothing.',
    options: {
      transaction: { value: '<hash>', help: 'The transaction that settled the payment on chain.' },
      payer: { value: '<address>', help: 'The wallet that paid, if the key file has several.' },
      network: { value: '<name>', help: 'The network on which it was paid. Default: the listed one.' },
      directory: {
        value: '<address>',
        help: 'The public URL of the directory, if it differs from the one queried.',
      },
      'key-file': paying['key-file']!,
      url: {
        value: '<address>',
        help: 'The directory to report to. Default: SHIRUBE_URL, or this machine at PORT.',
      },
      json,
    },
    run: async line => (await loadBuyer()).runReportOutcome(line),
  },
  {
    name: 'budget',
    operands: [],
    summary: 'Show the wallet that buys, its caps, and what it spent and reserved within 24 hours.',
    about: 'With --settle, reserved and signed payments are looked up on chain first.',
    options: {
      settle: { help: 'Look up payments that are not settled yet on the nodes of RPC_URL_….' },
      json,
    },
    run: async line => (await loadBuyer()).runBudget(line),
  },
]
