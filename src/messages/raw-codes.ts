// Codes of other programs among the values of a message, such as ECONNREFUSED. Sentences put them into words; engineers look them up.
import { findDenial } from './denials.ts'
import type { Shape } from './kinds.ts'
import { CODES, isMessage, type Message } from './message.ts'

export function rawCodesOf(message: Message): string[] {
  const inner = Object.values(message.values)
    .flat()
    .filter(value => isMessage(value))
  return [...new Set([...ownCodes(message), ...inner.flatMap(rawCodesOf)])]
}

function ownCodes({ code, values }: Message): string[] {
  // A reason of a facilitator that has no words is quoted in the sentence.
  if (code === 'settlement_denied') return findDenial(values.why) ? [values.why] : []
  return Object.entries(CODES[code] as Shape)
    .filter(([, kind]) => kind === 'code?')
    .flatMap(([name]) => (values as Readonly<Record<string, string | null>>)[name] ?? [])
}
