// A phonetic key of a name: its consonants, coarse enough for spellings in two scripts to agree. l and r, b and v, c and k
// are the same; vowels, and an r without a vowel after it, are dropped.

const MIN_SOUND = 3

const RULES: readonly (readonly [RegExp, string])[] = [
  [/tion|sion/g, 'sn'],
  [/ph/g, 'h'],
  [/tch|ch|ts/g, 't'],
  [/sh|th/g, 's'],
  [/ck|q/g, 'k'],
  [/x/g, 'ks'],
  // A stem has lost its final e: binanc(e).
  [/c(?=[eiy]|$)/g, 's'],
  [/c/g, 'k'],
  [/gh(?=t|$)/g, ''],
  [/r(?![aeiou])/g, ''],
  [/l/g, 'r'],
  [/v/g, 'b'],
  [/f/g, 'h'],
  [/j/g, 'g'],
  [/z/g, 's'],
  [/m(?=[pb])/g, 'n'],
  [/[aeiouyw]/g, ''],
  [/(.)\1+/g, '$1'],
]

/** Returns undefined for a name that is too short to be distinctive. @param letters Latin, lower-case */
export function toSound(letters: string): string | undefined {
  if (!/^[a-z]{4,24}$/.test(letters)) return undefined
  let sound = letters
  for (const [pattern, by] of RULES) sound = sound.replace(pattern, by)
  return sound.length >= MIN_SOUND ? sound : undefined
}

/** The Levenshtein distance, divided by the length of the longer text. */
export function letterDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]! / Math.max(a.length, b.length)
}
