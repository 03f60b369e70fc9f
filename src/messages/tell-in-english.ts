// Messages in English alone: whoever needs no other language, such as the client, does not carry the words of all.
import { ENGLISH } from './english/english.ts'
import type { Message } from './message.ts'
import { tellBy } from './words.ts'

export const tellInEnglish = (message: Message): string => tellBy(ENGLISH, message)
