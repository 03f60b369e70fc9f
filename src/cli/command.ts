// What a command is: how its line is written, what it says about itself, and what it does.

export type Option = {
  /** What stands after the flag in the help; a flag without it takes no value. */
  readonly value?: string
  readonly help: string
}

/** Queries whose parameters can be typed as options. */
export type QueryName = 'list' | 'search' | 'intent' | 'call' | 'resolve' | 'reports'

export type Line = {
  readonly operands: readonly string[]
  /** Flags that were given, by name without dashes. */
  readonly flags: Readonly<Record<string, string>>
  /** Flags without a value that were given. */
  readonly switches: ReadonlySet<string>
}

export type Command = {
  /** One word or two: `serve`, `keys create`. */
  readonly name: string
  /** As the help writes them: `<name>` is needed, `[file]` is not, `…` takes more than one. */
  readonly operands: readonly string[]
  readonly summary: string
  /** Further sentences of the help. */
  readonly about?: string
  readonly options: Readonly<Record<string, Option>>
  /** The query whose parameters are options of it too. */
  readonly parameters?: QueryName
  /** Resolves to the exit code. */
  run(line: Line): Promise<number>
}

export const EXIT = { fine: 0, failed: 1, usage: 2 } as const

/** The line cannot be understood; the message is a full sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What was asked for cannot be done; the message is a full sentence for whoever typed it. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}
