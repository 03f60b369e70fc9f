// Where a Japanese line may break: between phrases, never inside a word. By the model of BudouX (data/NOTICE), for browsers that do not
// find the borders themselves.
import { readFileSync } from 'node:fs'
import { lazily } from '../../../memory/lazily.ts'
import { packageFile } from '../../../package/files.ts'
import type { Phrases } from '../page-language.ts'

type Model = Readonly<Record<string, Readonly<Record<string, number>>>>

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

/** Up to three code units as one number: a lookup makes no string. */
const keyOf = (text: string, from: number, to: number): number => {
  let key = 0
  for (let i = from; i < to; i++) key = key * 0x1_0000 + text.charCodeAt(i)
  return key
}

/** Read with the first page in Japanese. */
const readModel = lazily(() => {
  const groups: Model = JSON.parse(readFileSync(packageFile('data/phrases-ja.json'), 'utf8'))
  const features = FEATURES.map(([group, from, to]) => {
    const weights = Object.entries(groups[group] ?? {})
    return {
      from,
      to,
      weights: new Map(weights.map(([text, weight]) => [keyOf(text, 0, text.length), weight])),
    }
  })
  const sum = Object.values(groups).reduce(
    (all, group) => Object.values(group).reduce((a, b) => a + b, all),
    0,
  )
  return { features, base: -0.5 * sum }
})

/** A particle is not parted from the quotation that it belongs to. */
const isAfterBracket = (text: string, i: number): boolean =>
  /[」』]\p{sc=Hiragana}/u.test(text.slice(i - 1, i + 1))

export function toPhrases(text: string): string[] {
  const { features, base } = readModel()
  const phrases: string[] = []
  let start = 0
  for (let i = 1; i < text.length; i++) {
    let score = base
    for (const { from, to, weights } of features)
      if (i + from >= 0 && i + to <= text.length) score += weights.get(keyOf(text, i + from, i + to)) ?? 0
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
