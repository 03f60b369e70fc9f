// The rules of docs/search.md about sellers and copies, evaluated pair by pair, against the single pass of the ranking.
import { expect, test } from 'bun:test'
import { createRandom } from '../../../bench/catalog.ts'
import { CandidatePairs } from '../../../src/search/ranking/candidate-pairs.ts'
import { compareClaims } from '../../../src/search/ranking/copies.ts'
import type { FinalOrderSource } from '../../../src/search/ranking/demotion.ts'
import { inFinalOrder, isBehind, markDemoted, toFinalOrder } from '../../../src/search/ranking/final-order.ts'
import {
  FINGERPRINT_WORDS,
  isSameName,
  isSameSeller,
  isSameText,
  rowOf,
  SKETCH_AT,
  SUFFIX_AT,
} from '../../../src/search/ranking/fingerprint.ts'

const COUNT = 60
type Random = (below: number) => number

/** Entries of a few sellers, names and texts, each with a standing of its own. */
function drawSource(random: Random, sellers: number): FinalOrderSource {
  const rows = new Uint32Array(COUNT * FINGERPRINT_WORDS)
  const draw = (kind: number, of: number) => Math.imul(1 + kind * 1_000 + random(of), 0x9e37_79b1) >>> 0
  for (let slot = 0; slot < COUNT; slot++) {
    const payee = draw(1, sellers)
    const domain = draw(2, sellers)
    const name = draw(3, 2 * COUNT)
    rows.set([payee, payee ^ 1, domain, domain ^ 1, name, name ^ 1], rowOf(slot))
    for (let at = SKETCH_AT; at < FINGERPRINT_WORDS; at++) rows[rowOf(slot) + at] = draw(at, 2 ** 20)
    // A text is whole or it is not here: near-copies are the matter of the sketch.
    if (slot > 0 && random(8) === 0) {
      const from = rowOf(random(slot)) + SKETCH_AT
      rows.copyWithin(rowOf(slot) + SKETCH_AT, from, from + FINGERPRINT_WORDS - SKETCH_AT)
    }
  }
  const statuses = Array.from({ length: COUNT }, () => random(3))
  const trusts = Array.from({ length: COUNT }, () => random(30))
  const since = Array.from({ length: COUNT }, () => random(40))
  // Most have their words since they came.
  const ages = () => Array.from({ length: COUNT }, () => Math.max(0, random(40) - 30))
  const nameAges = ages()
  const textAges = ages()
  const endpoints = Array.from({ length: COUNT }, () => random(4))
  const flags = Array.from({ length: COUNT }, () => random(4))
  const dangers = statuses.map(status => (status === 1 ? random(4) : 1))
  return {
    fingerprints: { rows },
    candidates: new CandidatePairs(),
    order: (a, b) => trusts[b]! - trusts[a]! || a - b,
    isVerified: slot => statuses[slot] === 2,
    hasStanding: slot => statuses[slot] === 2 || trusts[slot]! > 10,
    isInactive: slot => statuses[slot] === 0,
    isClaimed: slot => flags[slot] === 1,
    isByStranger: slot => flags[slot] === 2,
    trustOf: slot => trusts[slot]!,
    sinceOf: slot => since[slot]!,
    nameSinceOf: slot => since[slot]! + nameAges[slot]!,
    textSinceOf: slot => since[slot]! + textAges[slot]!,
    // One endpoint is on one domain.
    isSample: () => false,
    dangerOf: slot => (dangers[slot] === 0 ? 'terms' : undefined),
    isSameEndpoint: (a, b) =>
      endpoints[a] === endpoints[b] && rows[rowOf(a) + SUFFIX_AT] === rows[rowOf(b) + SUFFIX_AT],
  }
}

type Judged = { readonly places: number[]; readonly behind: boolean[]; readonly scores: number[] }

function judgeEach(source: FinalOrderSource, slots: readonly number[], given: readonly number[]): Judged {
  const { rows } = source.fingerprints
  const isOneSeller = (a: number, b: number) => isSameSeller(rows, rowOf(a), rowOf(b))
  const tierOf = (slot: number) =>
    !source.isVerified(slot)
      ? Number(!source.isInactive(slot) && source.dangerOf(slot) === undefined)
      : source.isClaimed(slot)
        ? 4
        : source.isByStranger(slot)
          ? 2
          : 3
  const isFurther = (slot: number) =>
    slots.some(
      other =>
        isOneSeller(slot, other) &&
        tierOf(other) === tierOf(slot) &&
        source.isSameEndpoint(slot, other) &&
        source.sinceOf(other) < source.sinceOf(slot),
    )
  const kept: number[] = []
  const inOrder = slots.toSorted(
    (a, b) => tierOf(b) - tierOf(a) || Number(isFurther(a)) - Number(isFurther(b)),
  )
  for (const slot of inOrder) if (kept.filter(other => isOneSeller(slot, other)).length < 2) kept.push(slot)
  const behind = slots.map(slot => !kept.includes(slot))
  const scores = [...given]
  for (const part of ['name', 'text', 'name'] as const) {
    const byRight = slots.toSorted((a, b) => compareClaims(source, a, b, part))
    for (const [at, slot] of byRight.entries()) {
      const hasText = (other: number) => isSameText(rows, rowOf(slot), rowOf(other))
      const originals = byRight
        .slice(0, at)
        .filter(other => !isOneSeller(slot, other))
        .filter(other =>
          part === 'text' ? hasText(other) : !hasText(other) && isSameName(rows, rowOf(slot), rowOf(other)),
        )
      if (originals.length === 0) continue
      const place = slots.indexOf(slot)
      const limit = scores[slots.indexOf(originals[0]!)]! - 1e-6
      const verified = originals.filter(other => source.isVerified(other))
      if (part === 'text' && verified.length >= 2 && !source.hasStanding(slot)) behind[place] = true
      scores[place] = Math.max(Math.min(scores[place]!, limit), given[place]! / 2)
    }
  }
  // What must not be paid has the lowest scores, and is behind where anything is.
  if (behind.includes(true))
    for (const [i, slot] of slots.entries()) behind[i] ||= source.dangerOf(slot) !== undefined
  const places = [...slots.keys()].sort(
    (a, b) =>
      Number(behind[a]) - Number(behind[b]) || scores[b]! - scores[a]! || source.order(slots[a]!, slots[b]!),
  )
  return { places, behind, scores }
}

test.each([5, 20, 60, 1_000])(
  'with %d sellers, the final order equals that of comparing every pair',
  sellers => {
    const random = createRandom(sellers)
    for (let round = 0; round < 50; round++) {
      const source = drawSource(random, sellers)
      const steps = new Map(Array.from({ length: COUNT }, (_, slot) => [slot, random(40) / 40]))
      const slots = [...steps.keys()].sort((a, b) => steps.get(b)! - steps.get(a)! || source.order(a, b))
      const given = slots.map(slot => steps.get(slot)!)
      const expected = judgeEach(source, slots, given)
      const scores = Float64Array.from(given)
      const held = markDemoted(source, slots, scores)
      const places = held ? [...inFinalOrder(source, slots, scores, held)] : [...slots.keys()]
      expect([...scores]).toEqual(expected.scores)
      expect(slots.map((_, i) => held !== undefined && isBehind(held[i]!))).toEqual(expected.behind)
      expect(places).toEqual(expected.places)
      const placed = toFinalOrder(
        source,
        slots.map((slot, i) => ({ slot, score: given[i]! })),
      )
      expect(placed.map(({ hit }) => hit.slot)).toEqual(expected.places.map(place => slots[place]!))
    }
  },
)
