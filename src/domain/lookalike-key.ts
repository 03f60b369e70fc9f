// The key by which names are compared that readers mistake for each other at a glance.
import { skeletonOf } from './skeleton.ts'

/** Shorter words become other words when letters change places. */
const MIN_LETTERS = 8
const LETTERS = /^[a-z]+$/
const DIGIT = /\d/

/**
 * Equal for names with the same skeleton, and for longer names in which inner letters are transposed, which readers overlook. A
 * dropped letter does not count, because plurals drop one; nor do transposed digits, because they make another number.
 */
export function lookalikeKey(name: string): string {
  const skeleton = skeletonOf(name)
  if (skeleton.length < MIN_LETTERS || !LETTERS.test(skeleton) || DIGIT.test(name)) return skeleton
  return `${skeleton[0]}${[...skeleton.slice(1, -1)].sort().join('')}${skeleton.at(-1)}`
}
