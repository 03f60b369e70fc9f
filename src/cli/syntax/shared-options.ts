// Options shared by several commands.
import type { Option } from './command.ts'

export const json: Option = { help: 'Print JSON instead of text.' }
export const url: Option = {
  value: '<address>',
  help: 'The directory to query. Default: SHIRUBE_URL, or this machine at PORT.',
}
export const key: Option = { value: '<key>', help: 'The API key. Default: SHIRUBE_KEY.' }

/** For commands that pay with the user's own key. */
export const paying: Readonly<Record<string, Option>> = {
  'key-file': {
    value: '<path>',
    help: 'The file with the private key that pays, mode 0600. Default: BUYER_KEY_FILE, BUYER_KEY_EVM or BUYER_KEY_SOLANA.',
  },
  'per-call': { value: '<dollars>', help: 'The cap for one call. Default: BUDGET_PER_CALL.' },
  'per-service': {
    value: '<dollars>',
    help: 'The cap for one service in 24 hours. Default: BUDGET_PER_SERVICE.',
  },
  'per-host': {
    value: '<dollars>',
    help: 'The cap for one domain and for one payment address in 24 hours. Default: BUDGET_PER_HOST.',
  },
  'per-day': { value: '<dollars>', help: 'The total cap in 24 hours. Default: BUDGET_PER_DAY.' },
  ledger: { value: '<path>', help: 'The file of your ledger. Default: LEDGER_FILE.' },
}
