// The sound of a name as its consonants, so coarse that spellings of two scripts meet: l and r, b and v, c and k are one, and vowels
// and an r that is not followed by one do not count.

const MIN_SOUND = 3

const RULES: readonly (readonly [RegExp, string])[] = [
  [/tion|sion/g, 'sn'],
  [/ph/g, 'h'],
  [/tch|ch|ts/g, 't'],
  [/sh|th/g, 's'],
  [/ck|q/g, 'k'],
  [/x/g, 'ks'],
  // A stem has lost its e: binanc(e).
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

/** undefined where it is too short to tell one name from another. @param letters Latin ones, lower-case */
export function toSound(letters: string): string | undefined {
  if (!/^[a-z]{4,24}$/.test(letters)) return undefined
  let sound = letters
  for (const [pattern, by] of RULES) sound = sound.replace(pattern, by)
  return sound.length >= MIN_SOUND ? sound : undefined
}

/** How many letters must be added, left out or replaced (Levenshtein), in letters of the longer. */
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
