// What may be told of a search that found nothing: its words, and none of an address or of code.
import type { Intent } from './read-intent.ts'

const ADDRESS_OR_CODE = /[@/\\<>{}=]|[\p{L}\p{N}]\.[\p{L}\p{N}]/u

export const toSearchedWords = ({ query, contentTokens }: Intent): readonly string[] =>
  ADDRESS_OR_CODE.test(query) ? [] : contentTokens
