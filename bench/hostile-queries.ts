// Queries that are made to be costly, of the words of a catalog.

export type Vocabulary = {
  /** Two words as an ordinary query has them. */
  twoWords(): string
  /** The words that most entries have, so many of them. */
  frequentWords(count: number): string
}

const MAX_CHARACTERS = 500
const random = (from: number, to: number) => Math.random().toString(36).slice(from, to)
const many = (count: number, draw: () => string) =>
  Array.from({ length: count }, draw).join(' ').slice(0, MAX_CHARACTERS)

export const createHostileQueries = ({
  twoWords,
  frequentWords,
}: Vocabulary): Readonly<Record<string, () => string>> => ({
  'one letter 500 times': () => 'a'.repeat(MAX_CHARACTERS),
  'two hundred distinct rare words': () => many(200, () => random(2, 4)),
  'the eight most frequent words': () => frequentWords(8),
  'thirty-two frequent words': () => frequentWords(32),
  'sixty words': () => many(30, twoWords),
  'unknown words near many others': () => many(60, () => `ba${random(2, 6)}`),
  'words with one letter wrong': () => many(60, () => twoWords().replace(/(?<=^..)./, 'x')),
  'beginnings of words': () => many(100, () => twoWords().slice(0, 3)),
  'right to left': () => 'ما هو الطقس اليوم في مدينة طوكيو '.repeat(14),
  'five hundred emoji': () => '🌦'.repeat(MAX_CHARACTERS / 2),
  'unbalanced surrogates': () => '\ud83c'.repeat(MAX_CHARACTERS),
  'five hundred kanji': () =>
    '天気予報翻訳画像生成価格為替検索地図経路音声認識'.repeat(25).slice(0, MAX_CHARACTERS),
  'conditions without end': () => 'under 0.01 USDC on Base verified '.repeat(16).slice(0, MAX_CHARACTERS),
})
