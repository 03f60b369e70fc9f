// The key by which names are compared that readers mistake for each other at a glance.
import { skeletonOf } from './skeleton.ts'

/** Shorter words become other words when letters change places. */
const MIN_LETTERS = 8
const LETTERS = /^[a-z]+$/
/** Several digits at the edge of a word. A single digit, or digits between letters, can stand for letters: 0penWeather, G00gle. */
const NUMBER = /(?<![\p{L}\d])\d{2,}|\d{2,}(?![\p{L}\d])/u

/**
 * Equal for names with the same skeleton, and for longer names in which inner letters are transposed, which readers overlook. A
 * dropped letter does not count, because plurals drop one; nor do transposed digits, because they make another number.
 */
export function lookalikeKey(name: string): string {
  const skeleton = skeletonOf(name)
  if (skeleton.length < MIN_LETTERS || !LETTERS.test(skeleton) || NUMBER.test(name)) return skeleton
  return `${skeleton[0]}${[...skeleton.slice(1, -1)].sort().join('')}${skeleton.at(-1)}`
}
