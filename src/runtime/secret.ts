// A text that must not be revealed: logs, JSON and debuggers write a placeholder instead.
import { inspect } from 'node:util'

const HIDDEN = '[secret]'

export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** For the only place that needs the text. */
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
