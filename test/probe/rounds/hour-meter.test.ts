import { expect, test } from 'bun:test'
import { PROBE_OUTCOMES } from '../../../src/domain/standing/standing.ts'
import { HourMeter } from '../../../src/probe/rounds.ts'
import { fc } from '../../fast-check.ts'

const START = Date.parse('2026-11-01T12:00:00Z')
const MINUTE_MS = 60_000

test('counts the last sixty minutes by outcome, also after a handover', () => {
  const probe = fc.record({
    outcome: fc.constantFrom(...PROBE_OUTCOMES),
    afterMs: fc.integer({ min: 0, max: 10 * MINUTE_MS }),
  })
  fc.assert(
    fc.property(fc.array(probe, { maxLength: 60 }), fc.nat(59), (probes, handedOnAt) => {
      let meter = new HourMeter()
      let atMs = START
      const done: { outcome: string; minute: number }[] = []
      for (const [index, { outcome, afterMs }] of probes.entries()) {
        if (index === handedOnAt) meter = new HourMeter(JSON.parse(JSON.stringify(meter)))
        atMs += afterMs
        meter.add(outcome, new Date(atMs))
        done.push({ outcome, minute: Math.floor(atMs / MINUTE_MS) })
      }
      const nowMinute = Math.floor(atMs / MINUTE_MS)
      const counts = meter.counts(new Date(atMs))
      for (const outcome of PROBE_OUTCOMES) {
        const recent = done.filter(each => each.outcome === outcome && each.minute > nowMinute - 60)
        expect(counts[outcome]).toBe(recent.length)
      }
      expect(JSON.parse(JSON.stringify(meter)).length).toBeLessThanOrEqual(61)
    }),
  )
})

test('forgets everything in an hour without a probe', () => {
  const meter = new HourMeter()
  meter.add('payable', new Date(START))
  expect(meter.counts(new Date(START + 59 * MINUTE_MS)).payable).toBe(1)
  expect(meter.counts(new Date(START + 60 * MINUTE_MS)).payable).toBe(0)
})
