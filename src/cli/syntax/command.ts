// The definition of a command: its syntax, its help, and what it does.

export type Option = {
  /** The placeholder in the help; a flag without it takes no value. */
  readonly value?: string
  readonly help: string
}

/** Queries whose parameters become options. */
export type QueryName = 'list' | 'intent' | 'call' | 'resolve'

export type Line = {
  readonly operands: readonly string[]
  /** Flags with a value, by name without dashes. */
  readonly flags: Readonly<Record<string, string>>
  /** Flags without a value. */
  readonly switches: ReadonlySet<string>
}

export type Command = {
  readonly name: string
  /** As in the help: `<name>` is required, `[file]` is optional, `…` takes several. */
  readonly operands: readonly string[]
  readonly summary: string
  /** Further sentences of the help. */
  readonly about?: string
  readonly options: Readonly<Record<string, Option>>
  /** The query whose parameters are options of this command. */
  readonly parameters?: QueryName
  /** Resolves to the exit code. */
  run(line: Line): Promise<number>
}

/** The first argument of a process of `serve --workers`. */
export const WORKER = '--worker'

export const EXIT = { fine: 0, failed: 1, usage: 2 } as const

/** Invalid usage; the message is a full sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command cannot be carried out; the message is a full sentence for the user. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** For commands that pay with the user's own key. */
export const paying: Readonly<Record<string, Option>> = {
  'key-file': {
    value: '<path>',
    help: 'The file with the private key that pays, mode 0600. Default: BUYER_KEY_FILE.',
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
