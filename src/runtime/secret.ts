// A text that must not be told: whatever writes it down, a log, JSON or a debugger, writes this instead.
import { inspect } from 'node:util'

const HIDDEN = '[secret]'

export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** For the one place that needs it. */
  reveal(): string {
    return this.#text
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
