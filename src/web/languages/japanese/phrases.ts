// Where a Japanese line may break: between phrases, never inside a word. By the model of BudouX (data/NOTICE), for browsers that do not
// find the borders themselves.
import { readFileSync } from 'node:fs'
import { lazily } from '../../../memory/lazily.ts'
import { packageFile } from '../../../package/files.ts'
import type { Phrases } from '../page-language.ts'

type Model = Readonly<Record<string, Readonly<Record<string, number>> | undefined>>

/** The name of each group, and which characters around a border it looks at. */
const FEATURES: readonly (readonly [group: string, from: number, to: number])[] = [
  ['UW1', -3, -2],
  ['UW2', -2, -1],
  ['UW3', -1, 0],
  ['UW4', 0, 1],
  ['UW5', 1, 2],
  ['UW6', 2, 3],
  ['BW1', -2, 0],
  ['BW2', -1, 1],
  ['BW3', 0, 2],
  ['TW1', -3, 0],
  ['TW2', -2, 1],
  ['TW3', -1, 2],
  ['TW4', 0, 3],
]

/** Read with the first page in Japanese. */
const readModel = lazily(() => {
  const groups: Model = JSON.parse(readFileSync(packageFile('data/phrases-ja.json'), 'utf8'))
  const weights = Object.values(groups).flatMap(group => Object.values(group ?? {}))
  return { groups, base: -0.5 * weights.reduce((sum, weight) => sum + weight, 0) }
})

/** A particle is not parted from the quotation that it belongs to. */
const isAfterBracket = (text: string, i: number): boolean =>
  /[」』]\p{sc=Hiragana}/u.test(text.slice(i - 1, i + 1))

export function toPhrases(text: string): string[] {
  const { groups, base } = readModel()
  const phrases: string[] = []
  let start = 0
  for (let i = 1; i < text.length; i++) {
    let score = base
    for (const [group, from, to] of FEATURES)
      if (i + from >= 0) score += groups[group]?.[text.slice(i + from, i + to)] ?? 0
    if (score <= 0 || isAfterBracket(text, i)) continue
    phrases.push(text.slice(start, i))
    start = i
  }
  return text === '' ? [] : [...phrases, text.slice(start)]
}

export const JAPANESE_PHRASES: Phrases = {
  recognises: text => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text),
  split: toPhrases,
}
