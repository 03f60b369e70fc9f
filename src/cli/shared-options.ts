// Options shared by several commands.
import type { Option } from './command.ts'

export const json: Option = { help: 'Print JSON instead of text for people.' }
export const url: Option = { value: '<address>', help: 'The directory to ask; SHIRUBE_URL unless given.' }
export const key: Option = { value: '<key>', help: 'The API key; SHIRUBE_KEY unless given.' }

/** For commands that pay with the user's own key. */
export const paying: Readonly<Record<string, Option>> = {
  'key-file': {
    value: '<path>',
    help: 'The file with the private key that pays, mode 0600; BUYER_KEY_FILE, BUYER_KEY_EVM or BUYER_KEY_SOLANA unless given.',
  },
  'per-call': { value: '<dollars>', help: 'The most for one call; BUDGET_PER_CALL unless given.' },
  'per-service': {
    value: '<dollars>',
    help: 'The most for one service in 24 hours; BUDGET_PER_SERVICE unless given.',
  },
  'per-host': {
    value: '<dollars>',
    help: 'The most for one domain and for one payee in 24 hours; BUDGET_PER_HOST unless given.',
  },
  'per-day': { value: '<dollars>', help: 'The most in all in 24 hours; BUDGET_PER_DAY unless given.' },
  ledger: { value: '<path>', help: 'The file of your own ledger; LEDGER_FILE unless given.' },
}
