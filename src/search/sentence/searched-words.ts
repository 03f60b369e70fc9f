// What may be reported of a search without results: its words, but none that may be part of an address or of code.
import type { Intent } from './intent.ts'

const ADDRESS_OR_CODE = /[@/\\<>{}=]|[\p{L}\p{N}]\.[\p{L}\p{N}]/u

export const toSearchedWords = ({ query, contentTokens }: Intent): readonly string[] =>
  ADDRESS_OR_CODE.test(query) ? [] : contentTokens
