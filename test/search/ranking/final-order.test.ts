// The rules of docs/search.md about sellers and copies, evaluated pair by pair, against the groups of the ranking.
import { expect, test } from 'bun:test'
import { createRandom } from '../../../bench/catalog.ts'
import {
  FINGERPRINT_PARTS,
  type FinalOrderSource,
  type FingerprintPart,
  toFinalOrder,
} from '../../../src/search/ranking/final-order.ts'

const COUNT = 60
type Random = (below: number) => number

/** Entries of a few sellers, names and texts, each with a standing of its own. */
function drawSource(random: Random, sellers: number): FinalOrderSource {
  const draw = (of: number) => Array.from({ length: COUNT }, () => random(of))
  const keys: Readonly<Record<FingerprintPart, number[]>> = {
    payee: draw(sellers),
    domain: draw(sellers),
    name: draw(2 * COUNT),
    text: draw(2 * COUNT),
  }
  const [statuses, trusts, since, flags, endpoints] = [draw(2), draw(30), draw(40), draw(4), draw(20)]
  const dangers = statuses.map(status => (status === 0 ? random(4) : 1))
  return {
    order: (a, b) => trusts[b]! - trusts[a]! || a - b,
    keyOf: (slot, part) => keys[part][slot]!,
    wordedSince: slot => since[slot]!,
    isVerified: slot => statuses[slot] === 1,
    isClaimed: slot => flags[slot] === 1,
    isByStranger: slot => flags[slot] === 2,
    isRelisting: (slot, other) => endpoints[slot] === endpoints[other] && since[other]! < since[slot]!,
    ranksBehindReal: () => false,
    dangerOf: slot => (dangers[slot] === 0 ? 'terms' : undefined),
  }
}

/** Judges each hit by all others. */
function judgeEach(source: FinalOrderSource, slots: readonly number[], given: readonly number[]) {
  const tierOf = (slot: number) =>
    !source.isVerified(slot)
      ? Number(source.dangerOf(slot) === undefined)
      : source.isClaimed(slot)
        ? 4
        : source.isByStranger(slot)
          ? 2
          : 3
  const shares = (a: number, b: number, part: FingerprintPart) =>
    source.keyOf(a, part) === source.keyOf(b, part)
  const surplus = slots.map(slot =>
    (['payee', 'domain'] as const).some(part => {
      const group = slots.filter(other => shares(slot, other, part))
      const isFurther = (a: number) => group.some(b => tierOf(a) === tierOf(b) && source.isRelisting(a, b))
      const placeOf = (a: number) => [-tierOf(a), Number(isFurther(a)), slots.indexOf(a)]
      const isBefore = (a: number, b: number) => {
        const [one, other] = [placeOf(a), placeOf(b)]
        const differs = one.findIndex((value, i) => value !== other[i])
        return differs >= 0 && one[differs]! < other[differs]!
      }
      return group.filter(other => isBefore(other, slot)).length >= 2
    }),
  )
  const behind = slots.map(
    (slot, i) => surplus.includes(true) && (surplus[i] || source.dangerOf(slot) !== undefined),
  )
  const hasClaim = (a: number, b: number): boolean => {
    if (source.isVerified(a) !== source.isVerified(b)) return source.isVerified(a)
    const [unsafe, otherUnsafe] = [source.dangerOf(a), source.dangerOf(b)]
    if ((unsafe === undefined) !== (otherUnsafe === undefined)) return unsafe === undefined
    return (source.wordedSince(a, 'name') - source.wordedSince(b, 'name') || source.order(a, b)) < 0
  }
  const isCopy = slots.map(slot =>
    slots.some(
      other =>
        other !== slot &&
        (shares(slot, other, 'name') || shares(slot, other, 'text')) &&
        !shares(slot, other, 'payee') &&
        !shares(slot, other, 'domain') &&
        hasClaim(other, slot),
    ),
  )
  return { surplus, behind, isCopy, least: given.map((score, i) => (isCopy[i] ? score / 4 : score)) }
}

test.each([5, 20, 60, 1_000])('with %d sellers, every hit is demoted as all pairs require', sellers => {
  const random = createRandom(sellers)
  for (let round = 0; round < 50; round++) {
    const source = drawSource(random, sellers)
    const steps = new Map(Array.from({ length: COUNT }, (_, slot) => [slot, random(40) / 40]))
    const slots = [...steps.keys()].sort((a, b) => steps.get(b)! - steps.get(a)! || source.order(a, b))
    const given = slots.map(slot => steps.get(slot)!)
    const { surplus, behind, isCopy, least } = judgeEach(source, slots, given)
    const scores = Float64Array.from(given)
    const final = toFinalOrder(source, slots, scores)
    const causes = slots.map((_, i) => (surplus[i] ? 'seller' : isCopy[i] ? 'copy' : undefined))
    expect(slots.map((_, i) => final?.demotions[i])).toEqual(causes)
    for (const i of slots.keys()) {
      expect(scores[i]).toBeLessThanOrEqual(given[i]!)
      expect(scores[i]).toBeGreaterThanOrEqual(least[i]!)
    }
    const places = [...slots.keys()].sort(
      (a, b) =>
        Number(behind[a]) - Number(behind[b]) ||
        scores[b]! - scores[a]! ||
        source.order(slots[a]!, slots[b]!),
    )
    expect(final?.places ?? [...slots.keys()]).toEqual(places)
  }
})

test('a copy comes after its original, unless it has twice the score', () => {
  const source: FinalOrderSource = {
    order: (a, b) => a - b,
    keyOf: (slot, part) => (part === 'text' ? 7 : 10 * slot + FINGERPRINT_PARTS.indexOf(part)),
    wordedSince: slot => -slot,
    isVerified: () => false,
    isClaimed: () => false,
    isByStranger: () => false,
    isRelisting: () => false,
    ranksBehindReal: () => false,
    dangerOf: () => undefined,
  }
  const orderOf = (...scores: number[]) =>
    toFinalOrder(source, [...scores.keys()], Float64Array.from(scores))?.places
  expect(orderOf(0.9, 0.6)).toEqual([1, 0])
  expect(orderOf(0.9, 0.3)).toEqual([0, 1])
})
