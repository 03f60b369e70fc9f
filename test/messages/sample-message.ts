// A message of any code, with a value in every place that can be told apart from all others.
import { type Kind, WORD_LISTS } from '../../src/messages/kinds.ts'
import { type Code, type Message, say, shapeOf } from '../../src/messages/message.ts'
import { MESSAGES } from '../../src/messages/tables.ts'

export const ALL_CODES = Object.keys(MESSAGES) as Code[]

/** @param flag what every flag is */
export function sampleMessage(code: Code, flag = true): Message {
  const shape = shapeOf(code)
  const values = Object.entries(shape).map(([name, kind], i) => [name, sampleValue(name, kind, i, flag)])
  return { code, values: Object.fromEntries(values) } as Message
}

function sampleValue(name: string, kind: Kind, i: number, flag: boolean): unknown {
  switch (kind) {
    case 'text':
    case 'text?':
    case 'code?':
      return `<${name}>`
    case 'number':
      return 1_000 + i
    case 'flag':
      return flag
    case 'texts':
      return [`<${name} a>`, `<${name} b>`]
    case 'message':
      return say('answers', { status: 7_000 + i })
    case 'messages':
      return [say('answers', { status: 8_000 + i }), say('claimed')]
    default:
      return Object.keys(WORD_LISTS[kind])[0]
  }
}
