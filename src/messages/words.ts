// The texts of one language: for every code of a table a text, or a function of its values.
import type { Shape } from './kinds.ts'
import type { CODES, Message, ValuesOf } from './message.ts'

export type Tell = (message: Message) => string

/** Only a code without values has a plain text. */
export type Words<T extends Readonly<Record<string, Shape>>> = {
  readonly [C in keyof T]: keyof T[C] extends never ? string : (values: ValuesOf<T[C]>, tell: Tell) => string
}

type Template = string | ((values: Message['values'], tell: Tell) => string)

export function tellBy(words: Words<typeof CODES>, message: Message): string {
  const template = words[message.code] as Template
  return typeof template === 'string' ? template : template(message.values, inner => tellBy(words, inner))
}
