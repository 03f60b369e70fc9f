// A statement that is compiled by its first use: a store has two hundred, and a command or a worker that opens it needs a few.
import type { Changes, SQLQueryBindings, Statement } from 'bun:sqlite'

export class LazyStatement {
  readonly #compile: () => Statement
  #compiled: Statement | undefined

  constructor(compile: () => Statement) {
    this.#compile = compile
  }

  get #statement(): Statement {
    this.#compiled ??= this.#compile()
    return this.#compiled
  }

  run(...values: SQLQueryBindings[]): Changes {
    return this.#statement.run(...values)
  }

  values(...values: SQLQueryBindings[]): ReturnType<Statement['values']> {
    return this.#statement.values(...values)
  }

  finalize(): void {
    this.#compiled?.finalize()
  }
}
