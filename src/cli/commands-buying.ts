// The commands that pay, or report payments.
import type { Command } from './command.ts'
import { json, paying } from './shared-options.ts'

const { 'key-file': _, ...spending } = paying

export const BUYING: readonly Command[] = [
  {
    name: 'buy',
    operands: ['<id>'],
    summary:
      'Buy one answer of a listed service with the key of BUYER_KEY_EVM, BUYER_KEY_SOLANA or BUYER_KEY_FILE, and judge it.',
    about:
      'Works on the store itself, also while a server runs on it. The request is a sample made from its schema. The caps are those of BUDGET_PER_CALL and the others. The exit code is 1 unless it delivered.',
    options: {
      'dry-run': { help: 'Tell what would be signed; nothing is reserved, signed or paid.' },
      caution: { help: 'Buy also where the guard advises caution, such as an unverified service.' },
      purpose: { value: '<text>', help: 'What it is for: nothing is paid twice for one purpose.' },
      json,
    },
    run: async line => (await import('./buy.ts')).runBuy(line),
  },
  {
    name: 'spent',
    operands: [],
    summary: 'Tell what you spent: your own ledger of "call --pay" and of agents, by service and by host.',
    about:
      'What is reserved, signed or unknown counts until it is known not to have been taken; what was left open is looked up on chain first, where RPC_URL_… names a node.',
    options: {
      limit: { value: '<number>', help: 'How many purchases are listed, the newest first; 20 unless given.' },
      ...spending,
      json,
    },
    run: async line => (await import('./spent.ts')).runSpent(line),
  },
  {
    name: 'purchases',
    operands: ['<id>'],
    summary: 'Tell what a running directory bought from a service, and what came of it.',
    options: {
      limit: { value: '<number>', help: 'How many, the newest first; 20 unless given.' },
      before: { value: '<id>', help: 'Id of the last purchase of the page before.' },
      url: { value: '<address>', help: 'The directory to ask; SHIRUBE_URL unless given.' },
      json,
    },
    run: async line => (await import('./purchases.ts')).runPurchases(line),
  },
  {
    name: 'outcomes',
    operands: ['<id>'],
    summary: 'Tell what payers say came of their payments to a service.',
    options: {
      limit: { value: '<number>', help: 'How many, the newest first; 20 unless given.' },
      before: { value: '<id>', help: 'Id of the last outcome of the page before.' },
      url: { value: '<address>', help: 'The directory to ask; SHIRUBE_URL unless given.' },
      json,
    },
    run: async line => (await import('./outcomes.ts')).runOutcomes(line),
  },
  {
    name: 'report-outcome',
    operands: ['<id>', '<outcome>'],
    summary:
      'Tell a running directory what came of your payment to a service, signed by the wallet that paid.',
    about:
      'Outcomes: delivered, delivered_not_as_declared, refused_after_payment, charged_other, settled_silent. Once for each payment, within a week. Signing sends no transaction and costs nothing.',
    options: {
      transaction: { value: '<hash>', help: 'The settlement on chain.' },
      payer: { value: '<address>', help: 'The wallet that paid, where the key file holds several.' },
      receipt: { value: '<file>', help: 'The receipt that the seller signed, as JSON; - is standard input.' },
      network: { value: '<name>', help: 'On which it was paid; the listed one unless given.' },
      directory: { value: '<address>', help: 'Its public address, where that is not the one that is asked.' },
      'key-file': paying['key-file']!,
      url: { value: '<address>', help: 'The directory to tell; SHIRUBE_URL unless given.' },
      json,
    },
    run: async line => (await import('./outcomes.ts')).runReportOutcome(line),
  },
  {
    name: 'budget',
    operands: [],
    summary: 'Tell which wallet buys, its caps, and what is spent and reserved within 24 hours.',
    about: 'With --settle, what was left reserved or signed is looked up on chain first.',
    options: { settle: { help: 'Ask the nodes of RPC_URL_… about what is not settled yet.' }, json },
    run: async line => (await import('./buy.ts')).runBudget(line),
  },
]
