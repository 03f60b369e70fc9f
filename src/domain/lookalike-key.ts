// The key by which names are compared that a reader takes for each other at a glance.
import { skeletonOf } from './skeleton.ts'

/** Shorter words are other words when their letters change places. */
const MIN_LETTERS = 8
const LETTERS = /^[a-z]+$/
const DIGIT = /\d/

/**
 * Equal for names with the same skeleton, and for longer ones in which letters between the first and the last have changed places:
 * readers do not see it. A dropped letter is no sign of it, because plurals drop one, and figures in another order are another number.
 */
export function lookalikeKey(name: string): string {
  const skeleton = skeletonOf(name)
  if (skeleton.length < MIN_LETTERS || !LETTERS.test(skeleton) || DIGIT.test(name)) return skeleton
  return `${skeleton[0]}${[...skeleton.slice(1, -1)].sort().join('')}${skeleton.at(-1)}`
}
