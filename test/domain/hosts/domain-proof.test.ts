import { describe, expect, test } from 'bun:test'
import { isProofDue, judgeProof, type ProofReading } from '../../../src/domain/hosts/domain-proof.ts'
import { editEntry, toDraft } from '../../../src/domain/listing/edit.ts'
import type { Entry } from '../../../src/domain/listing/service.ts'
import { entry } from '../../entries.ts'

const AT = '2026-11-02T00:00:00.000Z'
const LATER = '2026-11-09T00:00:00.000Z'
const found = (names: 'wallet' | 'id'): ProofReading => ({ found: names })
const judge = (kept: Entry, seen: ProofReading | undefined, at = AT, isPayable = true) =>
  judgeProof(kept, seen, { at, isPayable })
const codes = (events: readonly { readonly reason: { readonly code: string } | null }[]) =>
  events.map(({ reason }) => reason?.code)

describe('A domain proof', () => {
  const proof = { at: AT, names: 'wallet' } as const
  const proved: Entry = { ...entry(), proof }

  test('creates an event when it is first found, and keeps its time while it is found again', () => {
    const gained = judge(entry(), found('wallet'))
    expect(gained.entry.proof).toEqual(proof)
    expect(gained.events).toMatchObject([
      {
        type: 'updated',
        reason: { code: 'proof_gained', values: { host: 'weather.example', names: 'wallet' } },
        before: { proof: null },
        after: { proof },
      },
    ])
    expect(judge(gained.entry, found('wallet'), LATER)).toEqual({ entry: gained.entry, events: [] })
  })

  test('is lost at once if the domain names only others', () => {
    const lost = judge(proved, { missing: 'elsewhere' })
    expect(lost.entry).not.toHaveProperty('proof')
    expect(codes(lost.events)).toEqual(['proof_of_others'])
    expect(judge(entry(), { missing: 'elsewhere' }).events).toEqual([])
  })

  test('counts only if the endpoint itself asks payment to the address of the entry', () => {
    expect(judge(entry(), found('id'), AT, false).entry).not.toHaveProperty('proof')
    expect(judge(entry(), found('id'), AT, true).entry.proof?.names).toBe('id')
    expect(judge(entry(), found('wallet'), AT, false).entry).not.toHaveProperty('proof')
    expect(judge(proved, found('wallet'), LATER, false)).toEqual({ entry: proved, events: [] })
  })

  test('is lost when the endpoint or the payee changes, and kept when the name changes', () => {
    const act = { by: 'owner', now: new Date(LATER) } as const
    const edit = (parts: object) => editEntry(proved, { ...toDraft(proved), ...parts }, act)!.entry
    expect(edit({ endpoint: 'https://elsewhere.example/v1' })).not.toHaveProperty('proof')
    expect(
      edit({ x402Config: { paymentAddress: `0x${'2'.repeat(40)}`, network: 'base' } }),
    ).not.toHaveProperty('proof')
    expect(edit({ name: 'Other' }).proof).toEqual(proof)
  })

  test('is looked for with the first probe and then once a day, at different times for different entries', () => {
    const at = (hours: number) => new Date(Date.parse(AT) + hours * 3_600_000)
    const fresh = entry({}, { now: at(0) })
    expect(isProofDue(fresh, at(0))).toBe(true)
    const dueHours = (kept: Entry) =>
      Array.from({ length: 72 }, (_, hour) => hour + 1).filter(hour =>
        isProofDue(
          { ...kept, standing: { ...kept.standing, lastChecked: at(hour - 0.5).toISOString() } },
          at(hour + 0.5),
        ),
      )
    const entries = Array.from({ length: 20 }, () => entry({}, { now: at(0) }))
    for (const kept of entries) expect(dueHours(kept)).toHaveLength(3)
    expect(new Set(entries.map(kept => dueHours(kept)[0])).size).toBeGreaterThan(5)
    const moved = { ...fresh, movedAt: AT, standing: { ...fresh.standing, lastChecked: AT } }
    expect(isProofDue(moved, at(1))).toBe(true)
  })
})
