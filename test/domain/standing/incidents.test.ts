import { expect, test } from 'bun:test'
import { findIncidents, type HistoryEntry } from '../../../src/domain/standing/history.ts'
import type { ProbeOutcome } from '../../../src/domain/standing/standing.ts'

const HOUR_MS = 3_600_000
const at = (hour: number) => new Date(Date.UTC(2026, 10, 1) + hour * HOUR_MS).toISOString()

/** One probe an hour; told newest first. */
const probes = (outcomes: readonly ProbeOutcome[], httpStatus: number | null = null): HistoryEntry[] =>
  outcomes
    .map(
      (outcome, hour): HistoryEntry => ({
        kind: 'probe',
        at: at(hour),
        outcome,
        httpStatus: outcome === 'unreachable' ? null : (httpStatus ?? 402),
        latencyMs: null,
        priceSeen: null,
        asListed: true,
        reasons: [],
        reasonCodes: [],
      }),
    )
    .reverse()

const incidentsOf = (outcomes: readonly ProbeOutcome[]) =>
  findIncidents(probes(outcomes)).map(({ kind, first, until, probes }) => [kind, first.at, until, probes])

test('an incident lasts from its first failed probe to the first good one', () => {
  expect(incidentsOf(['payable', 'unreachable', 'unreachable', 'unreachable', 'payable'])).toEqual([
    ['silent', at(1), at(4), 3],
  ])
})

test('a single failure is not an incident, and a refusal does not end one', () => {
  expect(incidentsOf(['payable', 'unreachable', 'payable'])).toEqual([])
  expect(incidentsOf(['unreachable', 'refused', 'unreachable', 'payable'])).toEqual([
    ['silent', at(0), at(3), 2],
  ])
})

test('another kind of failure is another incident, and the newest comes first', () => {
  expect(incidentsOf(['unreachable', 'unreachable', 'mismatched', 'mismatched'])).toEqual([
    ['mismatched', at(2), null, 2],
    ['silent', at(0), at(2), 2],
  ])
})

test('a server error counts as no answer, a client error does not', () => {
  const broken = findIncidents(probes(['unpayable', 'unpayable'], 503))
  expect(broken.map(({ kind }) => kind)).toEqual(['silent'])
  expect(findIncidents(probes(['unpayable', 'unpayable'], 404))).toEqual([])
})
