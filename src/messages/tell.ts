// Puts a message into the words of a language. A language is one entry here and its tables of words.
import { ENGLISH } from './english/english.ts'
import { JAPANESE } from './japanese/japanese.ts'
import type { CODES, Message } from './message.ts'
import type { Words } from './words.ts'

const LANGUAGES = { en: ENGLISH, ja: JAPANESE } as const satisfies Readonly<
  Record<string, Words<typeof CODES>>
>
export type Language = keyof typeof LANGUAGES

type Told = string | ((values: Message['values'], tell: (message: Message) => string) => string)

export function tell(message: Message, language: Language): string {
  const words = LANGUAGES[language][message.code] as Told
  return typeof words === 'string' ? words : words(message.values, inner => tell(inner, language))
}

export const tellInEnglish = (message: Message): string => tell(message, 'en')
