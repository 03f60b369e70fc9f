// What finds terms one typo apart in constant time (symmetric deletion, as SymSpell does it): two words that differ in one letter
// are equal once a letter is left out of one or both, so a term is looked up by the hash of itself and of every such remainder.
import { addUnit, FNV_START, mixed } from '../../memory/fnv1a.ts'

const MIN_LENGTH = 4
const MAX_LENGTH = 24

/** A number or a word in Chinese characters with one character changed is another one. */
const canHaveTypo = (word: string): boolean =>
  word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && !/[\d\p{Script=Han}]/u.test(word)

function hashWithout(word: string, left: number): number {
  let hash = FNV_START
  for (let i = 0; i < word.length; i++) if (i !== left) hash = addUnit(hash, word.charCodeAt(i))
  return mixed(hash)
}

/** Returns the hashes of a word and of what remains when one letter is left out; none where it is not looked up so. */
export function deletionHashes(word: string): number[] {
  if (!canHaveTypo(word)) return []
  const hashes = [hashWithout(word, -1)]
  for (let left = 0; left < word.length; left++)
    if (word[left] !== word[left + 1]) hashes.push(hashWithout(word, left))
  return hashes
}
