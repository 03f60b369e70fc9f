// Finds terms one typo apart in constant time by symmetric deletion, as SymSpell does: two words that differ in one letter
// become equal when a letter is deleted from one or both. A term is indexed by the hash of itself and of each of its
// deletions.
import { addUnit, FNV_START, mixed } from '../../memory/fnv1a.ts'

const MIN_LENGTH = 4
const MAX_LENGTH = 24

/** Changing one character of a number or of a word in Chinese characters gives a different word, not a typo. */
const canHaveTypo = (word: string): boolean =>
  word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && !/[\d\p{Script=Han}]/u.test(word)

function hashWithout(word: string, left: number): number {
  let hash = FNV_START
  for (let i = 0; i < word.length; i++) if (i !== left) hash = addUnit(hash, word.charCodeAt(i))
  return mixed(hash)
}

/** Returns the hashes of a word and of its deletions; none for a word that is not corrected. */
export function deletionHashes(word: string): number[] {
  if (!canHaveTypo(word)) return []
  const hashes = [hashWithout(word, -1)]
  for (let left = 0; left < word.length; left++)
    if (word[left] !== word[left + 1]) hashes.push(hashWithout(word, left))
  return hashes
}
