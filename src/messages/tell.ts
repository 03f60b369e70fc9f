// Renders a message in a language. A language is one entry here and its tables of texts.
import { ENGLISH } from './english/english.ts'
import { JAPANESE } from './japanese/japanese.ts'
import type { CODES, Message } from './message.ts'
import { tellBy, type Words } from './words.ts'

const MESSAGE_TEXTS = { en: ENGLISH, ja: JAPANESE } as const satisfies Readonly<
  Record<string, Words<typeof CODES>>
>
export type Language = keyof typeof MESSAGE_TEXTS

export const tell = (message: Message, language: Language): string => tellBy(MESSAGE_TEXTS[language], message)
