// A second set of hostile listings in other wording: the ranking must not depend on how the first set is worded.
import { cut, type Kind, perTarget, type Target, type Text, wordsOf } from './hostile-kinds.ts'

const title = (words: readonly string[]): string =>
  words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
const short = ({ words, query }: Target): string => cut(title(words.slice(0, 2)) || query, 200)

/** Sentences that could be in an honest description, each with one of the words. */
const PATTERNS: readonly ((word: string) => string)[] = [
  word => `It covers ${word} for every caller.`,
  word => `Ask it for ${word} at any time of the day.`,
  word => `Built around ${word}, with examples in the guide.`,
  word => `Teams rely on it when ${word} matters.`,
  word => `One request brings ${word} as JSON.`,
]
const PRODUCTS = ['Harbor', 'Northlight', 'Cobalt', 'Fernway', 'Stillwater', 'Quarry']

const inSentences = (target: Target, turn: number): string => {
  const words = target.words.length === 0 ? [target.query] : target.words
  return words.map((word, i) => PATTERNS[(i + turn) % PATTERNS.length]!(word)).join(' ')
}

/** The words of another's description in another order, so that no three in a row are left. */
const shuffled = (text: string): string => {
  const words = text.split(/(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|\s+/u)
  return [...words.filter((_, i) => i % 2 === 1), ...words.filter((_, i) => i % 2 === 0)].join(' ')
}

export const WORDINGS = {
  'sales talk': perTarget(target => ({
    name: `${short(target)} Hub`,
    description: cut(
      `Looking for ${wordsOf(target)}? We deliver ${wordsOf(target)} in seconds, every day.`,
      2000,
    ),
  })),
  'question and answer': perTarget(({ query }) => ({
    name: 'Instant Answers',
    description: cut(`Q: ${query} A: This does it for you, right away and at the lowest price.`, 2000),
  })),
  'words turned round': perTarget(({ words, query }) => ({
    name: cut([...words].reverse().join('-') || query, 255),
    description: cut([...words].reverse().join(' / ') || query, 2000),
  })),
  'like an honest text': perTarget(
    ...PRODUCTS.map(
      (product, turn) =>
        (target: Target): Text => ({
          name: `${product} ${short(target)}`,
          description: cut(inSentences(target, turn), 2000),
        }),
    ),
  ),
  'the original in another order': perTarget((target, i) => {
    const original = target.answers[i % Math.max(1, target.answers.length)]
    return {
      name: `${short(target)} Direct`,
      description: cut(`${wordsOf(target)}. ${shuffled(original?.description ?? target.query)}`, 2000),
      ...(original && { category: original.category }),
    }
  }),
  'instead of the original': perTarget((target, i) => {
    const original = target.answers[i % Math.max(1, target.answers.length)]
    return {
      name: cut(`Alternative to ${original?.name ?? short(target)}`, 255),
      description: cut(`Does what ${original?.name ?? 'others'} does: ${wordsOf(target)}.`, 2000),
    }
  }),
  'in both languages': perTarget(target => ({
    name: cut(`${wordsOf(target)} 対応`, 255),
    description: cut(
      `${wordsOf(target)}に対応しています。 Supports ${wordsOf(target)} in English and Japanese.`,
      2000,
    ),
  })),
  'a word in each field': perTarget((target, i) => {
    const half = Math.ceil(target.words.length / 2)
    const label = target.words
      .join('-')
      .replace(/[^\p{L}\p{N}-]+/gu, '')
      .slice(0, 40)
    return {
      name: cut(target.words.slice(0, half).join(' ') || target.query, 255),
      description: cut(target.words.slice(half).join(' ') || target.query, 2000),
      endpoint: `https://${label.replace(/^-+|-+$/g, '') || 'words'}.each-${i}.example/v1`,
    }
  }),
} as const satisfies Record<string, Kind>
