// What every store promises about reports.
import { describe, expect, test } from 'bun:test'
import type { Report } from '../../src/domain/operating.ts'
import type { Store } from '../../src/store/store.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')

let made = 0
const report = (parts: Partial<Report> = {}): Report => ({
  id: `rep_${String(++made).padStart(6, '0')}`,
  serviceId: 'svc_a',
  kind: 'impostor',
  text: 'It poses as 正しい.\nSeen today.',
  reporter: 'key_1',
  createdAt: AT.toISOString(),
  resolvedAt: null,
  ...parts,
})

export function describeReports(store: () => Store): void {
  describe('reports', () => {
    const list = (query: object = {}) => store().reports.list({ state: 'open', limit: 9, ...query })

    test('are limited to one open report per reporter and service', async () => {
      const [first, again, other, elsewhere] = [
        report(),
        report({ text: 'Once more.' }),
        report({ reporter: 'key_2' }),
        report({ serviceId: 'svc_b' }),
      ]
      expect(await store().reports.add(first)).toEqual(first)
      expect(await store().reports.add(again)).toEqual(first)
      for (const each of [other, elsewhere]) expect(await store().reports.add(each)).toEqual(each)
      expect(await list()).toEqual([first, other, elsewhere])
      expect(await list({ limit: 1, after: first.id })).toEqual([other])

      expect(await store().reports.resolve(first.id, AT)).toBe(true)
      for (const id of [first.id, 'rep_none']) expect(await store().reports.resolve(id, AT)).toBe(false)
      expect(await list({ state: 'resolved' })).toEqual([{ ...first, resolvedAt: AT.toISOString() }])
      expect(await list()).toEqual([other, elsewhere])
      expect(await store().reports.add(again)).toEqual(again)
    })

    test('of one reporter at once are one', async () => {
      const same = await Promise.all(
        Array.from({ length: 4 }, () => store().reports.add(report({ serviceId: 'svc_d' }))),
      )
      expect(new Set(same.map(each => each?.id)).size).toBe(1)
    })
  })
}
