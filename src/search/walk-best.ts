// Finds the best entries among those with terms that are kept as bits, without counting them. What an entry can reach is
// told by which of the terms it has and which of them strongly, so that whole words of 32 slots are ruled out at once.
import { lowestSlot } from './bits.ts'
import { STRONG, WEAK } from './frequent-term.ts'
import { type Led, offerLeaders, toLed, unmarkLeaders } from './offer-leaders.ts'
import { fewestToReach, slotsInAtLeast } from './slot-counts.ts'
import { impactIn, scoreIn, type Walk, type WalkTerm } from './walk-term.ts'

/** Of at least three terms so many lead to ways; the others are taken to be there at their best. */
const HEAVY = 3
/** The ways are found anew after so many words of slots, where the least hit has risen by at least this part. */
const STRIDE = 64
const LEAST_RISE = 64

/** The three sets that a slot must be in to reach the best. */
type Way = readonly [Int32Array, Int32Array, Int32Array]

/** The set of all slots, as far as they were asked for. */
let all = new Int32Array(0)
function allSlots(words: number): Int32Array {
  if (all.length < words) all = new Int32Array(words).fill(-1)
  return all
}

/** What a way asks for of each heavy term, two bits a term: nothing, to have it, or to have it strongly. */
const ANY = 0
const HAS = 1
const CLASSES = 3
const CLASS_BITS = 2

/** What a term adds at most to a slot of a class. */
function reachOf({ weight, most }: Led, asked: number): number {
  if (asked === ANY) return 0
  return asked === HAS ? Math.min(most, weight * WEAK) : most
}

const classIn = (way: number, t: number): number => (way >> (t * CLASS_BITS)) & 3

/** Whether every slot of a way is in another one too. */
function isWithin(way: number, other: number, heavy: number): boolean {
  for (let t = 0; t < heavy; t++) if (classIn(other, t) > classIn(way, t)) return false
  return true
}

/** The ways to reach `needed`, none within another one. */
function toWays(heavy: readonly Led[], needed: number, words: number): Way[] {
  const ways: number[] = []
  // A way counts up from the least asked for, so that what covers it is met before it.
  for (let number = 0; number < CLASSES ** heavy.length; number++) {
    let way = 0
    let reach = 0
    for (let t = 0, rest = number; t < heavy.length; t++, rest = Math.floor(rest / CLASSES)) {
      way |= (rest % CLASSES) << (t * CLASS_BITS)
      reach += reachOf(heavy[t]!, rest % CLASSES)
    }
    if (reach >= needed && !ways.some(other => isWithin(way, other, heavy.length))) ways.push(way)
  }
  const setOf = (way: number, t: number): Int32Array => {
    const asked = classIn(way, t)
    const { bits, strong } = heavy[t]!.frequent
    return asked === ANY ? allSlots(words) : asked === HAS ? bits : strong
  }
  return ways.map(way => [setOf(way, 0), setOf(way, 1), setOf(way, 2)])
}

function slotsOf(ways: readonly Way[], word: number): number {
  let slots = 0
  for (let i = 0; i < ways.length; i++) {
    const way = ways[i]!
    slots |= way[0][word]! & way[1][word]! & way[2][word]!
  }
  return slots
}

/** Offers what can enter the best of the entries that have these terms (at least one) and were not seen before. */
export function walkBest(walk: Walk, terms: readonly WalkTerm[]): void {
  const led = terms.map(toLed)
  const marked = offerLeaders(walk, led)
  let bound = 0
  for (const { most } of led) bound += most
  if (bound >= walk.top.threshold) walkRest(walk, led)
  unmarkLeaders(walk, marked)
}

function walkRest(walk: Walk, terms: readonly Led[]): void {
  if (terms.length === 1) walkSingle(walk, terms[0]!)
  else if (terms.length === 2) walkTwo(walk, terms[0]!, terms[1]!)
  else walkWays(walk, terms)
}

function walkSingle({ scratch, words, top, accept }: Walk, term: Led): void {
  const { weight, most, frequent } = term
  const { bits, tops } = frequent
  const seen = scratch.bits
  let least = top.threshold
  for (let word = 0; word < words; word++) {
    if (most < least) return
    let slots = bits[word]! & ~seen[word]!
    if (slots === 0 || weight * tops[word]! < least) continue
    for (; slots !== 0; slots &= slots - 1) {
      const slot = lowestSlot(slots, word)
      const key = weight * impactIn(term, frequent, slot)
      if (key < least || (accept !== undefined && !accept(slot))) continue
      top.offer(key, slot)
      least = top.threshold
    }
  }
}

