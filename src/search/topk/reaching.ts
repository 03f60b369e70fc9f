// Which of 32 slots can still enter the best: told by which of the terms each has, which of them strongly, and the highest
// impacts among the 32.
import { STRONG, WEAK } from '../index/bitmap-postings.ts'
import type { Led } from './offer-leaders.ts'

/** Of the slots of a word those that may reach the least. */
export type Reaching = (slots: number, word: number, least: number) => number

export function reachingOfMany(terms: readonly Led[]): Reaching {
  const bits = terms.map(({ frequent }) => frequent.bits)
  const strong = terms.map(({ frequent }) => frequent.strong)
  const tops = terms.map(({ frequent }) => frequent.tops)
  const weights = terms.map(({ weight }) => weight)
  return (slots, word, least) => {
    let bound = 0
    for (let t = 0; t < tops.length; t++) bound += weights[t]! * tops[t]![word]!
    if (bound < least) return 0
    let kept = 0
    for (let left = slots; left !== 0; left &= left - 1) {
      const bit = left & -left
      let reach = 0
      for (let t = 0; t < bits.length; t++) {
        if ((bits[t]![word]! & bit) === 0) continue
        const highest = tops[t]![word]!
        reach += weights[t]! * (highest < STRONG || (strong[t]![word]! & bit) !== 0 ? highest : WEAK)
      }
      if (reach >= least) kept |= bit
    }
    return kept
  }
}

/** All slots of a word at once. */
export function reachingOfTwo(one: Led, two: Led): Reaching {
  const { bits: ones, strong: strongOnes, tops: topsOne } = one.frequent
  const { bits: twos, strong: strongTwos, tops: topsTwo } = two.frequent
  const { weight: weightOne, most: highestOne } = one
  const { weight: weightTwo, most: highestTwo } = two
  return (slots, word, least) => {
    const mostOne = Math.min(highestOne, weightOne * topsOne[word]!)
    const mostTwo = Math.min(highestTwo, weightTwo * topsTwo[word]!)
    if (mostOne + mostTwo < least) return 0
    const weakOne = Math.min(mostOne, weightOne * WEAK)
    const weakTwo = Math.min(mostTwo, weightTwo * WEAK)
    const hasOne = ones[word]!
    const hasTwo = twos[word]!
    const strongOne = strongOnes[word]!
    const strongTwo = strongTwos[word]!
    let kept = strongOne & strongTwo
    if (mostOne + weakTwo >= least) kept |= strongOne & hasTwo
    if (weakOne + mostTwo >= least) kept |= hasOne & strongTwo
    if (weakOne + weakTwo >= least) kept |= hasOne & hasTwo
    if (mostOne >= least) kept |= strongOne
    if (weakOne >= least) kept |= hasOne
    if (mostTwo >= least) kept |= strongTwo
    if (weakTwo >= least) kept |= hasTwo
    return kept & slots
  }
}
