// The definition of a command: its syntax, its help, and what it does.

export type Option = {
  /** The placeholder in the help; a flag without it takes no value. */
  readonly value?: string
  readonly help: string
}

/** Queries whose parameters become options. */
export type QueryName = 'list' | 'search' | 'intent' | 'call' | 'resolve' | 'reports'

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

export const EXIT = { fine: 0, failed: 1, usage: 2 } as const

/** Invalid usage; the message is a full sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command cannot be carried out; the message is a full sentence for the user. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}