function walkTwo({ scratch, words, top, accept }: Walk, one: Led, two: Led): void {
  const { bits: ones, strong: strongOnes, tops: topsOne } = one.frequent
  const { bits: twos, strong: strongTwos, tops: topsTwo } = two.frequent
  const weightOne = one.weight
  const weightTwo = two.weight
  const highestOne = one.most
  const highestTwo = two.most
  const weakestOne = Math.min(highestOne, weightOne * WEAK)
  const weakestTwo = Math.min(highestTwo, weightTwo * WEAK)
  const seen = scratch.bits
  let least = top.threshold
  for (let word = 0; word < words; word++) {
    const hasOne = ones[word]!
    const hasTwo = twos[word]!
    const strongOne = strongOnes[word]!
    const strongTwo = strongTwos[word]!
    // What the whole lists tell rules many words out by bits alone.
    let open = ~seen[word]!
    if (highestOne < least && highestTwo < least) open &= hasOne & hasTwo
    if (weakestOne + weakestTwo < least) open &= strongOne | strongTwo
    if (highestOne + weakestTwo < least) open &= strongTwo
    if (weakestOne + highestTwo < least) open &= strongOne
    if (open === 0) continue
    // Each word of slots is told by its own highest impacts what it must ask for.
    const mostOne = Math.min(highestOne, weightOne * topsOne[word]!)
    const mostTwo = Math.min(highestTwo, weightTwo * topsTwo[word]!)
    if (mostOne + mostTwo < least || mostOne + mostTwo === 0) continue
    const weakOne = Math.min(mostOne, weakestOne)
    const weakTwo = Math.min(mostTwo, weakestTwo)
    let slots = strongOne & strongTwo
    if (mostOne + weakTwo >= least) slots |= strongOne & hasTwo
    if (weakOne + mostTwo >= least) slots |= hasOne & strongTwo
    if (weakOne + weakTwo >= least) slots |= hasOne & hasTwo
    if (mostOne >= least) slots |= strongOne
    if (weakOne >= least) slots |= hasOne
    if (mostTwo >= least) slots |= strongTwo
    if (weakTwo >= least) slots |= hasTwo
    for (slots &= open; slots !== 0; slots &= slots - 1) {
      const slot = lowestSlot(slots, word)
      let key = 0
      if ((hasOne & slots & -slots) !== 0) key += weightOne * impactIn(one, one.frequent, slot)
      if ((hasTwo & slots & -slots) !== 0) key += weightTwo * impactIn(two, two.frequent, slot)
      if (key < least || (accept !== undefined && !accept(slot))) continue
      top.offer(key, slot)
      least = top.threshold
    }
  }
}

function walkWays({ scratch, words, top, accept }: Walk, terms: readonly Led[]): void {
  const byMost = terms.toSorted((a, b) => b.most - a.most)
  const heavy = byMost.slice(0, HEAVY)
  const others = byMost.slice(HEAVY).reduce((sum, { most }) => sum + most, 0)
  const bits = byMost.map(({ frequent }) => frequent.bits)
  const strong = byMost.map(({ frequent }) => frequent.strong)
  const tops = byMost.map(({ frequent }) => frequent.tops)
  const weights = byMost.map(({ weight }) => weight)
  const most = byMost.map(term => term.most)
  const weak = byMost.map((term, t) => Math.min(most[t]!, term.weight * WEAK))
  const weakest = weak.reduce((sum, value) => sum + value, 0)
  const strengths = weak.map((value, t) => most[t]! - value).sort((a, b) => b - a)
  let fewest = 0
  let fewestStrong = 0
  const seen = scratch.bits
  let least = top.threshold
  let known = Number.NEGATIVE_INFINITY
  let ways: readonly Way[] = []
  for (let word = 0; word < words; word++) {
    const isTurn = word % STRIDE === 0 || (word < STRIDE && (word & (word - 1)) === 0)
    if (isTurn && least > known + known / LEAST_RISE) {
      known = least
      ways = toWays(heavy, known - others, words)
      if (ways.length === 0) return
      fewest = fewestToReach(least, 0, most)
      fewestStrong = fewestToReach(least, weakest, strengths)
    }
    let slots = slotsOf(ways, word) & ~seen[word]!
    if (slots !== 0) slots &= slotsInAtLeast(fewest, bits, word)
    if (slots !== 0) slots &= slotsInAtLeast(fewestStrong, strong, word)
    if (slots === 0) continue
    let bound = 0
    for (let t = 0; t < tops.length; t++) bound += weights[t]! * tops[t]![word]!
    if (bound < least) continue
    for (; slots !== 0; slots &= slots - 1) {
      // As far as bits tell.
      let reach = 0
      for (let t = 0; t < bits.length; t++) {
        if ((bits[t]![word]! & slots & -slots) === 0) continue
        const highest = tops[t]![word]!
        const isStrong = (strong[t]![word]! & slots & -slots) !== 0
        reach += weights[t]! * (highest < STRONG || isStrong ? highest : WEAK)
      }
      if (reach === 0 || reach < least) continue
      const slot = lowestSlot(slots, word)
      const key = scoreIn(byMost, slot)
      if (key < least || (accept !== undefined && !accept(slot))) continue
      top.offer(key, slot)
      least = top.threshold
    }
  }
}
